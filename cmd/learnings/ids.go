package main

import (
	"learnings/cmd/internal/term"
	"learnings/lessons"
)

// ids turns arguments into full ids, in their order and each once. A unique
// beginning is enough; "-" stands for those on standard input, one a line.
func (a *app) ids(args []string) ([]lessons.ID, error) {
	s, err := a.corpus()
	if err != nil {
		return nil, err
	}
	var words []string
	for _, arg := range args {
		if arg != "-" {
			words = append(words, arg)
			continue
		}
		more, err := term.ReadIDs(a.In)
		if err != nil {
			return nil, err
		}
		words = append(words, more...)
	}
	var out []lessons.ID
	seen := map[lessons.ID]bool{}
	for _, w := range words {
		id, err := s.Resolve(w)
		if err != nil {
			return nil, err
		}
		if !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	if len(out) == 0 {
		return nil, term.Usagef("no ids on standard input")
	}
	return out, nil
}

// named reads the lessons that are named by ids or "-".
func (a *app) named(words []string) ([]lessons.Lesson, error) {
	ids, err := a.ids(words)
	if err != nil {
		return nil, err
	}
	ls := make([]lessons.Lesson, 0, len(ids))
	for _, id := range ids {
		l, err := a.store.Get(id)
		if err != nil {
			return nil, err
		}
		ls = append(ls, l)
	}
	return ls, nil
}
