package lessons

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// A Category is the kind of a lesson, in the words of the system it came from:
// it is kept as it came. A [Shelf] groups those that mean the same.
type Category string

// A Shelf is where categories of the same meaning are browsed together. Its
// name is itself a category.
type Shelf string

const (
	Preferences  Shelf = "preference"
	Corrections  Shelf = "correction"
	Errors       Shelf = "errors"
	Workflows    Shelf = "workflows"
	Tools        Shelf = "tools"
	Architecture Shelf = "architecture"
	Debugging    Shelf = "debugging"
	Patterns     Shelf = "pattern"
	Discoveries  Shelf = "discovery"
	Other        Shelf = "other"
)

// Shelves are all of them, in the order in which they are shown.
var Shelves = []Shelf{Preferences, Corrections, Errors, Workflows, Tools, Architecture, Debugging, Patterns, Discoveries, Other}

// shelfOf says which categories of the systems we know are the same shelf.
var shelfOf = map[Category]Shelf{
	"preference": Preferences, "preferences": Preferences, "convention": Preferences,
	"correction": Corrections, "corrections": Corrections,
	"errors": Errors, "error": Errors, "error-fix": Errors, "bugfix": Errors,
	"workflows": Workflows, "workflow": Workflows,
	"tools": Tools, "tool": Tools, "tool-usage": Tools,
	"architecture": Architecture, "decision": Architecture, "refactor": Architecture, "feature": Architecture,
	"debugging": Debugging,
	"pattern":   Patterns, "patterns": Patterns,
	"discovery": Discoveries, "change": Discoveries,
}

// Shelf says on which shelf a category is browsed: [Other] for one that no
// system we know uses.
func (c Category) Shelf() Shelf {
	if s, ok := shelfOf[Category(strings.ToLower(string(c)))]; ok {
		return s
	}
	return Other
}

// Known reports whether some system we know uses the category.
func (c Category) Known() bool { return c.Shelf() != Other }

// ParseCategory reads a category that a person types: one word, of letters, digits,
// - and _. Those of lessons that came from elsewhere are not held to it.
func ParseCategory(s string) (Category, error) {
	s = strings.TrimSpace(s)
	odd := func(r rune) bool { return r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	if s == "" || strings.ContainsFunc(s, odd) {
		return "", fmt.Errorf("category %q must be one word of letters, digits, - and _, such as %s", s, join(Shelves))
	}
	return Category(s), nil
}

// Categories are all known ones of a shelf, its own name first.
func (s Shelf) Categories() []Category {
	out := []Category{Category(s)}
	for c, shelf := range shelfOf {
		if shelf == s && c != Category(s) {
			out = append(out, c)
		}
	}
	slices.Sort(out[1:]) // a map's order differs from run to run, and these are shown
	return out
}
