// Package review is the screen of the queue: proposals in lanes, each with the card to judge
// it by, and clusters of what says the same.
package review
