package tui

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/look"
)

// This file is about the queue when nothing is left in it: what was done and what is worth
// doing now, or, on a machine where nothing has been read yet, the steps to begin with.

// outcomes are what became of the proposals since the desk was opened.
type outcomes struct {
	approved, rejected, merged, asleep int
	gained                             map[string]int // active lessons, by where they hold
}

// step counts a change of a lesson.
func (o outcomes) step(before, after *lessons.Lesson) outcomes {
	gained := map[string]int{}
	for k, n := range o.gained {
		gained[k] = n
	}
	o.gained = gained
	for _, side := range []struct {
		l  *lessons.Lesson
		by int
	}{{before, -1}, {after, 1}} {
		switch l := side.l; {
		case l == nil:
		case l.Status == lessons.Approved:
			o.approved += side.by
			gained[belongs(l)] += side.by
		case l.Status == lessons.Rejected:
			o.rejected += side.by
		case l.Status == lessons.Merged:
			o.merged += side.by
		case l.Status == lessons.Pending && !l.Decided.Until.IsZero():
			o.asleep += side.by
		}
	}
	return o
}

// decided counts a decision.
func (o outcomes) decided(m decidedMsg) outcomes {
	was := map[lessons.ID]*lessons.Lesson{}
	for i := range m.before {
		was[m.before[i].ID] = &m.before[i]
	}
	for i := range m.after {
		if b := was[m.after[i].ID]; b != nil {
			o = o.step(b, &m.after[i])
		}
	}
	return o
}

// A later is what could be done in ten minutes; it is counted when nothing is left to
// judge.
type later struct {
	asked                bool
	contradictions, idle int
}

type laterMsg struct{ later }

// mostWeighed is how large a corpus is whose contradictions are counted unasked.
const mostWeighed = 20_000

// idleFor is for how many hours a lesson was not used before it is named.
const idleFor = 90 * 24

// worthwhile counts what could be done.
func worthwhile(fx effects) job {
	return func(ctx context.Context) tea.Msg {
		m := laterMsg{later{asked: true}}
		q := curate.WhatCounts(index.Query{Limit: 1, Now: fx.Now()})
		all, err := fx.look.Search(ctx, q)
		if err != nil || all.Total > mostWeighed {
			return m
		}
		if pairs, err := fx.Corpus.SomeContradictions(ctx, mostShownGroups); err == nil {
			m.contradictions = len(pairs)
		}
		q = index.Query{Limit: 1, Now: fx.Now()}.Where(index.Status, string(lessons.Approved)).Within(index.UsedTimes, index.Range{}).Within(index.Age, index.Range{Min: idleFor, Max: math.Inf(1)})
		if p, err := fx.look.Search(ctx, q); err == nil {
			m.idle = p.Total
		}
		return m
	}
}

// empties reports that the page is about an empty queue: nothing is left of the lane, and
// something was decided on; or there is nothing at all.
func empties(p review) bool {
	if len(p.rows) > 0 || p.filter.query != "" || p.filter.typing || p.err != nil || p.load.making || !p.load.done {
		return false
	}
	return p.decidedOn > 0 && (p.lane == lessons.Likely || p.waiting().all() == 0) || starting(p)
}

// starting reports that nothing has been read or decided yet.
func starting(p review) bool {
	return p.decidedOn == 0 && p.waiting().all() == 0 && !p.stocked && p.mine.fresh == p.mine.all
}

// emptyW is how wide the page about an empty queue is.
const emptyW = 66

// emptyPage fills the body.
func emptyPage(p review, st *look.Style) column {
	c := column{w: p.w, h: p.h}
	w := min(emptyW, p.w-4)
	var lines []string
	if starting(p) {
		lines = firstSteps(p, w, st)
	} else {
		lines = allJudged(p, w, st)
	}
	if n := p.h - len(lines); n > 1 {
		lines = append(make([]string, min(n/3, 4)), lines...)
	}
	left := strings.Repeat(" ", max((p.w-w)/2, 2))
	for _, l := range lines {
		c.lines = append(c.lines, left+l)
	}
	return c
}

// firstSteps are what to do on a machine where nothing has been read.
func firstSteps(p review, w int, st *look.Style) []string {
	lines := []string{st.Strong.Render("Nothing has been read yet."), st.Dim.Render("Two keys and some minutes. Nothing leaves this machine."), ""}
	step := func(sign, what, key string, about ...string) {
		lines = append(lines, ends(gutter(sign, 5, st.OK)+st.Strong.Render(what), st.Accent.Render(spelt(key, st))+" ", w))
		for _, a := range about {
			for _, l := range wrap(a, w-5) {
				lines = append(lines, "     "+st.Dim.Render(l))
			}
		}
		if p.h > 18 {
			lines = append(lines, "")
		}
	}
	switch m := p.mine; {
	case m.all > 0:
		step(look.Approved, counted(m.all, "session")+" found", "", lessons.Line(m.agents))
	case !m.known:
		step("…", "Sessions are being looked for", "")
	default:
		looked := p.fx.Looked[:min(len(p.fx.Looked), 2)]
		about := "Looked in " + lessons.Line(strings.Join(looked, ", "))
		if n := len(p.fx.Looked) - len(looked); n > 0 {
			about += fmt.Sprintf(" and %d more places", n)
		}
		step(look.Rejected, "No session of an agent was found", "", about)
	}
	read := "by rules, free, on this machine; tab twice lists them, to choose some"
	if p.mine.asks != "" && p.mine.all > 0 {
		read += ". " + p.mine.asks + " to read them; what that costs is shown first"
	}
	step("2", "Read them", spelt("‹extract-new X›", st), spelt(read, st))
	step("3", "Judge what they propose", spelt("‹approve a› ‹reject x›", st), "it arrives here while the rest is read")
	step("4", "Let your agents ask for them", "learnings setup", "adds hooks to the agents that you choose, and shows the change first")
	if p.fx.OfferSample != nil {
		lines = append(lines, "Only looking? "+st.Accent.Render(spelt("‹sample S›", st))+" opens a sample, marked as one on every screen.")
	}
	if p.fx.Place != "" {
		lines = append(lines, st.Dim.Render(look.Sentence("This corpus is in "+lessons.Line(p.fx.Place)+".", w)))
	}
	return lines
}

// allJudged says what was done, what comes of it, and what is worth doing now.
func allJudged(p review, w int, st *look.Style) []string {
	o := p.came
	title := "All judged."
	if p.waiting().all() > 0 {
		title = "Nothing likely is left."
	}
	took := grouped(p.decidedOn)
	if p.pace.n > 0 && p.pace.took > 0 {
		took += " in " + spent(p.pace.took)
	}
	if s := p.pace.each(); s != "" {
		took += ", " + s
	}
	lines := []string{st.OK.Render(look.Approved) + " " + st.Strong.Render(title) + " " + took, ""}
	parts := []struct {
		n          int
		sign, name string
		ink        look.Ink
	}{{o.approved, look.Approved, "approved", st.OK}, {o.rejected, look.Rejected, "rejected", st.Bad}, {o.merged, look.Merged, "merged", st.Tool}, {o.asleep, look.Asleep, "snoozed", st.Dim}}
	sum, names, line := 0, []string{}, ""
	for _, s := range parts {
		sum += max(s.n, 0)
	}
	for _, s := range parts {
		if s.n <= 0 {
			continue
		}
		names = append(names, s.ink.Render(s.sign+" "+grouped(s.n))+" "+s.name)
		line += s.ink.Render(strings.Repeat("━", max(s.n*(w-len(parts))/sum, 1)))
	}
	if sum > 0 {
		lines = append(lines, line, strings.Join(names, "   "), "")
	}
	if s := gained(o.gained); s != "" {
		lines = append(lines, wrap("From the next session: "+s+".", w)...)
		lines = append(lines, "")
	}
	n := p.counts()
	var more []string
	item := func(n int, sign, what, key string, ink look.Ink) {
		if n > 0 {
			more = append(more, ends(" "+ink.Render(sign)+"  "+what, st.Accent.Render(spelt(key, st))+" ", w))
		}
	}
	item(p.later.contradictions, look.Against, counted(p.later.contradictions, "contradiction"), "‹contradictions C›", st.Bad)
	item(n[curate.Duplicates], look.Alike, counted(n[curate.Duplicates], "cluster")+" of what says the same", "‹duplicates T›", st.Tool)
	item(n[lessons.Maybe], "?", grouped(n[lessons.Maybe])+" in maybe", "‹lane-maybe f›", st.Dim)
	item(n[lessons.FromOutside], look.Marked, grouped(n[lessons.FromOutside])+" from outside", turnsTo(p.queue, lessons.FromOutside), st.Text)
	item(n[lessons.Quarantined], look.Flagged, grouped(n[lessons.Quarantined])+" quarantined, each to be looked at alone", "‹lane-quarantined !›", st.Warn)
	item(n[curate.Outdated], look.Again, grouped(n[curate.Outdated])+" out of date, given to no session", turnsTo(p.queue, curate.Outdated), st.Warn)
	item(p.later.idle, "↻", counted(p.later.idle, "active lesson")+" not used in 90 days", "alt+2", st.Warn)
	item(p.mine.fresh, look.Marked, counted(p.mine.fresh, "session")+" with something new", "‹extract-new X›", st.Text)
	if len(more) > 0 {
		lines = append(lines, st.Strong.Render("If you have ten minutes"))
		lines = append(lines, more[:min(len(more), 6)]...)
		lines = append(lines, "")
	}
	return append(lines, st.Dim.Render(spelt("‹undo u› undoes the last · ‹log @› lists what was done", st)))
}

// gained says where active lessons came to, most first.
func gained(by map[string]int) string {
	var names []string
	for k, n := range by {
		if n > 0 {
			names = append(names, k)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(by[b], by[a]), cmp.Compare(a, b)) })
	var parts []string
	rest := 0
	for i, k := range names {
		if i < 3 {
			parts = append(parts, fmt.Sprintf("%s +%d", lessons.Line(k), by[k]))
		} else {
			rest += by[k]
		}
	}
	if rest > 0 {
		parts = append(parts, fmt.Sprintf("%d others +%d", len(names)-3, rest))
	}
	return strings.Join(parts, ", ")
}

// turnsTo are the keys that turn to a lane.
func turnsTo(q queue, lane lessons.Lane) string {
	var keys []string
	for range curate.Lanes {
		if q.lane == lane {
			break
		}
		q.lane = q.nextLane(1)
		keys = append(keys, "‹next-lane l›")
	}
	return strings.Join(keys, " ")
}
