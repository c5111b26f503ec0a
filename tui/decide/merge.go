package decide

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/pairs"
	"learnings/tui/card"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// A Merge shows several lessons, the merged lesson, and what its sentence changes. The
// key that accepts is not one that is pressed by habit.
type Merge struct {
	fx     desk.Desk
	Ls     []lessons.Lesson // the surviving one first
	from   int              // the index of the one whose wording is proposed
	words  lessons.Wording  // the proposed wording
	Is     lessons.Category // of the merged lesson; "" for the surviving lesson's
	differ []curate.Left    // those that do not say the same
	own    bool             // the person wrote the sentence
	global bool             // a lesson learned in several projects holds in all of them
	become lessons.Lesson   // the merged lesson
	err    error            // why the merge is impossible
	kit.Scroll

	kept, merged kit.Dialog // where to return to after leaving or merging; nil for the pane
}

// NewMerge returns the dialog that merges ls.
func NewMerge(fx desk.Desk, ls []lessons.Lesson) Merge {
	m := curate.MergeOf(ls)
	d := Merge{fx: fx, Ls: m.All(), differ: m.Differ()}
	d.Ls[0] = ls[slices.IndexFunc(ls, func(l lessons.Lesson) bool { return l.ID == m.Into.ID })]
	if d = d.Take(0); lessons.Line(m.Into.Content) != d.words.Content {
		d.words.Content = lessons.Line(m.Into.Content) // keeps what all of them say
	}
	return d.Anew()
}

// Open shows the merge and reads its lessons whole.
func (d Merge) Open() kit.Out { return kit.Ask(d).And(kit.Run(d.Whole())) }

// Whole reads the lessons from their files: those of rows and cards lack the turns around
// the quotes.
func (d Merge) Whole() kit.Job {
	return func(context.Context) tea.Msg {
		var found []lessons.Lesson
		for _, l := range d.Ls[:min(len(d.Ls), mostListed)] {
			if now, err := d.fx.Corpus.Store.Get(l.ID); err == nil { // accepting reports the error
				found = append(found, now)
			}
		}
		return kit.Reply[Merge](func(d Merge) (kit.Dialog, kit.Out) { return d.read(found), kit.Out{} })
	}
}

// read takes over the turns around the quotes of lessons that have not changed.
func (d Merge) read(ls []lessons.Lesson) Merge {
	d.Ls = slices.Clone(d.Ls)
	for _, now := range ls {
		i := slices.IndexFunc(d.Ls, func(l lessons.Lesson) bool { return l.ID == now.ID })
		if i < 0 || len(d.Ls[i].Evidence) != len(now.Evidence) {
			continue
		}
		d.Ls[i].Evidence = slices.Clone(d.Ls[i].Evidence)
		for j, e := range now.Evidence {
			if was := &d.Ls[i].Evidence[j]; was.Quote == e.Quote && was.Line == e.Line {
				was.Before, was.After = e.Before, e.After
			}
		}
	}
	return d.Anew()
}

func (d Merge) Update(msg tea.Msg) (kit.Dialog, kit.Out) {
	switch m := msg.(type) {
	case kit.RoomMsg:
		d.RoomMsg = m
	case kit.Reply[Merge]:
		return m(d)
	}
	d.Scroll = d.page().scrolled(msg)
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return d, kit.Out{}
	}
	switch s := k.String(); s {
	case "esc", "q", "n":
		return d.kept, kit.Say("nothing was merged")
	case "y":
		if d.err != nil {
			return d, kit.Warn("%v", d.err)
		}
		return d.merged, kit.Out{Answer: d.answer()}
	case "a":
		return d.Accepted()
	case "e", "i":
		shown := d.become
		if d.err != nil {
			shown = d.answer().Into
		}
		one := newEditor(d.fx, shown) // edits the sentence and the reason, which are not stored yet
		one.ready, one.back, one.give = true, d, func(l lessons.Lesson) kit.Dialog {
			d.words, d.own = l.Wording, true
			return d.Anew()
		}
		return one, kit.Out{}
	case "p":
		if d.projects() > 1 {
			d.global = !d.global
			return d.Anew(), kit.Out{}
		}
	case "o":
		return d, kit.Out{To: desk.ReadMsg{Lesson: d.Ls[d.from], Back: d}}
	case "tab":
		return d.Take((d.from + 1) % len(d.Ls)), kit.Out{}
	default:
		if n, err := strconv.Atoi(s); err == nil && n >= 1 && n <= len(d.Ls) {
			return d.Take(n - 1), kit.Out{}
		}
	}
	return d, kit.Out{}
}

// Accepted merges the lessons and approves the result.
func (d Merge) Accepted() (kit.Dialog, kit.Out) {
	if d.err != nil {
		return d, kit.Warn("%v", d.err)
	}
	m := d.answer()
	m.Approve = true
	if _, err := m.Preview(); err != nil {
		return d, kit.Warn("one of them is flagged: decide on it alone first, or y makes one proposal of them")
	}
	return d.merged, kit.Out{Answer: m}
}

// Take proposes the wording of lesson i.
func (d Merge) Take(i int) Merge {
	d.from, d.words, d.own = i, d.Ls[i].Wording, false
	d.words.Content = lessons.Line(d.words.Content)
	return d.Anew()
}

// answer returns the merge with the chosen wording.
func (d Merge) answer() curate.Merge {
	m := curate.Merge{Into: d.Ls[0], From: d.Ls[1:], Global: d.global, Was: d.Ls[0].Content}
	m.Into.Category = cmp.Or(d.Is, m.Into.Category)
	m.Into.Wording = d.words
	if of := d.Ls[d.from].Wording; d.words.Content == lessons.Line(of.Content) {
		m.Into.Content = of.Content
	}
	m.Anyway = d.own || len(d.differ) > 0 && len(m.Gone())+len(m.Lost()) == 0
	return m
}

// Anew recomputes the merged lesson.
func (d Merge) Anew() Merge {
	m := d.answer()
	if d.become, d.err = m.Preview(); errors.Is(d.err, curate.ErrNotSame) {
		d.err = fmt.Errorf("%w: i writes what the one lesson says", d.err)
		m.Anyway = true
		d.become, _ = m.Preview()
	}
	return d
}

// projects returns in how many projects the lessons were learned.
func (d Merge) projects() int { return len(curate.Projects(d.Ls)) }

// place says where the merged lesson would hold; "" if that is obvious.
func (d Merge) place(r lessons.Lesson) string {
	switch n := d.projects(); {
	case r.Scope.Global && r.Scope.Project == "":
		return "in every project"
	case r.Scope.Global:
		return "in every project; p: in " + r.Scope.Project + " only"
	case n > 1:
		return fmt.Sprintf("in %s only, though learned in %d projects; p: in every project", r.Scope.Project, n)
	}
	return ""
}

func (d Merge) Hints() []kit.Hint {
	hints := []kit.Hint{{Key: "a", Foot: "accept"}}
	if d.become.Status == lessons.Pending && d.err == nil {
		hints = []kit.Hint{{Key: "a", Foot: "accept and approve"}, {Key: "y", Foot: "accept, leave it pending"}}
		if d.unseen() != nil {
			hints = hints[1:]
		}
	}
	if d.err != nil {
		hints = nil
	}
	hints = append(hints, kit.Hint{Key: "tab 1-" + strconv.Itoa(min(len(d.Ls), 9)), Foot: "whose words"}, kit.Hint{Key: "i", Foot: "write it"}, kit.Hint{Key: "o", Foot: "evidence"})
	if d.projects() > 1 {
		hints = append(hints, kit.Hint{Key: "p", Foot: "where it holds"})
	}
	return append(hints, kit.Hint{Key: "j k", Foot: "scroll"}, kit.Hint{Key: "esc", Foot: "leave them apart"})
}

// pair reports whether two lessons are shown side by side.
func (d Merge) pair() bool { return len(d.Ls) == 2 && d.W >= kit.Wide }

// page lays out the lessons above the result.
func (d Merge) page() page {
	return page{Scroll: d.Scroll, pair: d.pair(), stacked: d.several, side: d.side, head: d.head,
		below: func(st *look.Style) []string { return kit.Indented(d.proposal(st)) }}
}

// head draws the title of lesson i.
func (d Merge) head(i int, st *look.Style) (title, right string) {
	if title, right = sideHead(i+1, d.Ls[i], "", st); i == 0 {
		title += st.Dim.Render(" · lives on")
	}
	return title, right
}

func (d Merge) Sheet(st *look.Style) kit.Sheet {
	s := d.page().sheet(st)
	s.Head = st.Strong.Render("merge "+strings.TrimSuffix(kit.LessonsOf(len(d.Ls)), " lessons")) + st.Dim.Render(" "+lessons.Line(kit.Dotted("into one", strings.Join(curate.Projects(d.Ls), ", "))))
	s.Right, s.Running = d.togetherness(st), st.Dim.Render("nothing is merged before you accept it")
	return s
}

// togetherness says what the lessons have in common, or that they contradict each other.
func (d Merge) togetherness(st *look.Style) string {
	if len(d.differ) > 0 && !d.own {
		why := ""
		if d.W >= kit.Wide {
			why = ": " + lessons.Wording{Content: d.differ[0].Why}.Title(50)
		}
		return st.Bad.Render(look.Against + " not the same" + why)
	}
	var all []lessons.Evidence
	for _, l := range d.Ls {
		all = append(all, l.Evidence...)
	}
	if n := lessons.Sessions(all); n == 1 && len(all) > 1 {
		return st.Dim.Render("said in one session")
	} else if n > 1 {
		return st.Dim.Render(fmt.Sprintf("said in %d sessions", n))
	}
	return ""
}

// sideHead draws the title of one of two lessons, with its confidence.
func sideHead(n int, l lessons.Lesson, where string, st *look.Style) (title, right string) {
	at := ""
	if !l.Created.IsZero() {
		at = l.Created.Local().Format("2 Jan")
	}
	title = st.Accent.Render(strconv.Itoa(n)) + " " + st.Strong.Render(lessons.Line(string(l.Category))) + where + st.Dim.Render(" · "+kit.Dotted(string(l.Status), at))
	return title, card.Confidence(l, st)
}

// side draws one lesson of a pair.
func (d Merge) side(i, w int, st *look.Style) []string {
	var mine, other string
	if j := pairs.Judge(d.Ls[i], d.Ls[1-i]); j.Opposed() {
		mine, other = j.A.Text, j.B.Text
	}
	return sideText(d.Ls[i], mine, other, w, st)
}

// sideText draws a lesson beside another: its sentence with the clashing words marked,
// its reason, and who said it.
func sideText(l lessons.Lesson, mine, other string, w int, st *look.Style) []string {
	lines := clashing(l.Content, mine, other, w, st)
	if strings.TrimSpace(l.Insight) != "" {
		lines = append(append(lines, ""), kit.Paragraph(l.Insight, w, st.Text)...)
	}
	lines = append(lines, "")
	lines = append(lines, card.Card{Lesson: l, Whole: true}.Evidence(w, 0, st)...)
	if p := card.Proof(l); p != "" {
		lines = append(lines, kit.Fact("proof", lessons.Line(p), w, st.Dim, st)...)
	}
	return lines
}

// clashing draws a sentence and marks the words that clash with the other.
func clashing(sentence, mine, other string, w int, st *look.Style) []string {
	text := lessons.Line(kit.CutTo(sentence, kit.MostShown))
	mine = strings.TrimSpace(lessons.Line(mine))
	at := strings.Index(text, mine)
	if mine == "" || at < 0 {
		return kit.Paragraph(sentence, w, st.Strong)
	}
	bad := st.Bad.Bold().Underline()
	var b strings.Builder
	b.WriteString(st.Strong.Render(text[:at]))
	both := card.InBoth(mine, lessons.Line(other))
	differ := func(f string) bool {
		f = strings.ToLower(strings.Trim(f, "\"'`()[]{}<>*.,;:?! "))
		return f != "" && !slices.Contains(both, f) && (len(index.Words(f)) > 0 || card.Negates[f])
	}
	words := strings.SplitAfter(mine, " ")
	all := !slices.ContainsFunc(words, differ)
	for _, f := range words {
		trimmed := strings.TrimRight(f, " ")
		ink := st.Strong
		if all || differ(f) {
			ink = bad
		}
		b.WriteString(ink.Render(trimmed) + f[len(trimmed):])
	}
	b.WriteString(st.Strong.Render(text[at+len(mine):]))
	return kit.Wrap(b.String(), w)
}

// mostListed is how many of the merged lessons are shown.
const mostListed = 200

// several draws the lessons one below the other.
func (d Merge) several(w int, st *look.Style) []string {
	var lines []string
	for i, l := range d.Ls {
		if i == mostListed {
			return append(lines, st.Dim.Render(fmt.Sprintf("and %s more", kit.LessonsOf(len(d.Ls)-i))))
		}
		title, right := d.head(i, st)
		lines = append(lines, kit.Ends(title, right, w))
		for _, s := range kit.Paragraph(l.Content, w-3, st.Text) {
			lines = append(lines, "  "+s)
		}
		if len(l.Evidence) > 0 {
			lines = append(lines, card.Spoke(string(l.Evidence[0].By), l.Evidence[0].Quote, 1, w, st)...)
		}
		lines = append(lines, "")
	}
	return lines
}

// mostDiffs is how many lessons are compared with the merged one.
const mostDiffs = 8

// proposal draws the result. The sentence and the effect of the key come first; what the
// sentence takes from each lesson gets up to half of the page.
func (d Merge) proposal(st *look.Style) []string {
	w := max(d.W-2, 1)
	roomy := d.H >= RoomyH
	gap := func(lines []string) []string {
		if roomy {
			return append(lines, "")
		}
		return lines
	}
	r := d.become
	title := st.Accent.Render("one lesson")
	if len(curate.Categories(d.Ls)) > 1 || d.Is != "" {
		title += st.Dim.Render(" · " + lessons.Line(string(r.Category)))
	}
	lines := gap([]string{kit.Ends(title, card.Confidence(r, st)+" "+st.Dim.Render(whySure(r)), w)})
	sentence := look.Lines(lessons.Line(d.words.Content), w, max(d.H/6, 2))
	for i, s := range sentence {
		sentence[i] = st.Strong.Render(s)
	}
	lines = gap(append(lines, sentence...))
	if d.err != nil {
		lines = append(lines, kit.Paragraph(d.err.Error(), w, st.Bad)...)
		if !errors.Is(d.err, curate.ErrNotSame) {
			return lines
		}
		lines = gap(lines)
	}
	end := d.outcome(w, st)
	diffs := d.diffs(w, roomy, st)
	if room := max(d.H*3/5, min(d.H-leastSides-1, 8)) - len(lines) - len(end); len(diffs) > room {
		if diffs = kit.Clip(diffs, 0, max(room-1, 0)); room > 0 {
			diffs = append(diffs, st.Dim.Render("…"))
		}
	}
	return append(append(lines, diffs...), end...)
}

// whySure explains the confidence of the merged lesson.
func whySure(l lessons.Lesson) string {
	n := lessons.Sessions(l.Evidence)
	switch {
	case l.Proof.Own:
		return "as you set it"
	case n > 1:
		return fmt.Sprintf("said in %d sessions", n)
	case len(l.Evidence) > 1:
		return fmt.Sprintf("said %d times", len(l.Evidence))
	}
	return ""
}

// againstW is the width of the gutter of comparisons.
const againstW = 11

// diffs draws what the sentence takes from each lesson: a word diff if it is readable,
// otherwise what it leaves out.
func (d Merge) diffs(w int, roomy bool, st *look.Style) []string {
	var lines []string
	n := 0
	for i, l := range d.Ls {
		if lessons.Line(l.Content) == lessons.Line(d.words.Content) {
			continue
		}
		if n++; n > mostDiffs {
			return append(lines, st.Dim.Render("…"))
		}
		if card.DiffReads(l.Content, d.words.Content) {
			lines = append(lines, kit.WideFact(fmt.Sprintf("diff %d", i+1), againstW, card.WordDiff(l.Content, d.words.Content, st), w, st.Text, st)...)
		} else if only := card.OnlyIn(l.Content, d.words.Content); len(only) > 0 {
			lines = append(lines, kit.WideFact(fmt.Sprintf("only in %d", i+1), againstW, lessons.Line(strings.Join(only, ", ")), w, st.Removed, st)...)
		} else {
			continue
		}
		if roomy {
			lines = append(lines, "")
		}
	}
	return lines
}

// outcome draws the other fields of the merged lesson and the effect of the key.
func (d Merge) outcome(w int, st *look.Style) []string {
	r := d.become
	put := func(lines []string, name, text string, ink look.Ink) []string {
		return append(lines, kit.WideFact(name, againstW, text, w, ink, st)...)
	}
	quotes := fmt.Sprintf("%s, of all of them", kit.Counted(len(r.Evidence), "piece"))
	switch len(r.Evidence) {
	case 0:
		quotes = "none of them has any"
	case 1:
		quotes = "1 piece: all of them quote the same"
	}
	lines := put(nil, "quotes", quotes, st.Text)
	if t := card.Terms(r); t != "" {
		for _, gone := range d.outgrown() {
			t += " " + st.Removed.Render("-"+lessons.Line(gone))
		}
		lines = put(lines, "words", t, st.Dim)
	}
	if where := d.place(r); where != "" {
		lines = put(lines, "scope", lessons.Line(where), st.Text)
	}
	var cost []string
	total := 0
	for _, l := range d.Ls[:min(len(d.Ls), mostDiffs)] {
		n := card.Tokens(l)
		total += n
		cost = append(cost, strconv.Itoa(n))
	}
	in := "in place of " + strings.Join(cost, " + ")
	if len(d.Ls) > 3 {
		in = fmt.Sprintf("in place of %d in %d lessons", total, len(d.Ls))
	}
	what := "one approved lesson"
	if r.Status == lessons.Pending {
		what = "a → one approved lesson, y → one proposal,"
		if d.unseen() != nil {
			what = "y → one proposal, to be judged alone,"
		}
	}
	accept := fmt.Sprintf("%s of %d tokens %s; u or `learnings merge --apart` undoes it", what, card.Tokens(r), in)
	first := kit.WideFact("accept", againstW, accept, w, st.Text, st)
	first[0] = kit.Gutter("accept", againstW, st.OK) + strings.TrimPrefix(first[0], kit.Gutter("accept", againstW, st.Dim))
	if d.err != nil {
		return append(lines, d.wording(w, st)...)
	}
	if d.H < RoomyH { // the effect of the key matters more
		lines = append(first, lines...)
	} else {
		lines = append(lines, first...)
	}
	return append(lines, d.wording(w, st)...)
}

// unseen returns why the merged lesson cannot be approved here: one of the lessons must
// be looked at by itself.
func (d Merge) unseen() error {
	m := d.answer()
	m.Approve = true
	_, err := m.Preview()
	return err
}

// outgrown returns the triggers that are lost because a rewritten sentence lacks their
// words.
func (d Merge) outgrown() (gone []string) {
	if d.err != nil {
		return nil
	}
	for _, l := range d.Ls {
		for _, t := range l.Triggers {
			if !slices.Contains(d.become.Triggers, t) && !slices.Contains(gone, t) && len(d.become.Triggers) < lessons.MaxTerms {
				gone = append(gone, t)
			}
		}
	}
	return gone
}

// wording draws what the linter finds in the proposed sentence.
func (d Merge) wording(w int, st *look.Style) []string {
	n, words := lessons.Measure(d.words.Content)
	found := lessons.Lint(d.become)
	if len(found) == 0 {
		return kit.WideFact("wording", againstW, st.OK.Render("✓")+st.Dim.Render(fmt.Sprintf(" %s, %s", kit.Counted(n, "sentence"), kit.Counted(words, "word"))), w, st.Text, st)
	}
	return kit.WideFact("wording", againstW, st.Warn.Render(look.Sentence("~ "+lessons.Line(told(found[0])), max(w-againstW, 8))), w, st.Text, st)
}

// RoomyH is the least height at which all parts of a page are visible.
const RoomyH = 28
