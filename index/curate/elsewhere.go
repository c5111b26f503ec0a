package curate

import (
	"context"

	"learnings/lessons"
)

// A Shop is a store of another program on this machine.
type Shop struct {
	Format, Path string
	Shown        string // the path as shown to people
}

// A Form is an output format that can write only some lessons.
type Form struct {
	Name, About string
	Path        string // where a person would write it, as shown to people
	Text        bool   // it is text, so it can also be copied to the clipboard
}

// A Preview is what an import or export would do.
type Preview struct {
	Title string
	Text  string // lines beginning with "+", "-" or "!" for what is added, removed or lost
	Over  string // an existing file that would be replaced as a whole; "" for none
	// Leaving are the lessons that an export lets leave this machine.
	Leaving []lessons.Lesson
	// Do does it and returns what it did. It is nil if there is nothing to do.
	Do func(context.Context) (string, error)
}
