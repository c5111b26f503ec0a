// Package render prints the answers of verbs: lessons, decisions, comparisons, sessions,
// figures, guards, syncs. Each answer has three forms; [term.Console.Give] picks one for
// the reader. The line-by-line review is here too.
package render

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"learnings/cmd/internal/term"
	"learnings/index"
	"learnings/index/curate"
	"learnings/index/recall"
	"learnings/lessons"
	"learnings/lessons/pairs"
	"learnings/lessons/proof"
	"learnings/tui/card"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// A Card is one lesson in full.
type Card struct {
	Lesson    lessons.Lesson
	Path      string           // of its file, formatted for people
	Opposed   []pairs.Contrary // lessons that contradict it
	Similar   []index.Hit      // lessons that say or mean the same
	How       string           // the last decision and how it was made; "" if the journal does not say
	Guard     string           // describes the calls that its guard stops; "" for none
	Published []string         // the files and stores that hold it, formatted for people
	Effect    proof.Figures
	Now       time.Time
	Look      *look.Style // on a terminal
}

// The names of lessons that speak against a card's or are like it, as on the desk.
const (
	against = look.Against + " against"
	alike   = look.Alike + " alike"
)

// factW is the width of the names of facts.
const factW = 12

// A fact is one line of a card.
type fact struct {
	name  string   // for a person; "" continues the line before
	text  string   // for a person; "" leaves the fact out
	cells []string // for a script, name first; nil for name and text
}

func (f fact) plain(w io.Writer) {
	switch {
	case len(f.cells) > 0:
		term.TSV(w, f.cells...)
	case f.name != "":
		term.TSV(w, strings.ToLower(f.name), f.text)
	}
}

// Terminal prints the lesson as the desk shows it.
func (c Card) Terminal(p *term.Page) {
	l, st, w := c.Lesson, c.Look, min(p.Width, mostWide)
	write(p, kit.Ends(" "+card.Title(l, st), st.Dim.Render(string(l.ID)+"  ")+card.Standing(l, c.Now, st)+" "+string(l.Status)+"  "+card.Confidence(l, st), w), "")
	write(p, kit.Indented(card.Sentence(l, w-2, st))...)
	for _, part := range [][]string{card.Explained(l, w-2, st), card.Card{Lesson: l, All: true}.Evidence(w-2, card.CutNothing, st)} {
		if len(part) > 0 {
			write(p, append([]string{""}, kit.Indented(part)...)...)
		}
	}
	write(p, "")
	if why := l.Why(); why != "" && l.Status == lessons.Pending {
		write(p, kit.WideFact("why", factW, why, w, st.Text, st)...)
	}
	for _, f := range append(c.judged(), c.facts()...) {
		ink := st.Dim
		switch f.name {
		case "! Flag", "Outside", "Look again", "Again":
			ink = st.Warn
		case against:
			ink = st.Bad
		case "Offer":
			ink = st.OK
		case alike:
			ink = st.Tool
		}
		lines := kit.WideFact("", factW, lessons.Line(f.text), w, st.Text, st)
		if len(lines) > 0 {
			lines[0] = kit.Gutter(strings.ToLower(f.name), factW, ink) + strings.TrimLeft(lines[0], " ")
		}
		write(p, lines...)
	}
}

func (c Card) Plain(w io.Writer) {
	l := c.Lesson
	for _, f := range []fact{
		{name: "id", text: string(l.ID)}, {name: "status", text: string(l.Status)}, {name: "category", text: string(l.Category)},
		{name: "project", text: l.Scope.Project}, {name: "role", text: l.Scope.Role}, {name: "confidence", text: l.Trust()},
		{name: "content", text: l.Content}, {name: "insight", text: l.Insight}, {name: "example", text: l.Example},
	} {
		f.plain(w)
	}
	for _, f := range append(c.judged(), c.facts()...) {
		f.plain(w)
	}
	for _, e := range l.Evidence {
		term.TSV(w, "evidence", source(e), e.Quote)
	}
}

// judged returns the facts that need a person's attention.
func (c Card) judged() (out []fact) {
	l := c.Lesson
	for _, d := range curate.Offered(l) {
		marked := pairs.Marked(d.Before, d.After)
		out = append(out, fact{"Offer", d.Field + ": " + marked, []string{"offer", d.Field, marked, l.Offer.Extractor}})
	}
	if l.Offer.Content != "" {
		out = append(out, fact{text: fmt.Sprintf("by %s; `learnings edit %s --take` takes it", l.Offer.Extractor, l.ID)})
	}
	for _, d := range lessons.Dangers(l) {
		says := strings.TrimSuffix(d.Says+": "+d.Found, ": ")
		out = append(out, fact{"! Flag", says, []string{"flag", string(d.Hazard), says}})
	}
	for _, o := range c.Opposed {
		s, why := curate.Propose(l, o.Lesson)
		out = append(out,
			fact{against, fmt.Sprintf("%s (%s)  %s", o.Lesson.ID, o.Lesson.Status, o.Lesson.Content),
				[]string{"opposite", string(o.Lesson.ID), string(o.Lesson.Status), o.Lesson.Content, o.Judgement.Why, Resolving(s)}},
			fact{text: o.Judgement.Why},
			fact{text: fmt.Sprintf("%s    (%s)", Resolving(s), why)})
	}
	for _, h := range c.Similar {
		how, share := likeness(h)
		out = append(out, fact{alike, fmt.Sprintf("%s (%s)  %s", h.Lesson.ID, h.Lesson.Status, lessons.Line(h.Lesson.Content)),
			[]string{"similar", string(h.Lesson.ID), string(h.Lesson.Status), h.Lesson.Content, fmt.Sprintf("%.2f", share), how}})
	}
	for _, f := range lessons.Lint(l) {
		out = append(out, fact{"Wording", string(f.Code) + ": " + advice(f), []string{"lint", string(f.Code), advice(f)}})
	}
	return out
}

// facts returns the minor facts.
func (c Card) facts() []fact {
	l := c.Lesson
	var out []fact
	add := func(name, text string) {
		if text != "" {
			out = append(out, fact{name: name, text: text})
		}
	}
	add("Created", term.Moment(l.Created))
	add("Tags", strings.Join(l.Tags, ", "))
	add("Shows when", strings.Join(l.Triggers, ", "))
	add("Holds", l.Limit.String())
	add("Said by", speakers[l.SaidBy()])
	add("Sessions", lessons.SaidAgain(l.Evidence))
	if l.Origin.Declined != "" {
		add("Again", fmt.Sprintf("%s, %s (%s)", l.Returned(), day(l.Origin.DeclinedAt), l.Origin.Declined))
	}
	if l.Outside {
		add("Outside", "another program wrote it or decided on it: no session is given it before you confirm it")
	}
	add("Stands", l.Origin.Standing())
	add("Advice", l.Origin.Advice)
	add("Elsewhere", l.Elsewhere.String())
	add("From", l.Imported())
	add("Guarded", c.Guard)
	add("Published", strings.Join(c.Published, ", "))
	add("Proposed", strings.TrimSpace(l.Origin.Extractor+"  "+l.Origin.Rule))
	if l.Decided.By != "" {
		add("Decided", term.Moment(l.Decided.At)+" by "+l.Decided.By)
	}
	add("How", c.How)
	add("Reason", l.Decided.Reason)
	add("Into", string(l.Decided.Into))
	add("Superseded", string(l.Decided.SupersededBy))
	for _, h := range l.HoldsWith {
		add("Beside", h.String())
	}
	if l.Use.Used > 0 {
		add("Used", fmt.Sprintf("%d times, helped %d, harmed %d", l.Use.Used, l.Use.Helped, l.Use.Harmed))
	}
	out = append(out, effects(c.Effect)...)
	if p := l.Proof; p.Own {
		add("Set by you", fmt.Sprintf("computed: %s; `edit %s --confidence auto` goes back to it", l.Unrated().Trust(), l.ID))
	}
	if p := l.Proof; p.Outcomes > 0 {
		add("Proof", fmt.Sprintf("%s, the last %s; %.1f speak for it, %.1f against; began as %s",
			term.Plural(p.Outcomes, "outcome"), day(p.Last), p.Alpha, p.Beta, cmp.Or(p.Prior, l.Confidence).Trust()))
	}
	if l.Pinned {
		add("Pinned", "stays fresh, and is not due again")
	} else if at, ok := l.Due(); ok {
		times := ""
		if n := l.Proof.Confirmations; n > 0 {
			times = fmt.Sprintf(", confirmed %d times", n)
		}
		add("Look again", day(at)+times)
	}
	add("File", c.Path)
	return out
}

func (c Card) Objects() []any {
	var against, similar []any
	for _, o := range c.Opposed {
		s, _ := curate.Propose(c.Lesson, o.Lesson)
		against = append(against, term.Object(nil, "id", o.Lesson.ID, "status", o.Lesson.Status, "content", o.Lesson.Content,
			"ground", o.Judgement.Ground, "why", o.Judgement.Why, "type", Resolving(s)))
	}
	for _, h := range c.Similar {
		how, share := likeness(h)
		similar = append(similar, term.Object(nil, "id", h.Lesson.ID, "status", h.Lesson.Status, "content", h.Lesson.Content, "by", how, "share", share))
	}
	return []any{term.Object(c.Lesson.Record(), "contradicts?", against, "published?", c.Published, "similar?", similar,
		"given?", c.Effect.Times, "lint?", lessons.Lint(c.Lesson))}
}

var speakers = map[lessons.Speaker]string{lessons.ByPerson: "the person", lessons.ByAgent: "the agent", lessons.ByTool: "a tool"}

// likeness says whether two lessons have similar words or a similar meaning, and how
// similar they are.
func likeness(h index.Hit) (how string, share float64) {
	if h.ByMeaning {
		return "meaning", h.Near
	}
	return "words", h.Match
}

// source describes where evidence is from.
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

// scope describes the sessions that a lesson applies to.
func scope(s lessons.Scope) string {
	if s.Global {
		return "for every project, learned in " + s.Project
	}
	return strings.Trim(s.Project+" · "+s.Role, " ·")
}

// advice returns a finding with the words that caused it.
func advice(f lessons.Finding) string {
	if f.Found == "" {
		return f.Says
	}
	return fmt.Sprintf("“%s” %s", f.Found, f.Says)
}

// day returns the local date.
func day(t time.Time) string { return t.Local().Format(time.DateOnly) }

// Candidates are the lessons considered for a session.
type Candidates struct {
	Choices []recall.Choice
	Style   recall.Style
	Budget  recall.Budget
	Task    bool // something is known of the session's subject
	Why     bool // list the lessons with reasons instead of the block
}

func (c Candidates) block() string {
	var b bytes.Buffer
	if err := recall.Write(&b, c.Choices, c.Style); err != nil {
		return ""
	}
	return b.String()
}

// Terminal prints the block that an agent gets, also for a person.
func (c Candidates) Terminal(p *term.Page) {
	given := recall.IDs(c.Choices)
	if !c.Why {
		c.Plain(p.W)
		switch {
		case len(given) > 0:
		case c.Task:
			p.Line("nothing: no approved lesson for project %s is on the subject (--why lists the candidates)", c.Style.Project)
		default:
			p.Line("nothing: no approved lesson is for project %s (--why lists the candidates)", c.Style.Project)
		}
		return
	}
	needs := 0.0 // the evidence needed to match the task
	for _, x := range c.listed() {
		p.Strong("%-3s  %s  %s", inOrOut(x), x.Lesson.ID, x.Lesson.Content)
		p.Text("     ", x.Why)
		if r := x.Parts; r != (recall.Parts{}) {
			p.Line("     rank %.2f: relevance %.2f, bound %.2f, freshness %.2f, scope %.2f, kind %.2f; cover %.2f, near %.2f, %s",
				x.Rank, r.Relevance, r.Bound, r.Freshness, r.Scope, r.Kind, r.Cover, r.Near, term.Plural(x.Tokens(), "token"))
		}
		fmt.Fprintln(p.W)
	}
	for _, x := range c.Choices {
		needs = max(needs, x.Evidence.Needs)
	}
	if needs > 0 {
		p.Line("Evidence: a lesson needs %.1f nats of the task, or %.0f %% of a short one.", needs, 100*recall.Gate)
	}
	says := term.Plural(len(given), "lesson")
	block, b := c.block(), c.budget()
	if b.Lessons > 0 {
		says = fmt.Sprintf("%d of %s", len(given), term.Plural(b.Lessons, "lesson"))
	}
	p.Line("Budget: %s, %d of %s, %d of %s.", says, recall.Tokens(block), term.Plural(b.Tokens, "token"), len(block), term.Plural(b.Chars, "character"))
}

// listed returns the choices to show: the included ones, then the near misses.
func (c Candidates) listed() []recall.Choice {
	in := slices.DeleteFunc(slices.Clone(c.Choices), func(x recall.Choice) bool { return !x.In })
	return append(in, recall.Nearest(c.Choices)...)
}

func inOrOut(x recall.Choice) string {
	if x.In {
		return "in"
	}
	return "out"
}

// budget returns the budget of a task, or of a session start.
func (c Candidates) budget() recall.Budget {
	if !c.Task {
		return c.Budget.AtStart()
	}
	return c.Budget.OrDefault()
}

func (c Candidates) Plain(w io.Writer) {
	if !c.Why {
		if block := c.block(); block != "" {
			fmt.Fprintln(w, strings.TrimRight(block, "\n"))
		}
		return
	}
	for _, x := range c.listed() {
		cells := []string{fmt.Sprint(x.In), string(x.Lesson.ID), fmt.Sprint(x.Tokens()), x.Why, x.Lesson.Content}
		r := x.Parts
		for _, f := range []float64{x.Rank, r.Relevance, r.Cover, r.Bound, r.Freshness, r.Scope, r.Kind, r.Near} {
			cells = append(cells, fmt.Sprintf("%.3f", f))
		}
		term.TSV(w, cells...)
	}
}

// Objects returns all choices by rank.
func (c Candidates) Objects() []any {
	choices := slices.Clone(c.Choices)
	slices.SortStableFunc(choices, func(a, b recall.Choice) int { return cmp.Compare(b.Rank, a.Rank) })
	of := c.budget()
	budget := term.Object(nil, "lessons", of.Lessons, "tokens", of.Tokens, "characters", of.Chars)
	return term.Map(choices, func(x recall.Choice) any {
		return term.Object(x.Lesson.Record(), "in", x.In, "held_out?", x.Held, "why", x.Why, "tokens", x.Tokens(), "rank", x.Rank,
			"parts", x.Parts, "evidence_of_task", x.Evidence, "budget", budget)
	})
}
