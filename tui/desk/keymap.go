package desk

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
)

// A namedKey is one that a pane has, and the action that it is for; nil where it is
// fixed.
type namedKey struct {
	key    string
	action *KeyAction
	desc   string
}

// namedOn are all keys that do something on a screen. bound are the keys of a screen
// without those that hold everywhere, which are those of [Screens].
func namedOn(s Screen, bound func(Screen) []key.Binding) []namedKey {
	var all []namedKey
	for _, of := range []Screen{s, Screens} {
		for _, b := range bound(of) {
			var now *KeyAction
			for _, k := range b.Keys() {
				now = cmp.Or(ActionOf(of, k), now)
				all = append(all, namedKey{k, now, b.Help().Desc})
			}
		}
	}
	return all
}

// NewKeymap takes what a person chose, without what cannot be, and says what that is.
func NewKeymap(choices map[string]KeyChoice, bound func(Screen) []key.Binding) (Keymap, []error) {
	m := Keymap{Chosen: map[string][]string{}}
	var errs []error
	reject := func(name string, err error) {
		if place := choices[name].Place; place != "" {
			err = fmt.Errorf("%s: %w", place, err)
		}
		errs = append(errs, err)
		delete(m.Chosen, name)
	}
	for _, name := range slices.Sorted(maps.Keys(choices)) {
		m.Chosen[name] = choices[name].Keys
		if err := checkChoice(name, choices[name]); err != nil {
			reject(name, err)
		}
	}
	if len(m.Chosen) == 0 {
		return Keymap{}, errs
	}
	var all [Screens][]namedKey
	for s := range Screens {
		all[s] = namedOn(s, bound)
	}
	for name, err := m.clash(all); err != nil; name, err = m.clash(all) { // what is taken out may be missed by another
		reject(name, err)
	}
	for s := range Screens {
		m.Own[s] = map[string]string{}
		for _, k := range all[s] {
			if k.action != nil && m.Chosen[k.action.Name] != nil && !Fixed(k.key) {
				m.Own[s][k.key] = ""
			}
		}
		for _, k := range all[s] {
			if k.action != nil && k.key == k.action.Key {
				for _, c := range m.Chosen[k.action.Name] {
					m.Own[s][c] = k.key
				}
			}
		}
	}
	return m, errs
}

// checkChoice finds what is wrong with a choice by itself.
func checkChoice(name string, c KeyChoice) error {
	if !slices.ContainsFunc(KeyActions, func(x KeyAction) bool { return x.Name == name }) {
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
func (m Keymap) clash(all [Screens][]namedKey) (name string, err error) {
	for s := range Screens {
		taken := map[string]namedKey{} // what keys are for that nobody chose
		for _, k := range all[s] {
			if k.action == nil || m.Chosen[k.action.Name] == nil {
				taken[k.key] = k
			}
		}
		chosen := map[string]string{}
		for _, k := range all[s] {
			if k.action == nil || k.key != k.action.Key {
				continue
			}
			for _, c := range m.Chosen[k.action.Name] {
				if other, ok := taken[c]; ok {
					if other.action == nil {
						return k.action.Name, fmt.Errorf("keys.%s: %q is for “%s”, which is fixed", k.action.Name, c, other.desc)
					}
					return k.action.Name, fmt.Errorf("keys.%s: %q is %s in %s; give that another key too", k.action.Name, c, other.action.Name, s)
				}
				if other, ok := chosen[c]; ok && other != k.action.Name {
					later, first := max(other, k.action.Name), min(other, k.action.Name)
					return later, fmt.Errorf("keys.%s: %q is given to %s too", later, c, first)
				}
				chosen[c] = k.action.Name
			}
		}
	}
	return "", nil
}
