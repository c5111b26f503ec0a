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

// A Keymap has the person's keys. Panes know only their own keys: the keymap translates
// pressed keys into these and shown keys back. The zero Keymap changes nothing.
type Keymap struct {
	Chosen map[string][]string        // keys by action
	Own    [Screens]map[string]string // own key by chosen key; "" for an own key that another action uses
	action [Screens]map[string]string // by own key
}

// An ownKey is a key of a pane with its action, "" if it is fixed. first means it is the
// action's first key.
type ownKey struct {
	key, action, desc string
	first             bool
}

// ownOn returns all keys that work on a screen. bound returns the keys of one screen;
// those of [Screens] work everywhere.
func ownOn(s Screen, bound func(Screen) []kit.Key) (all []ownKey) {
	for _, b := range append(bound(s), bound(Screens)...) {
		for i, k := range b.Keys {
			all = append(all, ownKey{k, b.Action(i), b.Desc, i < len(b.Actions)})
		}
	}
	return all
}

// NewKeymap applies the valid choices and returns an error for each of the others.
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
	for name, err := m.clash(all); err != nil; name, err = m.clash(all) { // removing one may reveal another clash
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

// checkChoice validates a choice by itself.
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

// keyNames are the keys with names that can be chosen.
var keyNames = []string{"insert", "delete", "backspace", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12"}

// sameKey maps keys to the ones that terminals cannot tell from them.
var sameKey = map[string]string{"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+[": "esc", "ctrl+h": "backspace", "ctrl+j": "enter"}

// noKey says why a key cannot be chosen, "" if it can.
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

// clash returns a choice whose key is already in use, and an error that says by what.
func (m Keymap) clash(all [Screens][]ownKey) (name string, err error) {
	for s := range Screens {
		taken := map[string]ownKey{} // the keys that still have their default action
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

// Fixed reports whether a key cannot be reassigned: digits, enter, arrows and the like.
// So nobody is locked out, and no key pressed in passing decides.
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

// Press returns the pane's key for a pressed key, "" if it no longer does anything.
// chosen means the person assigned it.
func (m Keymap) Press(s Screen, k string) (own string, chosen bool) {
	own, ok := m.Own[s][k]
	if !ok {
		return k, false
	}
	return own, own != ""
}

// keeps reports whether a key of a screen still has its default action.
func (m Keymap) keeps(s Screen, k string) bool {
	own, ok := m.Own[s][k]
	return !ok || own == k
}

// Of returns the key to press for a pane's own key.
func (m Keymap) Of(s Screen, own string) string {
	return m.Shown(s, kit.Hint{Keys: []string{own}, Key: own}).Key
}

// Shown replaces the keys of a hint by the person's.
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

// ShownKeys formats keys for the help.
func ShownKeys(keys []string) []string {
	signs := map[string]string{"up": "↑", "down": "↓", "left": "←", "right": "→", "pgdown": "pgdn"}
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = cmp.Or(signs[k], k)
	}
	return out
}

// Deciding translates a pressed key for dialogs that decide on lessons as Review does.
// All other keys of dialogs are fixed.
func (m Keymap) Deciding(k string) string {
	own, chosen := m.Press(OnReview, k)
	for _, d := range []string{"a", "x", "i"} {
		if chosen && own == d || !chosen && own == "" && k == d {
			return own
		}
	}
	return k
}
