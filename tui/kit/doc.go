// Package kit is what the screens of the desk are made of: the page and what floats over
// it, lists, fields to type in, tables of keys with their help, footer and palette, and
// what an update asks of the root. It knows how lessons are written and nothing of what
// the program does with them.
package kit
