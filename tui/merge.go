package tui

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/stance"
	"learnings/tui/look"
)

// A merge shows several lessons, the one that would come of them, and what its
// sentence changes. One key accepts, and it is none that is pressed by habit.
type merge struct {
	fx     effects
	ls     []lessons.Lesson // the one that lives on first
	from   int              // whose wording is proposed
	words  lessons.Wording  // that is proposed
	is     lessons.Category // of the one; "" for that of the lesson that lives on
	global bool             // what several projects have learned holds in every one
	become lessons.Lesson   // what would be stored
	err    error            // or why it cannot be
	scroll

	kept, merged dialog // what to come back to when it was left or made; nil for the pane
}

func newMerge(fx effects, ls []lessons.Lesson) merge {
	d := merge{fx: fx, ls: curate.MergeOf(ls).All()}
	d.global = d.projects() > 1 // proposed, and one key away from not
	return d.take(0)
}

// open shows the merge and reads its lessons whole.
func (d merge) open() out { return ask(d).and(run(d.whole())) }

// whole reads the lessons from their files: rows and what a card lists come without the
// turns around the quotes.
func (d merge) whole() job {
	return func(context.Context) tea.Msg {
		m := mergeReadMsg{}
		for _, l := range d.ls[:min(len(d.ls), mostListed)] {
			if now, err := d.fx.Corpus.Store.Get(l.ID); err == nil { // accepting it says what is wrong
				m = append(m, now)
			}
		}
		return m
	}
}

// mergeReadMsg are lessons of a merge as they are stored.
type mergeReadMsg []lessons.Lesson

// read takes what was said around the quotes of lessons that are as they are shown.
func (d merge) read(ls []lessons.Lesson) merge {
	d.ls = slices.Clone(d.ls)
	for _, now := range ls {
		i := slices.IndexFunc(d.ls, func(l lessons.Lesson) bool { return l.ID == now.ID })
		if i < 0 || len(d.ls[i].Evidence) != len(now.Evidence) {
			continue
		}
		d.ls[i].Evidence = slices.Clone(d.ls[i].Evidence)
		for j, e := range now.Evidence {
			if was := &d.ls[i].Evidence[j]; was.Quote == e.Quote && was.Line == e.Line {
				was.Before, was.After = e.Before, e.After
			}
		}
	}
	return d.anew()
}

func (d merge) update(msg tea.Msg) (dialog, out) {
	switch m := msg.(type) {
	case roomMsg:
		d.roomMsg = m
	case mergeReadMsg:
		return d.read(m), out{}
	}
	n, h := d.length()
	d.scroll = d.by(turned(msg, h), n, h)
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return d, out{}
	}
	switch s := k.String(); s {
	case "esc", "q", "n":
		return d.kept, say("nothing was merged")
	case "y":
		if d.err != nil {
			return d, warn("%v", d.err)
		}
		return d.merged, out{answer: d.answer()}
	case "a":
		return d.accepted()
	case "e", "i":
		shown := d.become
		if d.err != nil {
			shown = d.answer().Into
		}
		return ofSentence(d.fx, shown, d, func(l lessons.Lesson) dialog {
			d.words = l.Wording
			return d.anew()
		}), out{}
	case "p":
		if d.projects() > 1 {
			d.global = !d.global
			return d.anew(), out{}
		}
	case "o":
		return readUnder(d.fx, d.ls[d.from], d)
	case "tab":
		return d.take((d.from + 1) % len(d.ls)), out{}
	default:
		if n, err := strconv.Atoi(s); err == nil && n >= 1 && n <= len(d.ls) {
			return d.take(n - 1), out{}
		}
	}
	return d, out{}
}

// accepted makes one approved lesson of them.
func (d merge) accepted() (dialog, out) {
	m := d.answer()
	m.Approve = true
	if _, err := m.Preview(); err != nil {
		if d.err == nil {
			return d, warn("one of them is flagged: decide on it alone first, or y makes one proposal of them")
		}
		return d, warn("%v", err)
	}
	return d.merged, out{answer: m}
}

// take proposes the wording of one of the lessons.
func (d merge) take(i int) merge {
	d.from, d.words = i, d.ls[i].Wording
	d.words.Content = lessons.Line(d.words.Content)
	return d.anew()
}

// answer is the merge with the wording that the person has chosen.
func (d merge) answer() curate.Merge {
	m := curate.Merge{Into: d.ls[0], From: d.ls[1:], Global: d.global, Was: d.ls[0].Content}
	m.Into.Category = cmp.Or(d.is, m.Into.Category)
	m.Into.Wording = d.words
	if of := d.ls[d.from].Wording; d.words.Content == lessons.Line(of.Content) {
		m.Into.Content = of.Content
	}
	return m
}

// anew recomputes the lesson that would be stored.
func (d merge) anew() merge {
	d.become, d.err = d.answer().Preview()
	return d
}

// projects is in how many projects the lessons were learned.
func (d merge) projects() int { return len(curate.Projects(d.ls)) }

// place says where the merged lesson would hold; "" if that is obvious.
func (d merge) place(r lessons.Lesson) string {
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

func (d merge) hints() []hint {
	hints := []hint{{key: "a", foot: "accept"}}
	if d.become.Status == lessons.Pending && d.err == nil {
		hints = []hint{{key: "a", foot: "accept and approve"}, {key: "y", foot: "accept, leave it pending"}}
		if d.unseen() != nil {
			hints = hints[1:]
		}
	}
	if d.err != nil {
		hints = nil
	}
	hints = append(hints, hint{key: "tab 1-" + strconv.Itoa(min(len(d.ls), 9)), foot: "whose words"}, hint{key: "i", foot: "write it"}, hint{key: "o", foot: "evidence"})
	if d.projects() > 1 {
		hints = append(hints, hint{key: "p", foot: "where it holds"})
	}
	return append(hints, hint{key: "j k", foot: "scroll"}, hint{key: "esc", foot: "leave them apart"})
}

// leastSides is the smallest height of the merged lessons.
const leastSides = 4

// parting is where a merge and a settlement divide the page: the height of the lessons
// above, for a text of n lines below.
func parting(h, n int) (top, bottom int) {
	bottom = min(n, max(h-1-leastSides, 1))
	return max(h-1-bottom, 1), bottom
}

// pair reports whether there are two lessons, shown side by side.
func (d merge) pair() bool { return len(d.ls) == 2 && d.w >= wide }

// length is how many lines can be scrolled through, and how many are in sight.
func (d merge) length() (n, h int) {
	st := measured(d.fx)
	top, _ := parting(d.h, len(d.proposal(st)))
	if d.pair() {
		a, b := sidesOf(d.w)
		return max(len(d.side(0, a-2, st)), len(d.side(1, b-2, st))), max(top-2, 1)
	}
	return len(d.several(d.w-2, st)), top
}

// sidesOf are the widths of two columns of a page.
func sidesOf(w int) (left, right int) { return w / 2, w - w/2 - 1 }

func (d merge) sheet(st *look.Style) sheet {
	s := sheet{head: st.Strong.Render("merge "+strings.TrimSuffix(lessonsOf(len(d.ls)), " lessons")) + st.Dim.Render(" "+lessons.Line(bar("into one", strings.Join(curate.Projects(d.ls), ", ")))), right: d.togetherness(st)}
	all := d.proposal(st)
	top, bottom := parting(d.h, len(all))
	if d.pair() {
		a, b := sidesOf(d.w)
		s.cols = []column{d.column(0, a, top, st), d.column(1, b, top, st)}
	} else {
		lines := d.several(d.w-2, st)
		seen := clip(lines, d.top, top)
		s.cols = []column{{w: d.w, h: top, lines: indented(seen), more: max(len(lines)-d.top-top, 0)}}
	}
	s.foot = indented(all[:min(bottom, len(all))])
	s.running = st.Dim.Render("nothing is merged before you accept it")
	return s
}

// togetherness says what the lessons have in common, or that they contradict each other.
func (d merge) togetherness(st *look.Style) string {
	for i, a := range d.ls[:min(len(d.ls), mostDiffs)] {
		for j := range i {
			if _, against := stance.Between(a, d.ls[j]); against {
				return st.Bad.Render(fmt.Sprintf("%s %d and %d contradict each other", look.Against, j+1, i+1))
			}
		}
	}
	var all []lessons.Evidence
	for _, l := range d.ls {
		all = append(all, l.Evidence...)
	}
	if n := lessons.Sessions(all); n == 1 && len(all) > 1 {
		return st.Tool.Render(look.Alike) + st.Dim.Render(" said in one session")
	} else if n > 1 {
		return st.Tool.Render(look.Alike) + st.Dim.Render(fmt.Sprintf(" said in %d sessions", n))
	}
	return ""
}

// column is one lesson of a pair.
func (d merge) column(i, w, h int, st *look.Style) column {
	lines := d.side(i, w-2, st)
	title, right := sideHead(i+1, d.ls[i], "", st)
	if i == 0 {
		title += st.Dim.Render(" · lives on")
	}
	c := column{w: w, h: h, title: title, right: right, lines: indented(clip(lines, d.top, max(h-2, 0)))}
	c.more = max(len(lines)-d.top-(h-2), 0)
	return c
}

// sideHead names one of two lessons, with how sure it is.
func sideHead(n int, l lessons.Lesson, where string, st *look.Style) (title, right string) {
	at := ""
	if !l.Created.IsZero() {
		at = l.Created.Local().Format("2 Jan")
	}
	title = st.Accent.Render(strconv.Itoa(n)) + " " + st.Strong.Render(lessons.Line(string(l.Category))) + where + st.Dim.Render(" · "+bar(string(l.Status), at))
	share := float64(l.Confidence)
	return title, st.Bar(share, 6, st.Grade(share)) + " " + st.Strong.Render(fmt.Sprintf("%.2f", share))
}

// side is the text of a lesson of a pair.
func (d merge) side(i, w int, st *look.Style) []string {
	var mine, other string
	if c, ok := stance.Between(d.ls[i], d.ls[1-i]); ok {
		mine, other = c.A.Text, c.B.Text
	}
	return sideText(d.ls[i], mine, other, w, st)
}

// sideText is a lesson that is shown beside another: its sentence, with the words that
// clash with those of the other, why, and who said it.
func sideText(l lessons.Lesson, mine, other string, w int, st *look.Style) []string {
	lines := clashing(l.Content, mine, other, w, st)
	if strings.TrimSpace(l.Insight) != "" {
		lines = append(append(lines, ""), paragraph(l.Insight, w, st.Text)...)
	}
	lines = append(lines, "")
	lines = append(lines, card{lesson: l, whole: true}.evidence(w, 0, st)...)
	if p := proof(l); p != "" {
		lines = append(lines, field("use", lessons.Line(p), w, st.Dim, st)...)
	}
	return lines
}

// clashing is a sentence with the words in it that clash with those of another.
func clashing(sentence, mine, other string, w int, st *look.Style) []string {
	text := lessons.Line(cutTo(sentence, shown))
	mine = strings.TrimSpace(lessons.Line(mine))
	at := strings.Index(text, mine)
	if mine == "" || at < 0 {
		return paragraph(sentence, w, st.Strong)
	}
	bad := st.Bad.Bold().Underline()
	var b strings.Builder
	b.WriteString(st.Strong.Render(text[:at]))
	both := inBoth(mine, lessons.Line(other))
	differ := func(f string) bool {
		f = strings.ToLower(strings.Trim(f, "\"'`()[]{}<>*.,;:?! "))
		return f != "" && !slices.Contains(both, f) && (len(index.Words(f)) > 0 || negates[f])
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
	return wrap(b.String(), w)
}

// negates are small words that turn what is said around.
var negates = map[string]bool{"not": true, "no": true, "never": true, "don't": true, "without": true, "avoid": true, "doesn't": true, "won't": true, "nor": true}

// mostListed is how many of the merged lessons are shown.
const mostListed = 200

// several shows the lessons one below the other.
func (d merge) several(w int, st *look.Style) []string {
	var lines []string
	for i, l := range d.ls {
		if i == mostListed {
			return append(lines, st.Dim.Render(fmt.Sprintf("and %s more", lessonsOf(len(d.ls)-i))))
		}
		title, right := sideHead(i+1, l, "", st)
		if i == 0 {
			title += st.Dim.Render(" · lives on")
		}
		lines = append(lines, ends(title, right, w))
		for _, s := range paragraph(l.Content, w-3, st.Text) {
			lines = append(lines, "  "+s)
		}
		if len(l.Evidence) > 0 {
			lines = append(lines, spoke(string(l.Evidence[0].By), l.Evidence[0].Quote, 1, w, st)...)
		}
		lines = append(lines, "")
	}
	return lines
}

// mostDiffs is with how many of its lessons the merged one is compared.
const mostDiffs = 8

// proposal tells what would come of the merge. The sentence and what the key does are
// shown wherever they fit; what the sentence takes from each lesson is shown as far as
// half of the page has room.
func (d merge) proposal(st *look.Style) []string {
	w := max(d.w-2, 1)
	roomy := d.h >= roomyEditor
	gap := func(lines []string) []string {
		if roomy {
			return append(lines, "")
		}
		return lines
	}
	r := d.become
	share := float64(r.Confidence)
	title := st.Accent.Render("one lesson")
	if len(curate.Categories(d.ls)) > 1 || d.is != "" {
		title += st.Dim.Render(" · " + lessons.Line(string(r.Category)))
	}
	lines := gap([]string{ends(title, st.Bar(share, 8, st.Grade(share))+" "+st.Strong.Render(fmt.Sprintf("%.2f", share))+" "+st.Dim.Render(whySure(r)), w)})
	sentence := look.Lines(lessons.Line(d.words.Content), w, max(d.h/6, 2))
	for i, s := range sentence {
		sentence[i] = st.Strong.Render(s)
	}
	lines = gap(append(lines, sentence...))
	if d.err != nil {
		return append(lines, paragraph(d.err.Error(), w, st.Bad)...)
	}
	end := d.outcome(w, st)
	diffs := d.diffs(w, roomy, st)
	if room := max(d.h*3/5, min(d.h-leastSides-1, 8)) - len(lines) - len(end); len(diffs) > room {
		if diffs = clip(diffs, 0, max(room-1, 0)); room > 0 {
			diffs = append(diffs, st.Dim.Render("…"))
		}
	}
	return append(append(lines, diffs...), end...)
}

// whySure says why a merged lesson is as sure as it is.
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

// against is the width of the gutter of what is compared.
const againstW = 11

// diffs shows what the sentence takes from each lesson: word by word where that can be read,
// else what of the other one it does not speak of.
func (d merge) diffs(w int, roomy bool, st *look.Style) []string {
	var lines []string
	n := 0
	for i, l := range d.ls {
		if lessons.Line(l.Content) == lessons.Line(d.words.Content) {
			continue
		}
		if n++; n > mostDiffs {
			return append(lines, st.Dim.Render("…"))
		}
		if diffReads(l.Content, d.words.Content) {
			lines = append(lines, labelled(fmt.Sprintf("diff %d", i+1), againstW, wordDiff(l.Content, d.words.Content, st), w, st.Text, st)...)
		} else if only := onlyIn(l.Content, d.words.Content); len(only) > 0 {
			lines = append(lines, labelled(fmt.Sprintf("only in %d", i+1), againstW, lessons.Line(strings.Join(only, ", ")), w, st.Removed, st)...)
		} else {
			continue
		}
		if roomy {
			lines = append(lines, "")
		}
	}
	return lines
}

// outcome shows what else the merged lesson has, and what the key does.
func (d merge) outcome(w int, st *look.Style) []string {
	r := d.become
	put := func(lines []string, name, text string, ink look.Ink) []string {
		return append(lines, labelled(name, againstW, text, w, ink, st)...)
	}
	quotes := fmt.Sprintf("%s, of all of them", counted(len(r.Evidence), "piece"))
	switch len(r.Evidence) {
	case 0:
		quotes = "none of them has any"
	case 1:
		quotes = "1 piece: all of them quote the same"
	}
	lines := put(nil, "quotes", quotes, st.Text)
	if t := terms(r); t != "" {
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
	for _, l := range d.ls[:min(len(d.ls), mostDiffs)] {
		n := tokens(l)
		total += n
		cost = append(cost, strconv.Itoa(n))
	}
	in := "in place of " + strings.Join(cost, " + ")
	if len(d.ls) > 3 {
		in = fmt.Sprintf("in place of %d in %d lessons", total, len(d.ls))
	}
	what := "one approved lesson"
	if r.Status == lessons.Pending {
		what = "a → one approved lesson, y → one proposal,"
		if d.unseen() != nil {
			what = "y → one proposal, to be judged alone,"
		}
	}
	accept := fmt.Sprintf("%s of %d tokens %s; ‹undo u› undoes it, `learnings split` takes it apart later", what, tokens(r), in)
	first := labelled("accept", againstW, accept, w, st.Text, st)
	first[0] = gutter("accept", againstW, st.OK) + strings.TrimPrefix(first[0], gutter("accept", againstW, st.Dim))
	if d.h < roomyEditor { // what it does matters more
		lines = append(first, lines...)
	} else {
		lines = append(lines, first...)
	}
	return append(lines, d.wording(w, st)...)
}

// unseen is why the merged lesson cannot be approved here: one of them must be looked at
// alone.
func (d merge) unseen() error {
	m := d.answer()
	m.Approve = true
	_, err := m.Preview()
	return err
}

// outgrown are the triggers that go, since a sentence written anew has not their words.
func (d merge) outgrown() (gone []string) {
	if d.err != nil {
		return nil
	}
	for _, l := range d.ls {
		for _, t := range l.Triggers {
			if !slices.Contains(d.become.Triggers, t) && !slices.Contains(gone, t) && len(d.become.Triggers) < lessons.MaxTerms {
				gone = append(gone, t)
			}
		}
	}
	return gone
}

// wording is what the rules for sentences find in the one that is proposed.
func (d merge) wording(w int, st *look.Style) []string {
	n, words := lessons.Measure(d.words.Content)
	found := lessons.Lint(d.become)
	if len(found) == 0 {
		return labelled("wording", againstW, st.OK.Render("✓")+st.Dim.Render(fmt.Sprintf(" %s, %s", counted(n, "sentence"), counted(words, "word"))), w, st.Text, st)
	}
	text := found[0].Says
	if found[0].Found != "" {
		text = "“" + found[0].Found + "” " + text
	}
	return labelled("wording", againstW, st.Warn.Render(look.Sentence("~ "+lessons.Line(text), max(w-againstW, 8))), w, st.Text, st)
}
