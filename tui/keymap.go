package tui

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"learnings/tui/look"
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
	chosen map[string][]string // keys by the name of the action
	own    [screens]map[string]string
	gone   [screens]map[string]bool // own keys that do nothing any more
}

// bound are the keys of one bind.
type bound struct {
	keys []string
	desc string
}

// boundOn are the keys of a screen without those that hold everywhere, which are those of
// screens.
func boundOn(s screen) []bound {
	switch s {
	case onReview:
		return reviewKeys().bound()
	case onBrowse:
		return browseKeys().bound()
	case onSessions:
		return sessionKeys().bound()
	case onInsights:
		return insightKeys().bound()
	case onNext:
		return nextKeys().bound()
	}
	return appKeys().bound()
}

func (t binds[P]) bound() []bound {
	all := make([]bound, 0, len(t))
	for _, b := range t {
		all = append(all, bound{b.Keys(), keymap{}.spelt(b.Help().Desc)})
	}
	return all
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
			for _, k := range b.keys {
				now = cmp.Or(actionOf(of, k), now)
				all = append(all, namedKey{k, now, b.desc})
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
		m.own[s], m.gone[s] = map[string]string{}, map[string]bool{}
		for _, k := range all[s] {
			if k.action == nil || m.chosen[k.action.name] == nil {
				continue
			}
			if !fixed(k.key) {
				m.gone[s][k.key] = true
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

// nearestAction is the name that was probably meant.
func nearestAction(typed string) string {
	best, most := "", -1
	for _, x := range actions {
		n := 0
		for i := range min(len(typed), len(x.name)) { // what they have in common from the front, and letters
			if typed[i] != x.name[i] {
				break
			}
			n += 2
		}
		for _, r := range typed {
			if strings.ContainsRune(x.name, r) {
				n++
			}
		}
		if n -= max(len(x.name)-len(typed), len(typed)-len(x.name)); n > most {
			best, most = x.name, n
		}
	}
	return best
}

// press is the key of a pane that a pressed key stands for, "" when it does nothing any
// more. chosen says that the person gave it to an action.
func (m keymap) press(s screen, k string) (own string, chosen bool) {
	if own, ok := m.own[s][k]; ok {
		return own, true
	}
	if m.gone[s][k] {
		return "", false
	}
	return k, false
}

// of is a key of a screen as it is shown to the person.
func (m keymap) of(s screen, own string) string {
	if !m.gone[s][own] {
		return shownKeys([]string{own})[0]
	}
	for _, of := range []screen{s, screens} {
		if x := actionOf(of, own); x != nil && m.chosen[x.name] != nil {
			return shownKeys(m.chosen[x.name])[0]
		}
	}
	return own
}

// spelt is a text with the keys that the person has in place of those that it names, each as
// an action with its own key, such as ‹undo u›. Texts name no key of an action otherwise:
// people may give it another. What a lesson has between such marks names no action and
// stays.
func (m keymap) spelt(text string) string {
	if !strings.Contains(text, "‹") {
		return text
	}
	return keyName.ReplaceAllStringFunc(text, func(s string) string {
		x := keyName.FindStringSubmatch(s)
		if !slices.ContainsFunc(actions, func(a action) bool { return a.name == x[1] }) {
			return s
		}
		if c := m.chosen[x[1]]; len(c) > 0 {
			return shownKeys(c)[0]
		}
		return x[2]
	})
}

// keyName is a key in a text.
var keyName = regexp.MustCompile(`‹([a-z-]+) (\S+?)›`)

// spelt is a text with the keys that the person has in it, as a style has them.
func spelt(text string, st *look.Style) string {
	if st.Keys == nil {
		return keymap{}.spelt(text)
	}
	return st.Keys(text)
}

// styleOf is the look of the theme, which spells the keys of the person.
func styleOf(fx effects, dark bool) *look.Style {
	st := look.New(fx.Theme, dark)
	st.Keys = fx.keys.spelt
	return st
}

// measured is a look for texts that are measured, and not shown.
func measured(fx effects) *look.Style {
	st := *unseenStyle
	st.Keys = fx.keys.spelt
	return &st
}

// shown gives a hint the keys that the person has for it.
func (m keymap) shown(s screen, h hint) hint {
	var parts []string
	changed := false
	h.desc, h.about, h.off = m.spelt(h.desc), m.spelt(h.about), m.spelt(h.off)
	for _, k := range h.keys {
		x := cmp.Or(actionOf(s, k), actionOf(screens, k))
		if x != nil && m.chosen[x.name] != nil {
			changed = true
			parts = append(parts, shownKeys(m.chosen[x.name])...)
		}
		if own := shownKeys([]string{k}); !m.gone[s][k] && slices.Contains(strings.Fields(h.key), own[0]) {
			parts = append(parts, own[0])
		}
		if x != nil {
			h.name = strings.TrimLeft(h.name+" "+x.name, " ")
		}
	}
	if changed {
		h.key = strings.Join(parts, " ")
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
func misfits(c Config) out {
	errs := CheckKeys(c.Keys)
	switch len(errs) {
	case 0:
		return out{}
	case 1:
		return warn("%v; its own key holds", errs[0])
	}
	return warn("%v; and %d more: their own keys hold, `learnings config` names all", errs[0], len(errs)-1)
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
