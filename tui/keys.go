package tui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"

	"learnings/lessons"
)

// A bind is one thing that a person can do with a key in a pane of type P. What the
// key does, the footer, the help and the palette all come from it, so that they
// cannot disagree.
type bind[P any] struct {
	key.Binding
	group string                   // heading in the help
	about string                   // two lines of help, for the palette; "" where desc says it all
	foot  string                   // a word for the footer; "" keeps it out of there
	off   func(P) string           // why it does nothing now, "" when it does; nil for always on
	do    func(P, string) (P, out) // the string is the key that was pressed
}

// keyed makes the keys and the help of a bind. The palette presses the first of the
// keys.
func keyed(shown, desc string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, desc))
}

// binds are the keys of a pane, in the order in which help shows them.
type binds[P any] []bind[P]

// press does what a key is for, or says why it is off. ok is false for a key that
// is not bound.
func (t binds[P]) press(p P, k string) (next P, o out, ok bool) {
	for _, b := range t {
		if !slices.Contains(b.Keys(), k) {
			continue
		}
		if b.off != nil {
			if why := b.off(p); why != "" {
				return p, say("%s: %s", b.Help().Desc, why), true
			}
		}
		next, o = b.do(p, k)
		return next, o, true
	}
	return p, out{}, false
}

// hints returns what the keys of a pane do in its present state.
func (t binds[P]) hints(p P) []hint {
	all := make([]hint, 0, len(t))
	for _, b := range t {
		h := hint{press: b.Keys()[0], keys: b.Keys(), key: b.Help().Key, desc: b.Help().Desc, group: b.group, foot: b.foot, about: b.about}
		if b.off != nil {
			h.off = b.off(p)
		}
		all = append(all, h)
	}
	return all
}

// lessonKeys show and copy the lesson under the cursor of a pane.
func lessonKeys[P interface{ current() (lessons.Lesson, bool) }](g string, off func(P) string, history func(P, lessons.Lesson) out) binds[P] {
	on := func(do func(P, lessons.Lesson) out) func(P, string) (P, out) {
		return func(p P, _ string) (P, out) {
			l, _ := p.current()
			return p, do(p, l)
		}
	}
	return binds[P]{
		{Binding: keyed("H", "history; bring an earlier version back", "H"), group: g, off: off, do: on(history)},
		{Binding: keyed("y", "copy the lesson", "y"), group: g, off: off, do: on(func(_ P, l lessons.Lesson) out { return copied("the lesson", strings.TrimSpace(l.Content)) })},
		{Binding: keyed("Y", "copy its handle", "Y"), group: g, off: off, do: on(func(_ P, l lessons.Lesson) out { return copied(string(l.ID), string(l.ID)) })},
	}
}
