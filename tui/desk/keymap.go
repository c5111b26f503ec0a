package desk

import (
	"cmp"
	_ "embed" // the list of actions
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"learnings/tui/kit"
)

// A Keymap has the keys that a person chose. The panes know their own keys only: what is
// pressed is turned into these, and what is shown out of them. The zero keymap changes
// nothing.
type Keymap struct {
	Chosen map[string][]string        // keys by the name of the action
	Own    [Screens]map[string]string // the own key for a chosen one; "" for an own key that was given away
	action [Screens]map[string]string // of each own key
}

// An ownKey is one that a pane has: its action, "" where it is fixed, and whether it is the first
// of that.
type ownKey struct {
	key, action, desc string
	first             bool
}

// ownOn are all keys that do something on a screen. bound are the keys of a screen
// without those that hold everywhere, which are those of [Screens].
func ownOn(s Screen, bound func(Screen) []kit.Key) (all []ownKey) {
	for _, b := range append(bound(s), bound(Screens)...) {
		for i, k := range b.Keys {
			all = append(all, ownKey{k, b.Action(i), b.Desc, i < len(b.Actions)})
		}
	}
	return all
}

// NewKeymap takes what a person chose, without what cannot be, and says what that is.
func NewKeymap(choices map[string]KeyChoice, bound func(Screen) []kit.Key) (Keymap, []error) {
	if len(choices) == 0 {
		return Keymap{}, nil
	}
	m := Keymap{Chosen: map[string][]string{}}
	var errs []error
	reject := func(name string, err error) {
		if place := choices[name].Place; place != "" {
			err = fmt.Errorf("%s: %w", place, err)
		}
		errs = append(errs, err)
		delete(m.Chosen, name)
	}
	var all [Screens][]ownKey
	known := map[string]bool{}
	for s := range Screens {
		all[s], m.Own[s], m.action[s] = ownOn(s, bound), map[string]string{}, map[string]string{}
		for _, k := range all[s] {
			known[k.action], m.action[s][k.key] = true, k.action
		}
	}
	delete(known, "")
	for _, name := range slices.Sorted(maps.Keys(choices)) {
		m.Chosen[name] = choices[name].Keys
		if err := checkChoice(name, choices[name], known); err != nil {
			reject(name, err)
		}
	}
	for name, err := m.clash(all); err != nil; name, err = m.clash(all) { // what is taken out may be missed by another
		reject(name, err)
	}
	for s := range Screens {
		for _, k := range all[s] {
			if m.Chosen[k.action] != nil && !Fixed(k.key) {
				m.Own[s][k.key] = ""
			}
		}
		for _, k := range all[s] {
			if k.first {
				for _, c := range m.Chosen[k.action] {
					m.Own[s][c] = k.key
				}
			}
		}
	}
	return m, errs
}

// checkChoice finds what is wrong with a choice by itself.
func checkChoice(name string, c KeyChoice, known map[string]bool) error {
	if !known[name] {
		return fmt.Errorf("keys.%s is no action; `learnings help config` lists them", name)
	}
	if len(c.Keys) == 0 {
		return fmt.Errorf("keys.%s has no key; leave the line out for its own", name)
	}
	for _, k := range c.Keys {
		if why := noKey(k); why != "" {
			return fmt.Errorf("keys.%s: %q %s", name, k, why)
		}
	}
	return nil
}

// keyNames are the keys that have a name and can be chosen.
var keyNames = []string{"insert", "delete", "backspace", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12"}

// sameKey are keys that a terminal does not tell from others.
var sameKey = map[string]string{"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+[": "esc", "ctrl+h": "backspace", "ctrl+j": "enter"}

// noKey says why a key cannot be chosen, "" when it can.
func noKey(k string) string {
	base := k
	for _, mod := range []string{"ctrl+", "alt+", "shift+"} {
		base = strings.TrimPrefix(base, mod)
	}
	r, size := utf8.DecodeRuneInString(base)
	letter := size == len(base) && size > 0 && unicode.IsGraphic(r) && r != utf8.RuneError && !unicode.IsSpace(r) && !unicode.Is(unicode.M, r)
	switch {
	case Fixed(k):
		return "is fixed: keys without a letter, and digits, are the same for all"
	case sameKey[k] != "":
		return "is " + sameKey[k] + " to a terminal"
	case slices.Contains(keyNames, k):
		return ""
	case !letter && !slices.Contains(keyNames, base):
		return "is no key; write a letter, or as in ctrl+e, alt+x, f5, insert"
	case strings.Contains(k, "shift+") && letter:
		return "is written as the letter that comes of it, such as " + strings.ToUpper(base)
	case strings.HasPrefix(k, "ctrl+") && letter && (unicode.IsUpper(r) || r > unicode.MaxASCII):
		return "is no key of a terminal; write it small, as in ctrl+e"
	}
	return ""
}

// clash finds a choice that stands against another key, and says which.
func (m Keymap) clash(all [Screens][]ownKey) (name string, err error) {
	for s := range Screens {
		taken := map[string]ownKey{} // what keys are for that nobody chose
		for _, k := range all[s] {
			if m.Chosen[k.action] == nil {
				taken[k.key] = k
			}
		}
		chosen := map[string]string{}
		for _, k := range all[s] {
			for _, c := range m.Chosen[k.action] {
				other, ok := taken[c]
				switch {
				case !k.first:
				case ok && other.action == "":
					return k.action, fmt.Errorf("keys.%s: %q is for “%s”, which is fixed", k.action, c, other.desc)
				case ok:
					return k.action, fmt.Errorf("keys.%s: %q is %s in %s; give that another key too", k.action, c, other.action, s)
				case chosen[c] != "" && chosen[c] != k.action:
					later, first := max(chosen[c], k.action), min(chosen[c], k.action)
					return later, fmt.Errorf("keys.%s: %q is given to %s too", later, c, first)
				}
				chosen[c] = k.action
			}
		}
	}
	return "", nil
}

// Fixed are the keys that are no letters, and those with a number: they always do what
// they do, so that nobody is locked out and no key that is pressed in passing decides.
func Fixed(k string) bool {
	switch k {
	case "esc", "enter", "space", "tab", "shift+tab", "up", "down", "left", "right", "home", "end", "pgup", "pgdown", "ctrl+c", "ctrl+z", "f1":
		return true
	}
	k = strings.TrimPrefix(k, "alt+")
	return len(k) == 1 && k[0] >= '0' && k[0] <= '9'
}

// KeysHelp lists the actions that [keys] may give other keys.
//
//go:embed actions.txt
var KeysHelp string

// Press is the key of a pane that a pressed key stands for, "" when it does nothing any
// more. chosen says that the person gave it to an action.
func (m Keymap) Press(s Screen, k string) (own string, chosen bool) {
	own, ok := m.Own[s][k]
	if !ok {
		return k, false
	}
	return own, own != ""
}

// keeps reports whether a key of a screen still does what it does by itself.
func (m Keymap) keeps(s Screen, k string) bool {
	own, ok := m.Own[s][k]
	return !ok || own == k
}

// Of is the key that the person presses for an own key of a screen.
func (m Keymap) Of(s Screen, own string) string {
	return m.Shown(s, kit.Hint{Keys: []string{own}, Key: own}).Key
}

// Shown gives a hint the keys that the person has for it.
func (m Keymap) Shown(s Screen, h kit.Hint) kit.Hint {
	var parts []string
	last := ""
	for _, k := range h.Keys {
		if name := m.action[s][k]; m.Chosen[name] != nil && name != last {
			last = name
			parts = append(parts, ShownKeys(m.Chosen[name])...)
		}
		if own := ShownKeys([]string{k}); m.keeps(s, k) && slices.Contains(strings.Fields(h.Key), own[0]) {
			parts = append(parts, own[0])
		}
	}
	if last != "" {
		h.Key = strings.Join(parts, " ")
	}
	return h
}

// ShownKeys are keys as the help writes them.
func ShownKeys(keys []string) []string {
	signs := map[string]string{"up": "↑", "down": "↓", "left": "←", "right": "→", "pgdown": "pgdn"}
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = cmp.Or(signs[k], k)
	}
	return out
}

// Deciding is the key of a dialog that a pressed key stands for, where lessons are
// decided on as in Review. All other keys of dialogs are fixed.
func (m Keymap) Deciding(k string) string {
	own, chosen := m.Press(OnReview, k)
	for _, d := range []string{"a", "x", "i"} {
		if chosen && own == d || !chosen && own == "" && k == d {
			return own
		}
	}
	return k
}
