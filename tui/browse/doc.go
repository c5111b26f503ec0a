// Package browse is the screen of the corpus: facets, the list, a preview, export and
// import, guards, and lessons from outside.
package browse
