package review

import (
	"fmt"
	"strings"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// This file draws the empty queue: what was done and what to do next, or the first steps
// on a machine where nothing has been read.

// empties reports whether to show the page of an empty queue: nothing waits, or no likely
// proposal is left after a decision.
func empties(p Review) bool {
	if len(p.Rows) > 0 || p.filter.Query != "" || p.filter.Typing || p.err != nil || p.load.making || !p.load.done {
		return false
	}
	return p.Waiting().All() == 0 || p.decidedOn > 0 && p.Lane == lessons.Likely
}

// Unbegun reports whether nothing has been read or decided yet.
func (p Review) Unbegun() bool {
	return p.decidedOn == 0 && p.Waiting().All() == 0 && !p.stocked && p.Mine.Fresh == p.Mine.All
}

// emptyW is the width of the page of an empty queue.
const emptyW = 66

func emptyPage(p Review, st *look.Style) kit.Column {
	c := kit.Column{W: p.w, H: p.h}
	w := min(emptyW, p.w-4)
	var lines []string
	if p.Unbegun() {
		lines = firstSteps(p, w, st)
	} else {
		lines = allJudged(p, w, st)
	}
	if n := p.h - len(lines); n > 1 {
		lines = append(make([]string, min(n/3, 4)), lines...)
	}
	left := strings.Repeat(" ", max((p.w-w)/2, 2))
	for _, l := range lines {
		c.Lines = append(c.Lines, left+l)
	}
	return c
}

// firstSteps draws what to do on a machine where nothing has been read.
func firstSteps(p Review, w int, st *look.Style) []string {
	lines := []string{st.Strong.Render("Nothing has been read yet."), st.Dim.Render("Two keys and some minutes. Nothing leaves this machine."), ""}
	step := func(sign, what, key string, about ...string) {
		lines = append(lines, kit.Ends(kit.Gutter(sign, 5, st.OK)+st.Strong.Render(what), st.Accent.Render(key)+" ", w))
		for _, a := range about {
			for _, l := range kit.Wrap(a, w-5) {
				lines = append(lines, "     "+st.Dim.Render(l))
			}
		}
		if p.h > 18 {
			lines = append(lines, "")
		}
	}
	switch m := p.Mine; {
	case m.All > 0:
		step(look.Approved, kit.Counted(m.All, "session")+" found", "", lessons.Line(m.Agents))
	case !m.Known:
		step("…", "Sessions are being looked for", "")
	default:
		looked := p.fx.Looked[:min(len(p.fx.Looked), 2)]
		about := "Looked in " + lessons.Line(strings.Join(looked, ", "))
		if n := len(p.fx.Looked) - len(looked); n > 0 {
			about += fmt.Sprintf(" and %d more places", n)
		}
		step(look.Rejected, "No session of an agent was found", "", about)
	}
	read := "by rules, free, on this machine; 3 lists them, to choose some"
	if p.Mine.Asks != "" && p.Mine.All > 0 {
		read += ". " + p.Mine.Asks + " to read them; what that costs is shown first"
	}
	step("2", "Read them", "X", read)
	step("3", "Judge what they propose", "a x", "it arrives here while the rest is read")
	step("4", "Let your agents ask for them", "learnings setup", "adds hooks to the agents that you choose, and shows the change first")
	if p.fx.OfferSample != nil {
		lines = append(lines, "Only looking? "+st.Accent.Render("S")+" opens a sample, marked as one on every screen.")
	}
	if p.fx.Place != "" {
		lines = append(lines, st.Dim.Render(look.Sentence("This corpus is in "+lessons.Line(p.fx.Place)+".", w)))
	}
	return lines
}

// allJudged draws what to do next.
func allJudged(p Review, w int, st *look.Style) []string {
	title := "All judged."
	if p.Waiting().All() > 0 {
		title = "Nothing likely is left."
	}
	did := kit.Grouped(p.decidedOn)
	if p.decidedOn == 0 {
		title, did = "All caught up: nothing waits for a decision.", ""
	}
	lines := []string{st.OK.Render(look.Approved) + " " + st.Strong.Render(title) + " " + did, ""}
	n := p.counts()
	var more []string
	item := func(n int, sign, what, key string, ink look.Ink) {
		if n > 0 {
			more = append(more, kit.Ends(" "+ink.Render(sign)+"  "+what, st.Accent.Render(key)+" ", w))
		}
	}
	item(n[curate.Duplicates], look.Alike, kit.Counted(n[curate.Duplicates], "cluster")+" of what says the same", "T", st.Tool)
	item(n[lessons.Maybe], "?", kit.Grouped(n[lessons.Maybe])+" in maybe", "f", st.Dim)
	item(n[lessons.FromOutside], look.Marked, kit.Grouped(n[lessons.FromOutside])+" from outside", "l", st.Text)
	item(n[lessons.Quarantined], look.Flagged, kit.Grouped(n[lessons.Quarantined])+" quarantined, each to be looked at alone", "!", st.Warn)
	item(n[curate.Outdated], look.Again, kit.Grouped(n[curate.Outdated])+" out of date, given to no session", "l", st.Warn)
	if len(more) > 0 {
		lines = append(append(lines, st.Strong.Render("If you have ten minutes")), append(more, "")...)
	}
	switch m := p.Mine; {
	case m.Fresh > 0:
		says := fmt.Sprintf("%s of %s hold something new. X extracts from all of them; 3 lists them, to choose some.", kit.Grouped(m.Fresh), kit.Counted(m.All, "session"))
		lines = append(append(lines, kit.Wrap(says, w)...), "")
	case m.All > 0:
		lines = append(lines, kit.Counted(m.All, "session")+" were read already. r in Sessions looks for new ones.", "")
	}
	if p.Mine.Asks != "" && p.Mine.All > 0 {
		lines = append(append(lines, kit.Wrap(p.Mine.Asks+" to read what no model has read. What that costs is shown first.", w)...), "")
	}
	return append(lines, st.Dim.Render("u undoes the last · C contradictions · @ what was done"))
}
