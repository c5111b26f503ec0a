package exchange

import (
	"context"
	"fmt"

	"learnings/lessons"
)

// WriteOnly is embedded in a format that is only written.
type WriteOnly struct{}

// Detect returns false.
func (WriteOnly) Detect(string) bool { return false }

// Read returns [ErrOneWay].
func (WriteOnly) Read(_ context.Context, path string) (Found, error) {
	return Found{}, fmt.Errorf("%s %w: it is only written", path, ErrOneWay)
}

// ReadOnly is embedded in a format that is only read.
type ReadOnly struct{}

// Lacks returns nothing, because nothing is written.
func (ReadOnly) Lacks(lessons.Lesson) []string { return nil }

// Plan returns [ErrOneWay].
func (ReadOnly) Plan(_ context.Context, to Target, _ []lessons.Lesson) (*Plan, error) {
	return nil, fmt.Errorf("%s %w: it is only read", to.Path, ErrOneWay)
}
