package tui

import (
	_ "embed" // the list of actions
	"strings"
)

// An action is what a person may give other keys, by its name in [keys] of the settings.
// A name does not change when a key or a text of the help does.
type action struct {
	name string
	on   []screen // where; none is everywhere
	key  string   // the first that it has by itself
}

var (
	inReview   = []screen{onReview}
	inBrowse   = []screen{onBrowse}
	inLists    = []screen{onReview, onBrowse}
	inSessions = []screen{onSessions}
	inInsights = []screen{onInsights}
	inNext     = []screen{onNext}
)

// actions are all of them, as the pages list them. A key of a bind that no row has
// belongs to the one before it; a bind without any is fixed, such as digits.
var actions = []action{
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

	{"extract", inSessions, "x"}, {"read", inSessions, "enter"}, {"its-lessons", inSessions, "l"}, {"hold", inSessions, "p"}, {"failed", inSessions, "e"},
	{"find-sessions", inSessions, "r"}, {"only-new", inSessions, "f"},

	{"open", inInsights, "enter"}, {"next-picture", inInsights, "n"}, {"previous-picture", inInsights, "N"}, {"of-project", inInsights, "p"}, {"count", inInsights, "r"},

	{"task", inNext, "/"}, {"agent", inNext, "a"}, {"of-project", inNext, "w"}, {"of-role", inNext, "r"}, {"of-file", inNext, "f"}, {"as-sent", inNext, "v"},
	{"copy", inNext, "y"}, {"copy-handle", inNext, "Y"}, {"scroll-down", inNext, "J"}, {"scroll-up", inNext, "K"}, {"open", inNext, "enter"}, {"pin", inNext, "p"},
	{"unpin", inNext, "P"}, {"read", inNext, "o"},

	{"next-screen", nil, "tab"}, {"previous-screen", nil, "["}, {"undo", nil, "u"}, {"redo", nil, "ctrl+r"}, {"extract-new", nil, "X"}, {"ask-model", nil, "A"},
	{"import", nil, "I"}, {"export", nil, "E"}, {"outside", nil, "O"}, {"look-again", nil, "R"}, {"palette", nil, ":"}, {"log", nil, "@"}, {"mouse", nil, "M"},
	{"sample", nil, "S"}, {"help", nil, "?"}, {"quit", nil, "q"},
}

// fixed are the keys that are no letters, and those with a number: they always do what
// they do, so that nobody is locked out and no key that is pressed in passing decides.
func fixed(k string) bool {
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

// actionOf is the action whose first key on a screen, or everywhere for screens, is k.
func actionOf(s screen, k string) *action {
	for i, x := range actions {
		if x.key != k {
			continue
		}
		if s == screens && x.on == nil {
			return &actions[i]
		}
		for _, on := range x.on {
			if on == s {
				return &actions[i]
			}
		}
	}
	return nil
}
