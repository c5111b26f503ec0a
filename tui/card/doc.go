// Package card draws lessons as the desk shows them: a row of a list, a card with all that
// it takes to judge one, and how the words of two differ.
package card
