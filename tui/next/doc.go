// Package next is the screen of the desk that shows what the next session of an agent will be told, and why.
package next
