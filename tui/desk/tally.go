package desk

import (
	"fmt"
	"strings"

	"learnings/lessons"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// A Tally counts decisions since the program started. Undoing an earlier decision counts
// as undone.
type Tally map[lessons.Op]int

// opUndone is the key of the count of undone decisions.
const opUndone lessons.Op = "undone"

// tallied lists what is counted, with its sign and name. Counts without a sign are shown
// only at the end.
var tallied = []struct {
	op         lessons.Op
	sign, name string
}{
	{lessons.OpApprove, look.Approved, "approved"}, {lessons.OpReject, look.Rejected, "rejected"}, {lessons.OpMerge, look.Merged, "merged away"},
	{lessons.OpResolve, "", "settled"}, {lessons.OpEdit, look.Edited, "edited"}, {lessons.OpSnooze, look.Asleep, "snoozed"}, {opUndone, "", "undone"},
}

// plus returns the tally with n added to the count of op.
func (t Tally) plus(op lessons.Op, n int) Tally {
	next := kit.Own(t)
	next[op] += n
	return next
}

// countsFor returns how many lessons a decision on n lessons counts for.
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
		return t // only the reason changed
	}
	return t.plus(m.Action.Op, countsFor(m.Action.Op, len(m.Before)))
}

// Turned counts an undo or redo.
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

// Signs returns the counts, each with its sign.
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

// Summary returns one line of counts; "" for none.
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
