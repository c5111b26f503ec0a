package desk

import (
	"cmp"
	_ "embed" // the list of actions
	"learnings/tui/kit"
	"slices"
	"strings"
)

// An KeyAction is what a person may give other keys, by its name in [keys] of the settings.
// A name does not change when a key or a text of the help does.
type KeyAction struct {
	Name string
	on   []Screen // where; none is everywhere
	Key  string   // the first that it has by itself
}

var (
	inReview   = []Screen{OnReview}
	inBrowse   = []Screen{OnBrowse}
	inLists    = []Screen{OnReview, OnBrowse}
	inSessions = []Screen{OnSessions}
	inInsights = []Screen{OnInsights}
	inNext     = []Screen{OnNext}
)

// KeyActions are all of them, as the pages list them. A key of a bind that no row has
// belongs to the one before it; a bind without any is fixed, such as digits.
var KeyActions = []KeyAction{
	{"approve", inLists, "a"}, {"reject", inLists, "x"}, {"reject-why", inReview, "r"}, {"snooze", inReview, "s"}, {"repeat", inReview, "."},
	{"edit", inLists, "e"}, {"edit-line", inLists, "i"}, {"merge", inLists, "m"}, {"take-wording", inReview, "b"}, {"ask-wording", inReview, "B"},
	{"surer", inLists, "+"}, {"less-sure", inLists, "-"}, {"compute", inLists, "="}, {"category", inLists, "K"}, {"project", inLists, "P"},
	{"tags", inLists, "t"}, {"field", inLists, ","}, {"archive", inLists, "z"}, {"reopen", inBrowse, "b"}, {"pin", inBrowse, "p"}, {"guard", inBrowse, "!"},

	{"mark", inLists, "space"}, {"mark", inSessions, "space"}, {"mark-range", inReview, "v"}, {"of-session", inReview, "V"}, {"mark-all", inLists, "*"}, {"mark-all", inSessions, "*"},
	{"clear", inLists, "esc"}, {"clear", inSessions, "esc"}, {"clear", inNext, "esc"},

	{"filter", inLists, "/"}, {"filter", inSessions, "/"}, {"order", inLists, ">"}, {"order", inSessions, ">"}, {"order-back", inLists, "<"}, {"order-back", inSessions, "<"},
	{"next-hit", inReview, "n"}, {"previous-hit", inReview, "N"}, {"evidence", inLists, "enter"}, {"lane-maybe", inReview, "f"}, {"lane-quarantined", inReview, "!"}, {"next-lane", inReview, "l"}, {"previous-lane", inReview, "h"}, {"diff", inReview, "d"}, {"around", inReview, "w"},
	{"settle", inLists, "c"}, {"duplicates", inLists, "T"}, {"contradictions", inLists, "C"}, {"history", inLists, "H"}, {"copy", inLists, "y"}, {"copy-handle", inLists, "Y"},
	{"scroll-down", inLists, "J"}, {"scroll-up", inLists, "pgup"}, {"to-facets", inBrowse, "h"}, {"to-lessons", inBrowse, "l"},
	{"status", inBrowse, "f"}, {"views", inBrowse, "'"}, {"write", inBrowse, "w"}, {"page", inBrowse, "W"},

	{"down", inLists, "j"}, {"down", inSessions, "j"}, {"next-row", inInsights, "j"}, {"down", inNext, "j"}, {"up", inLists, "k"}, {"up", inSessions, "k"}, {"previous-row", inInsights, "k"}, {"up", inNext, "k"},
	{"first", inLists, "g"}, {"first", inSessions, "g"}, {"first", inInsights, "g"}, {"first", inNext, "g"}, {"last", inLists, "G"}, {"last", inSessions, "G"}, {"last", inInsights, "G"}, {"last", inNext, "G"},
	{"half-down", inLists, "ctrl+d"}, {"half-down", inSessions, "ctrl+d"}, {"half-down", inInsights, "ctrl+d"}, {"half-down", inNext, "ctrl+d"},
	{"half-up", inLists, "ctrl+u"}, {"half-up", inSessions, "ctrl+u"}, {"half-up", inInsights, "ctrl+u"}, {"half-up", inNext, "ctrl+u"},

	{"extract", inSessions, "x"}, {"read", inSessions, "enter"}, {"its-lessons", inSessions, "l"}, {"failed", inSessions, "e"},
	{"find-sessions", inSessions, "r"}, {"only-new", inSessions, "f"},

	{"open", inInsights, "enter"}, {"next-picture", inInsights, "n"}, {"previous-picture", inInsights, "N"}, {"of-project", inInsights, "p"}, {"count", inInsights, "r"},

	{"task", inNext, "/"}, {"agent", inNext, "a"}, {"of-project", inNext, "w"}, {"of-role", inNext, "r"}, {"of-file", inNext, "f"}, {"as-sent", inNext, "v"},
	{"copy", inNext, "y"}, {"copy-handle", inNext, "Y"}, {"scroll-down", inNext, "J"}, {"scroll-up", inNext, "K"}, {"open", inNext, "enter"}, {"pin", inNext, "p"},
	{"unpin", inNext, "P"}, {"read", inNext, "o"},

	{"next-screen", nil, "tab"}, {"previous-screen", nil, "["}, {"undo", nil, "u"}, {"redo", nil, "ctrl+r"}, {"extract-new", nil, "X"}, {"ask-model", nil, "A"},
	{"import", nil, "I"}, {"export", nil, "E"}, {"outside", nil, "O"}, {"look-again", nil, "R"}, {"palette", nil, ":"}, {"log", nil, "@"}, {"mouse", nil, "M"},
	{"sample", nil, "S"}, {"help", nil, "?"}, {"quit", nil, "q"},
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

// ActionOf is the action whose first key on a screen, or everywhere for screens, is k.
func ActionOf(s Screen, k string) *KeyAction {
	for i, x := range KeyActions {
		if x.Key != k {
			continue
		}
		if s == Screens && x.on == nil {
			return &KeyActions[i]
		}
		for _, on := range x.on {
			if on == s {
				return &KeyActions[i]
			}
		}
	}
	return nil
}

// A Keymap has the keys that a person chose. The panes know their own keys only: what is
// pressed is turned into these, and what is shown out of them. The zero keymap changes
// nothing.
type Keymap struct {
	Chosen map[string][]string        // keys by the name of the action
	Own    [Screens]map[string]string // the own key for a chosen one; "" for an own key that was given away
}

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
	changed := false
	for _, k := range h.Keys {
		x := cmp.Or(ActionOf(s, k), ActionOf(Screens, k))
		if x != nil && m.Chosen[x.Name] != nil {
			changed = true
			parts = append(parts, ShownKeys(m.Chosen[x.Name])...)
		}
		if own := ShownKeys([]string{k}); m.keeps(s, k) && slices.Contains(strings.Fields(h.Key), own[0]) {
			parts = append(parts, own[0])
		}
		if x != nil {
			h.Name = strings.TrimLeft(h.Name+" "+x.Name, " ")
		}
	}
	if changed {
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
