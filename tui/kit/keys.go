package kit

import (
	"slices"
	"strings"
)

// A bind is one thing that a person can do with a key in a pane of type P. What the
// key does, the footer, the help and the palette all come from it, so that they
// cannot disagree.
type bind[P any] struct {
	Key
	Group string                   // heading in the help
	About string                   // two lines of help, for the palette; "" where desc says it all
	Foot  string                   // a word for the footer; "" keeps it out of there
	Off   func(P) string           // why it does nothing now, "" when it does; nil for always on
	Do    func(P, string) (P, Out) // the string is the key that was pressed
}

// A Key is one or more keys for something. Actions are by what a person names it in [keys] of
// the settings, which does not change when a key or a text does: one for each of the first
// keys, and the other keys are of the last action. Without any the keys are fixed, as digits are.
type Key struct {
	Actions     []string
	Shown, Desc string
	Keys        []string
}

// Keyed makes a key. The palette presses the first of the keys.
func Keyed(actions, shown, desc string, keys ...string) Key {
	return Key{strings.Fields(actions), shown, desc, keys}
}

// Action is what the key with a number is for; "" for a fixed one.
func (k Key) Action(i int) string {
	if len(k.Actions) == 0 {
		return ""
	}
	return k.Actions[min(i, len(k.Actions)-1)]
}

// Unless says why a key is off when something is so, and else what then says; nil is on.
func Unless[P any](is func(P) bool, why string, then func(P) string) func(P) string {
	return func(p P) string {
		switch {
		case is(p):
			return why
		case then == nil:
			return ""
		}
		return then(p)
	}
}

// Sets is what a key does that changes its pane and asks for nothing.
func Sets[P any](set func(*P)) func(P, string) (P, Out) {
	return func(p P, _ string) (P, Out) {
		set(&p)
		return p, Out{}
	}
}

// Asks is what a key does that leaves its pane as it is.
func Asks[P any](ask func(P) Out) func(P, string) (P, Out) {
	return func(p P, _ string) (P, Out) { return p, ask(p) }
}

// Binds are the keys of a pane, in the order in which help shows them.
type Binds[P any] []bind[P]

// Press does what a key is for, or says why it is off. ok is false for a key that
// is not bound.
func (t Binds[P]) Press(p P, k string) (next P, o Out, ok bool) {
	for _, b := range t {
		if !slices.Contains(b.Keys, k) {
			continue
		}
		if b.Off != nil {
			if why := b.Off(p); why != "" {
				return p, Say("%s: %s", b.Desc, why), true
			}
		}
		next, o = b.Do(p, k)
		return next, o, true
	}
	return p, Out{}, false
}

// Hints returns what the keys of a pane do in its present state.
func (t Binds[P]) Hints(p P) []Hint {
	all := make([]Hint, 0, len(t))
	for _, b := range t {
		h := Hint{Press: b.Keys[0], Keys: b.Keys, Name: strings.Join(b.Actions, " "), Key: b.Shown, Desc: b.Desc, Group: b.Group, Foot: b.Foot, About: b.About}
		if b.Off != nil {
			h.Off = b.Off(p)
		}
		all = append(all, h)
	}
	return all
}

// Bound are the keys themselves.
func (t Binds[P]) Bound() []Key {
	all := make([]Key, len(t))
	for i, b := range t {
		all[i] = b.Key
	}
	return all
}
