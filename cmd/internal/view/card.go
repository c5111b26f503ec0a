// Package view is lessons in lines of text: one whole, many in a list, what was done to
// them, what is found when they are compared, and the review that asks about one proposal
// after the other. The verbs that print lessons share it.
package view

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"learnings/cmd/internal/term"
	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/match"
	"learnings/lessons/outcomes"
	"learnings/lessons/stance"
)

// A Card is one lesson whole.
type Card struct {
	Lesson  lessons.Lesson
	Path    string            // of its file, as it is shown
	Opposed []stance.Contrary // what contradicts it
	Similar []index.Hit       // what says the same, or means it

	Guard     string   // what of agents it stops, in words; "" for nothing
	Published []string // the files and stores that hold it, as they are shown
	Effect    outcomes.Figures
}

func (c Card) Terminal(p *term.Page) {
	l := c.Lesson
	p.Strong("%s  %s · %s · %s %s", l.ID, l.Status, l.Category, l.Confidence, l.Confidence.Word())
	p.Line("%s", Scope(l.Scope))
	fmt.Fprintln(p.W)
	p.Text("", l.Content)
	for _, part := range []struct{ name, text string }{{"Why", l.Insight}, {"Example", l.Example}} {
		if strings.TrimSpace(part.text) != "" {
			fmt.Fprintln(p.W)
			p.Strong("%s", part.name)
			p.Text("  ", part.text)
		}
	}
	fmt.Fprintln(p.W)
	for _, d := range curate.Offered(l) {
		p.Field("Offer", "%s: %s", d.Field, match.Marked(d.Before, d.After))
	}
	if l.Offer.Content != "" {
		p.Field("", "by %s; `learnings edit %s --take` takes it", l.Offer.Extractor, l.ID)
	}
	for _, d := range lessons.Dangers(l) {
		p.Field("! Flag", "%s", flag(d))
	}
	for _, o := range c.Opposed {
		p.Field("! Against", "%s (%s)  %s", o.Lesson.ID, o.Lesson.Status, o.Lesson.Content)
		p.Text("           ", o.Contradiction.Why)
		s, why := curate.Propose(l, o.Lesson)
		p.Field("", "%s    (%s)", Resolving(s), why)
	}
	for _, h := range c.Similar {
		p.Field("Similar", "%s", similar(h))
	}
	for _, f := range lessons.Lint(l) {
		p.Field("~ Wording", "%s: %s", f.Code, Advice(f))
	}
	for _, f := range c.fields() {
		p.Field(f[0], "%s", f[1])
	}
	for _, e := range l.Evidence {
		fmt.Fprintln(p.W)
		p.Field("Evidence", "%s", source(e))
		p.Text("  ▏ ", e.Quote)
	}
}

// fields are the small facts of a lesson that are known.
func (c Card) fields() [][2]string {
	l := c.Lesson
	day := "2006-01-02 15:04"
	out := [][2]string{{"Created", l.Created.Local().Format(day)}}
	add := func(name, value string) {
		if value != "" {
			out = append(out, [2]string{name, value})
		}
	}
	add("Tags", strings.Join(l.Tags, ", "))
	add("Shows when", strings.Join(l.Triggers, ", "))
	add("Holds", l.Limit.String())
	add("Said by", speakers[l.SaidBy()])
	add("Sessions", lessons.SaidAgain(l.Evidence))
	add("Again", again(l))
	if l.Outside {
		add("Outside", "another program wrote it: no session is given it before you confirm it")
	}
	add("Stands", l.Origin.Standing())
	add("Elsewhere", l.Elsewhere.String())
	add("From", l.Imported())
	add("Guarded", c.Guard)
	add("Published", strings.Join(c.Published, ", "))
	add("Proposed", strings.TrimSpace(l.Origin.Extractor+"  "+l.Origin.Rule))
	if l.Decided.By != "" {
		add("Decided", l.Decided.At.Local().Format(day)+" by "+l.Decided.By)
	}
	add("Reason", l.Decided.Reason)
	add("Into", string(l.Decided.Into))
	add("Superseded", string(l.Decided.SupersededBy))
	for _, h := range l.HoldsWith {
		add("Beside", h.String())
	}
	if l.Use.Used > 0 {
		add("Used", fmt.Sprintf("%d times, helped %d, harmed %d", l.Use.Used, l.Use.Helped, l.Use.Harmed))
	}
	for _, f := range EffectLines(c.Effect) {
		add(f[0], f[1])
	}
	for _, f := range proven(l) {
		add(f[0], f[1])
	}
	add("File", c.Path)
	return out
}

// again says of a proposal that the same was rejected before, and which that is.
func again(l lessons.Lesson) string {
	if l.Origin.Declined == "" {
		return ""
	}
	return fmt.Sprintf("%s, %s (%s)", l.Returned(), l.Origin.DeclinedAt.Local().Format("2006-01-02"), l.Origin.Declined)
}

var speakers = map[lessons.Speaker]string{lessons.ByPerson: "the person", lessons.ByAgent: "the agent", lessons.ByTool: "a tool"}

// likeness is by what a lesson is similar to another, words or meaning, and how much.
func likeness(h index.Hit) (how string, share float64) {
	if h.ByMeaning {
		return "meaning", h.Near
	}
	return "words", h.Match
}

// similar is a lesson that is similar to another, in one line.
func similar(h index.Hit) string {
	how, share := likeness(h)
	return fmt.Sprintf("%s (%s, %.0f%% by %s)  %s", h.Lesson.ID, h.Lesson.Status, 100*share, how, lessons.Line(h.Lesson.Content))
}

// flag is a reason to look twice, with the words that gave it.
func flag(d lessons.Danger) string {
	if d.Found == "" {
		return d.Says
	}
	return d.Says + ": " + d.Found
}

// source says in one line where evidence is from.
func source(e lessons.Evidence) string {
	s := strings.TrimSpace(fmt.Sprintf("%s, %s %s", cmp.Or(e.Author, speakers[e.By]), e.Agent, e.Session))
	if e.Line > 0 {
		s += fmt.Sprintf(" line %d", e.Line)
	}
	if e.Opposes() {
		s += ", against it"
	}
	if e.Link != "" {
		s += ", " + e.Link
	}
	return strings.Trim(s, ", ")
}

func (c Card) Plain(w io.Writer) {
	l := c.Lesson
	term.TSV(w, "id", string(l.ID))
	term.TSV(w, "status", string(l.Status))
	term.TSV(w, "category", string(l.Category))
	term.TSV(w, "project", l.Scope.Project)
	term.TSV(w, "role", l.Scope.Role)
	term.TSV(w, "score", l.Confidence.String())
	term.TSV(w, "content", l.Content)
	term.TSV(w, "insight", l.Insight)
	term.TSV(w, "example", l.Example)
	for _, d := range curate.Offered(l) {
		term.TSV(w, "offer", d.Field, match.Marked(d.Before, d.After), l.Offer.Extractor)
	}
	for _, d := range lessons.Dangers(l) {
		term.TSV(w, "flag", string(d.Hazard), flag(d))
	}
	for _, o := range c.Opposed {
		s, _ := curate.Propose(l, o.Lesson)
		term.TSV(w, "opposite", string(o.Lesson.ID), string(o.Lesson.Status), o.Lesson.Content, o.Contradiction.Why, Resolving(s))
	}
	for _, h := range c.Similar {
		how, share := likeness(h)
		term.TSV(w, "similar", string(h.Lesson.ID), string(h.Lesson.Status), h.Lesson.Content, fmt.Sprintf("%.2f", share), how)
	}
	for _, f := range lessons.Lint(l) {
		term.TSV(w, "lint", string(f.Code), Advice(f))
	}
	for _, f := range c.fields() {
		term.TSV(w, strings.ToLower(f[0]), f[1])
	}
	for _, e := range l.Evidence {
		term.TSV(w, "evidence", source(e), e.Quote)
	}
}

func (c Card) Objects() []any {
	type opposite struct {
		ID      lessons.ID     `json:"id"`
		Status  lessons.Status `json:"status"`
		Content string         `json:"content"`
		Ground  stance.Ground  `json:"ground"`
		Why     string         `json:"why"`
		Type    string         `json:"type"`
	}
	type alike struct {
		ID      lessons.ID     `json:"id"`
		Status  lessons.Status `json:"status"`
		Content string         `json:"content"`
		By      string         `json:"by"`    // words or meaning
		Share   float64        `json:"share"` // how much, from 0 to 1
	}
	type object struct {
		lessons.Record
		Contradicts []opposite `json:"contradicts,omitempty"`
		Published   []string   `json:"published,omitempty"`
		Similar     []alike    `json:"similar,omitempty"`
		Given       int        `json:"given,omitempty"` // how often
		Lint        []Finding  `json:"lint,omitempty"`
	}
	out := object{Record: c.Lesson.Record(), Published: c.Published, Given: c.Effect.Times, Lint: FindingsOf(lessons.Lint(c.Lesson))}
	for _, o := range c.Opposed {
		s, _ := curate.Propose(c.Lesson, o.Lesson)
		out.Contradicts = append(out.Contradicts, opposite{o.Lesson.ID, o.Lesson.Status, o.Lesson.Content, o.Contradiction.Ground, o.Contradiction.Why, Resolving(s)})
	}
	for _, h := range c.Similar {
		how, share := likeness(h)
		out.Similar = append(out.Similar, alike{h.Lesson.ID, h.Lesson.Status, h.Lesson.Content, how, share})
	}
	return []any{out}
}

// proven are the facts of a lesson's proof that say more than its confidence.
func proven(l lessons.Lesson) [][2]string {
	var out [][2]string
	p := l.Proof
	if p.Own {
		out = append(out, [2]string{"Set by you", fmt.Sprintf("computed: %s; `edit %s --confidence auto` goes back to it", l.Unrated().Confidence, l.ID)})
	}
	if p.Outcomes > 0 {
		out = append(out, [2]string{"Proof", fmt.Sprintf("%s, the last %s; %.2f speak for it, %.2f against; began at %s",
			term.Plural(p.Outcomes, "outcome"), p.Last.Local().Format(time.DateOnly), p.Alpha, p.Beta, prior(l))})
	}
	if l.Pinned {
		out = append(out, [2]string{"Pinned", "stays fresh, and is not due again"})
	} else if at, ok := l.Due(); ok {
		times := ""
		if p.Confirmations > 0 {
			times = fmt.Sprintf(", confirmed %d times", p.Confirmations)
		}
		out = append(out, [2]string{"Look again", at.Local().Format(time.DateOnly) + times})
	}
	return out
}

func prior(l lessons.Lesson) lessons.Confidence {
	if l.Proof.Prior != 0 {
		return l.Proof.Prior
	}
	return l.Confidence
}

// Resolving is what to type to settle a contradiction.
func Resolving(s curate.Settlement) string {
	text := fmt.Sprintf("learnings resolve %s %s", s.Keep.ID, s.Lose.ID)
	if s.Narrow {
		text += " --narrow"
	}
	return text
}

// Resolved tells how a contradiction was settled.
func Resolved(out *term.Console, s curate.Settlement, keep, lose lessons.Lesson) {
	if s.Narrow || s.Both {
		out.Say("both hold: %s  %s", keep.ID, keep.Title(80))
		out.Say("           %s  %s", lose.ID, lose.Title(80))
		if s.Narrow {
			out.Say("%s", keep.HoldsWith[len(keep.HoldsWith)-1].Reason)
		}
		return
	}
	out.Say("%s %s  %s", lose.Status, lose.ID, lose.Title(80))
	out.Say("superseded by %s (%s)  %s", keep.ID, keep.Status, keep.Title(80))
	if keep.Status == lessons.Pending {
		out.Warn("%s is still a proposal: `learnings approve %s` makes it active", keep.ID, keep.ID)
	}
}

// Advice is a finding with the words that gave it.
func Advice(f lessons.Finding) string {
	if f.Found == "" {
		return f.Says
	}
	return fmt.Sprintf("“%s” %s", f.Found, f.Says)
}

// A Finding is one of [lessons.Lint], as JSON.
type Finding struct {
	Code  lessons.Code `json:"code"`
	Says  string       `json:"says"`
	Found string       `json:"found,omitempty"`
}

// FindingsOf gives findings as JSON has them.
func FindingsOf(fs []lessons.Finding) (out []Finding) {
	for _, f := range fs {
		out = append(out, Finding(f))
	}
	return out
}

// Change says in a line what one change left.
func Change(c lessons.Change) string {
	switch {
	case c.After != nil && c.Before != nil && c.Before.Status != c.After.Status:
		return fmt.Sprintf("%s  %s is %s again  %s", c.ID, was(*c.Before), c.After.Status, c.After.Title(60))
	case c.After != nil:
		return fmt.Sprintf("%s  is as it was, %s  %s", c.ID, c.After.Status, c.After.Title(60))
	case c.Before != nil:
		return fmt.Sprintf("%s  is gone again  %s", c.ID, c.Before.Title(60))
	}
	return string(c.ID)
}

func was(l lessons.Lesson) string { return "was " + string(l.Status) + ";" }
