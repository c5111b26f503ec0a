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

	"learnings/tui/kit"
)

// A KeyChoice is what a person wrote for an action in [keys], and where.
type KeyChoice = struct {
	Keys  []string
	Place string
}

// A keymap has the keys that a person chose. The panes know their own keys only: what is
// pressed is turned into these, and what is shown out of them. The zero keymap changes
// nothing.
type keymap struct {
	chosen map[string][]string        // keys by the name of the action
	own    [screens]map[string]string // the own key for a chosen one; "" for an own key that was given away
}

// boundOn are the keys of a screen without those that hold everywhere, which are those of
// screens.
func boundOn(s screen) []key.Binding {
	switch s {
	case onReview:
		return reviewKeys().Bound()
	case onBrowse:
		return browseKeys().Bound()
	case onSessions:
		return sessionKeys().Bound()
	case onInsights:
		return insightKeys().Bound()
	case onNext:
		return nextKeys().Bound()
	}
	return appKeys().Bound()
}

// A named key is one that a pane has, and the action that it is for; nil where it is
// fixed.
type namedKey struct {
	key    string
	action *action
	desc   string
}

// namedOn are all keys that do something on a screen.
func namedOn(s screen) []namedKey {
	var all []namedKey
	for _, of := range []screen{s, screens} {
		for _, b := range boundOn(of) {
			var now *action
			for _, k := range b.Keys() {
				now = cmp.Or(actionOf(of, k), now)
				all = append(all, namedKey{k, now, b.Help().Desc})
			}
		}
	}
	return all
}

// newKeymap takes what a person chose, without what cannot be, and says what that is.
func newKeymap(choices map[string]KeyChoice) (keymap, []error) {
	if len(choices) == 0 {
		return keymap{}, nil
	}
	m := keymap{chosen: map[string][]string{}}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(choices)) {
		c := choices[name]
		if err := checkChoice(name, c); err != nil {
			errs = append(errs, placed(c, err))
			continue
		}
		m.chosen[name] = c.Keys
	}
	var all [screens][]namedKey
	for s := range screens {
		all[s] = namedOn(s)
	}
	for { // what is taken out may be missed by another
		name, err := m.clash(all)
		if err == nil {
			break
		}
		errs = append(errs, placed(choices[name], err))
		delete(m.chosen, name)
	}
	for s := range screens {
		m.own[s] = map[string]string{}
		for _, k := range all[s] {
			if k.action != nil && m.chosen[k.action.name] != nil && !fixed(k.key) {
				m.own[s][k.key] = ""
			}
		}
		for _, k := range all[s] {
			if k.action != nil && k.key == k.action.key {
				for _, c := range m.chosen[k.action.name] {
					m.own[s][c] = k.key
				}
			}
		}
	}
	return m, errs
}

// placed is an error with its place.
func placed(c KeyChoice, err error) error {
	if c.Place == "" {
		return err
	}
	return fmt.Errorf("%s: %w", c.Place, err)
}

// checkChoice finds what is wrong with a choice by itself.
func checkChoice(name string, c KeyChoice) error {
	if !slices.ContainsFunc(actions, func(x action) bool { return x.name == name }) {
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
	case fixed(k):
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
func (m keymap) clash(all [screens][]namedKey) (name string, err error) {
	for s := range screens {
		taken := map[string]namedKey{} // what keys are for that nobody chose
		for _, k := range all[s] {
			if k.action == nil || m.chosen[k.action.name] == nil {
				taken[k.key] = k
			}
		}
		chosen := map[string]string{}
		for _, k := range all[s] {
			if k.action == nil || k.key != k.action.key {
				continue
			}
			for _, c := range m.chosen[k.action.name] {
				if other, ok := taken[c]; ok {
					if other.action == nil {
						return k.action.name, fmt.Errorf("keys.%s: %q is for “%s”, which is fixed", k.action.name, c, other.desc)
					}
					return k.action.name, fmt.Errorf("keys.%s: %q is %s in %s; give that another key too", k.action.name, c, other.action.name, slots[s].name)
				}
				if other, ok := chosen[c]; ok && other != k.action.name {
					later, first := max(other, k.action.name), min(other, k.action.name)
					return later, fmt.Errorf("keys.%s: %q is given to %s too", later, c, first)
				}
				chosen[c] = k.action.name
			}
		}
	}
	return "", nil
}

// nearestAction is the name that was probably meant: it begins most alike.
func nearestAction(typed string) string {
	best, most := "", -1
	for _, x := range actions {
		n := 0
		for n < min(len(typed), len(x.name)) && typed[n] == x.name[n] {
			n++
		}
		if n = 2*n - max(len(x.name)-len(typed), len(typed)-len(x.name)); n > most || best == "" {
			best, most = x.name, n
		}
	}
	return best
}

// press is the key of a pane that a pressed key stands for, "" when it does nothing any
// more. chosen says that the person gave it to an action.
func (m keymap) press(s screen, k string) (own string, chosen bool) {
	own, ok := m.own[s][k]
	if !ok {
		return k, false
	}
	return own, own != ""
}

// keeps reports whether a key of a screen still does what it does by itself.
func (m keymap) keeps(s screen, k string) bool {
	own, ok := m.own[s][k]
	return !ok || own == k
}

// of is the key that the person presses for an own key of a screen.
func (m keymap) of(s screen, own string) string {
	return m.shown(s, kit.Hint{Keys: []string{own}, Key: own}).Key
}

// shown gives a hint the keys that the person has for it.
func (m keymap) shown(s screen, h kit.Hint) kit.Hint {
	var parts []string
	changed := false
	for _, k := range h.Keys {
		x := cmp.Or(actionOf(s, k), actionOf(screens, k))
		if x != nil && m.chosen[x.name] != nil {
			changed = true
			parts = append(parts, shownKeys(m.chosen[x.name])...)
		}
		if own := shownKeys([]string{k}); m.keeps(s, k) && slices.Contains(strings.Fields(h.Key), own[0]) {
			parts = append(parts, own[0])
		}
		if x != nil {
			h.Name = strings.TrimLeft(h.Name+" "+x.name, " ")
		}
	}
	if changed {
		h.Key = strings.Join(parts, " ")
	}
	return h
}

// shownKeys are keys as the help writes them.
func shownKeys(keys []string) []string {
	signs := map[string]string{"up": "↑", "down": "↓", "left": "←", "right": "→", "pgdown": "pgdn"}
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = cmp.Or(signs[k], k)
	}
	return out
}

// CheckKeys says what is wrong with the keys that a person chose. What is right holds all
// the same.
func CheckKeys(choices map[string]KeyChoice) []error {
	_, errs := newKeymap(choices)
	return errs
}

// misfits tells of the keys that could not be as the person wrote them.
func misfits(c Config) kit.Out {
	errs := CheckKeys(c.Keys)
	switch len(errs) {
	case 0:
		return kit.Out{}
	case 1:
		return kit.Warn("%v; its own key holds", errs[0])
	}
	return kit.Warn("%v; and %d more: their own keys hold, `learnings config` names all", errs[0], len(errs)-1)
}

// deciding is the key of a dialog that a pressed key stands for, where lessons are
// decided on as in Review. All other keys of dialogs are fixed.
func (m keymap) deciding(k string) string {
	own, chosen := m.press(onReview, k)
	for _, d := range []string{"a", "x", "i"} {
		if chosen && own == d || !chosen && own == "" && k == d {
			return own
		}
	}
	return k
}
