package desk

import (
	"fmt"
	"strings"

	"learnings/lessons"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// A Tally counts what was done since the program started. It counts as undone what was
// decided before that and taken back.
type Tally map[lessons.Op]int

// opUndone is what a tally has for what was undone.
const opUndone lessons.Op = "undone"

// tallied are what a tally counts, with the sign and the word for it. Without a sign it is
// told at the end only.
var tallied = []struct {
	op         lessons.Op
	sign, name string
}{
	{lessons.OpApprove, look.Approved, "approved"}, {lessons.OpReject, look.Rejected, "rejected"}, {lessons.OpMerge, look.Merged, "merged away"},
	{lessons.OpResolve, "", "settled"}, {lessons.OpEdit, look.Edited, "edited"}, {lessons.OpSnooze, look.Asleep, "snoozed"}, {opUndone, "", "undone"},
}

// plus is the tally with some more, or less, of what is counted.
func (t Tally) plus(op lessons.Op, n int) Tally {
	next := kit.Own(t)
	next[op] += n
	return next
}

// countsFor is how many lessons a decision counts for.
func countsFor(op lessons.Op, n int) int {
	switch op {
	case lessons.OpMerge:
		return n - 1
	case lessons.OpResolve:
		return 1
	}
	return n
}

// With counts a decision.
func (t Tally) With(m DecidedMsg) Tally {
	if m.Action.Op == lessons.OpReject && len(m.Before) == 1 && m.Before[0].Status == lessons.Rejected {
		return t // it has another reason now
	}
	return t.plus(m.Action.Op, countsFor(m.Action.Op, len(m.Before)))
}

// Turned counts what was taken back, or done again.
func (t Tally) Turned(m UndoneMsg) Tally {
	n := countsFor(m.Of, len(m.Changes))
	switch redo := m.Op == "redo"; {
	case redo && t[opUndone] > 0:
		return t.plus(opUndone, -1)
	case redo:
		return t.plus(m.Of, n)
	case t[m.Of] >= n && n > 0:
		return t.plus(m.Of, -n)
	}
	return t.plus(opUndone, 1)
}

// Signs are the counts with a sign each.
func (t Tally) Signs(st *look.Style) string {
	inks := map[lessons.Op]look.Ink{lessons.OpApprove: st.OK, lessons.OpReject: st.Bad, lessons.OpSnooze: st.Dim}
	var parts []string
	for _, d := range tallied {
		if n := t[d.op]; n > 0 && d.sign != "" {
			parts = append(parts, inks[d.op].Render(d.sign+" "+kit.Grouped(n)))
		}
	}
	return strings.Join(parts, "  ")
}

// Summary is one line of what was done; "" for nothing.
func (t Tally) Summary(undo string) string {
	var parts []string
	for _, d := range tallied {
		if n := t[d.op]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, d.name))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return lessons.Line(strings.Join(parts, ", ") + " · `" + undo + "` undoes the last")
}
