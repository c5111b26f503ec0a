package tui

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"

	"learnings/tui/browse"
	"learnings/tui/desk"
	"learnings/tui/insights"
	"learnings/tui/kit"
	"learnings/tui/next"
	"learnings/tui/review"
	"learnings/tui/sessions"
)

// boundOn are the keys of a screen without those that hold everywhere, which are those of
// screens.
func boundOn(s desk.Screen) []key.Binding {
	switch s {
	case desk.OnReview:
		return review.Keys().Bound()
	case desk.OnBrowse:
		return browse.Keys().Bound()
	case desk.OnSessions:
		return sessions.Keys().Bound()
	case desk.OnInsights:
		return insights.Keys().Bound()
	case desk.OnNext:
		return next.Keys().Bound()
	}
	return appKeys().Bound()
}

// A named key is one that a pane has, and the action that it is for; nil where it is
// fixed.
type namedKey struct {
	key    string
	action *desk.KeyAction
	desc   string
}

// namedOn are all keys that do something on a screen.
func namedOn(s desk.Screen) []namedKey {
	var all []namedKey
	for _, of := range []desk.Screen{s, desk.Screens} {
		for _, b := range boundOn(of) {
			var now *desk.KeyAction
			for _, k := range b.Keys() {
				now = cmp.Or(desk.ActionOf(of, k), now)
				all = append(all, namedKey{k, now, b.Help().Desc})
			}
		}
	}
	return all
}

// newKeymap takes what a person chose, without what cannot be, and says what that is.
func newKeymap(choices map[string]desk.KeyChoice) (desk.Keymap, []error) {
	if len(choices) == 0 {
		return desk.Keymap{}, nil
	}
	m := desk.Keymap{Chosen: map[string][]string{}}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(choices)) {
		c := choices[name]
		if err := checkChoice(name, c); err != nil {
			errs = append(errs, placed(c, err))
			continue
		}
		m.Chosen[name] = c.Keys
	}
	var all [desk.Screens][]namedKey
	for s := range desk.Screens {
		all[s] = namedOn(s)
	}
	for { // what is taken out may be missed by another
		name, err := clash(m, all)
		if err == nil {
			break
		}
		errs = append(errs, placed(choices[name], err))
		delete(m.Chosen, name)
	}
	for s := range desk.Screens {
		m.Own[s] = map[string]string{}
		for _, k := range all[s] {
			if k.action != nil && m.Chosen[k.action.Name] != nil && !desk.Fixed(k.key) {
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

// placed is an error with its place.
func placed(c desk.KeyChoice, err error) error {
	if c.Place == "" {
		return err
	}
	return fmt.Errorf("%s: %w", c.Place, err)
}

// checkChoice finds what is wrong with a choice by itself.
func checkChoice(name string, c desk.KeyChoice) error {
	if !slices.ContainsFunc(desk.KeyActions, func(x desk.KeyAction) bool { return x.Name == name }) {
		return fmt.Errorf("keys.%s is no action; did you mean %s?", name, nearestAction(name))
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
	case desk.Fixed(k):
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
func clash(m desk.Keymap, all [desk.Screens][]namedKey) (name string, err error) {
	for s := range desk.Screens {
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
					return k.action.Name, fmt.Errorf("keys.%s: %q is %s in %s; give that another key too", k.action.Name, c, other.action.Name, slots[s].name)
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

// nearestAction is the name that was probably meant: it begins most alike.
func nearestAction(typed string) string {
	best, most := "", -1
	for _, x := range desk.KeyActions {
		n := 0
		for n < min(len(typed), len(x.Name)) && typed[n] == x.Name[n] {
			n++
		}
		if n = 2*n - max(len(x.Name)-len(typed), len(typed)-len(x.Name)); n > most || best == "" {
			best, most = x.Name, n
		}
	}
	return best
}

// CheckKeys says what is wrong with the keys that a person chose. What is right holds all
// the same.
func CheckKeys(choices map[string]desk.KeyChoice) []error {
	_, errs := newKeymap(choices)
	return errs
}

// misfits tells of the keys that could not be as the person wrote them.
func misfits(c desk.Config) kit.Out {
	errs := CheckKeys(c.Keys)
	switch len(errs) {
	case 0:
		return kit.Out{}
	case 1:
		return kit.Warn("%v; its own key holds", errs[0])
	}
	return kit.Warn("%v; and %d more: their own keys hold, `learnings config` names all", errs[0], len(errs)-1)
}
