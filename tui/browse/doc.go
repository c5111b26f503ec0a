// Package browse is the screen of the desk that shows the corpus: facets, the list, a lesson as it reads, and what is done to many: export, history, what came from outside.
package browse
