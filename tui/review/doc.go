// Package review is the screen of the queue: proposals in lanes, the card of the current
// one, and clusters of proposals that say the same.
package review
