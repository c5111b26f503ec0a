package kit

import (
	"slices"
	"strings"
)

// A bind is an action of a pane of type P and its key. The key's effect, the footer, the
// help and the palette all use it, so that they cannot disagree.
type bind[P any] struct {
	Key
	Group string                   // heading in the help
	About string                   // two lines of help for the palette; "" if desc is enough
	Foot  string                   // word in the footer; "" to leave it out
	Off   func(P) string           // why it is off now, "" if it is on; nil means always on
	Do    func(P, string) (P, Out) // gets the pressed key
}

// A Key is one or more keys for an action. Actions are the stable names used in [keys] of
// the settings: the first keys have one each, and the remaining keys belong to the last
// action. Keys without an action, such as digits, are fixed.
type Key struct {
	Actions     []string
	Shown, Desc string
	Keys        []string
}

// Keyed returns a Key. The palette presses the first of keys.
func Keyed(actions, shown, desc string, keys ...string) Key {
	return Key{strings.Fields(actions), shown, desc, keys}
}

// Action returns the action of key i, "" for a fixed key.
func (k Key) Action(i int) string {
	if len(k.Actions) == 0 {
		return ""
	}
	return k.Actions[min(i, len(k.Actions)-1)]
}

// Unless returns an Off function: it gives why if is reports true, otherwise the result
// of then. A nil then means on.
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

// Sets returns a Do function that changes the pane and asks for nothing.
func Sets[P any](set func(*P)) func(P, string) (P, Out) {
	return func(p P, _ string) (P, Out) {
		set(&p)
		return p, Out{}
	}
}

// Asks returns a Do function that leaves the pane unchanged.
func Asks[P any](ask func(P) Out) func(P, string) (P, Out) {
	return func(p P, _ string) (P, Out) { return p, ask(p) }
}

// Binds are the keys of a pane, in the order of the help.
type Binds[P any] []bind[P]

// Press runs the action of key k, or says why it is off. ok is false if k is not bound.
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

// Hints returns what each key does in the present state of the pane.
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

// Bound returns the keys.
func (t Binds[P]) Bound() []Key {
	all := make([]Key, len(t))
	for i, b := range t {
		all[i] = b.Key
	}
	return all
}
