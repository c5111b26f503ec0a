package lessons

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// A Category is the kind of a lesson, kept in the words of the system it came from. A
// [Shelf] groups categories that mean the same.
type Category string

// A Shelf groups categories of the same meaning for browsing. Its name is itself a
// category.
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

// Shelves are all shelves, in display order.
var Shelves = []Shelf{Preferences, Corrections, Errors, Workflows, Tools, Architecture, Debugging, Patterns, Discoveries, Other}

// shelfOf maps the categories of known systems to their shelf.
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

// Shelf returns the shelf of a category: [Other] if no known system uses it.
func (c Category) Shelf() Shelf {
	if s, ok := shelfOf[Category(strings.ToLower(string(c)))]; ok {
		return s
	}
	return Other
}

// Known reports whether a known system uses the category.
func (c Category) Known() bool { return c.Shelf() != Other }

// ParseCategory reads a category that a person typed: one word of letters, digits, - and
// _. Imported categories need not follow this.
func ParseCategory(s string) (Category, error) {
	s = strings.TrimSpace(s)
	odd := func(r rune) bool { return r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	if s == "" || strings.ContainsFunc(s, odd) {
		return "", fmt.Errorf("category %q must be one word of letters, digits, - and _, such as %s", s, join(Shelves))
	}
	return Category(s), nil
}

// Categories returns the known categories of a shelf, its own name first.
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
