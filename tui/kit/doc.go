// Package kit provides the parts of the screens: page layout, dialogs, lists, text
// inputs, key tables with help, footer and palette, and the requests that an update makes
// to the root. It knows the form of a lesson and nothing about what the program does with
// it.
package kit
