// Package card draws lessons: a row of a list, a card with everything needed to judge
// one, and the words in which two differ.
package card
