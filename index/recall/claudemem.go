package recall

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"learnings/lessons"
)

// claudeMemForms is the list that claude-mem gives to a session: by day, the oldest
// first, each with its id, time and the sign of its type.
var claudeMemForms = []Form{
	{"claude-mem", "a list by day, with a sign for each type", func(ls []lessons.Lesson) string {
		if len(ls) == 0 {
			return "No previous sessions found.\n"
		}
		ls = slices.Clone(ls)
		slices.SortStableFunc(ls, func(a, b lessons.Lesson) int { return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID)) })
		var b strings.Builder
		b.WriteString("Legend: ●bugfix ◆feature ↻refactor ✓change ○discovery ⚖decision ⚠security_alert ⚷security_note ⊘sensitive\nFormat: ID TIME TYPE TITLE\n\n")
		day := ""
		for _, l := range ls {
			at := l.Created.UTC()
			if d := at.Format("Jan 2, 2006"); d != day {
				day = d
				fmt.Fprintf(&b, "### %s\n", day)
			}
			fmt.Fprintf(&b, "%s %s %s %s\n", l.ID, strings.TrimSuffix(at.Format("3:04pm"), "m"), sign(l.Category), harmless(lessons.Line(l.Content)))
		}
		return b.String()
	}},
}

// signs of types; another category has the sign of what is on its shelf.
var signs = map[lessons.Category]string{
	"bugfix": "●", "feature": "◆", "refactor": "↻", "change": "✓", "discovery": "○", "decision": "⚖",
	"security_alert": "⚠", "security_note": "⚷", "sensitive": "⊘",
}

func sign(c lessons.Category) string {
	if s, ok := signs[c]; ok {
		return s
	}
	switch c.Shelf() {
	case lessons.Errors, lessons.Corrections:
		return signs["bugfix"]
	case lessons.Preferences, lessons.Architecture:
		return signs["decision"]
	}
	return signs["discovery"]
}
