// Package next is the screen that shows what the next session of an agent will be told,
// and why.
package next
