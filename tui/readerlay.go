package tui

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/tui/card"
	"learnings/tui/kit"
	"learnings/tui/look"
	"learnings/tui/talk"
)

// A page keeps the lines of a part as they were last drawn. It is only a cache for
// view: what it holds follows from the part, the width, the style and the folds.
type page struct {
	w     int
	look  string // the theme
	folds int    // how often something was folded
	lines []string
	items []talk.Item
	start []int  // of each item its first line, and then the end of all
	quote [2]int // the lines of what is quoted in a longer turn, up to before the second; 0 and 0 for none
}

// readGutter is how wide the number of a line and who speaks are.
const readGutter = 15

// folds are what the person has folded or unfolded.
type folds struct {
	n      int          // how often
	all    bool         // tools are unfolded
	turned map[int]bool // items that are the other way
}

func (f folds) turn(i int) folds {
	f.turned = maps.Clone(f.turned)
	if f.turned == nil {
		f.turned = map[int]bool{}
	}
	f.turned[i] = !f.turned[i]
	f.n++
	return f
}

func (f folds) open(i int) bool { return f.all != f.turned[i] }

// laid are all items as lines, of whatever style.
func (d reader) laid() *page {
	if d.page.w == d.textW() && d.page.folds == d.folds.n && d.page.lines != nil {
		return d.page
	}
	return d.lay(kit.Unseen)
}

// lay lays all items out.
func (d reader) lay(st *look.Style) *page {
	p, w := d.page, d.textW()
	if len(d.part.Turns) == 0 || p.w == w && p.look == st.Name && p.folds == d.folds.n && p.lines != nil {
		return p
	}
	if p.items == nil {
		at := -1
		if d.from.Line > 0 && d.line == d.from.Line {
			at = d.part.TurnAt(d.from.Line)
		}
		p.items = d.part.Items(at)
	}
	*p = page{w: w, look: st.Name, folds: d.folds.n, items: p.items}
	if n := d.part.Before; n > 0 {
		p.lines = append(p.lines, st.Dim.Render(fmt.Sprintf(" … %s before", kit.Counted(n, "turn"))), "")
	}
	for i, it := range p.items {
		p.start = append(p.start, len(p.lines))
		p.lines = append(p.lines, d.item(i, it, w-1, st)...)
	}
	p.start = append(p.start, len(p.lines))
	if n := d.part.After; n > 0 {
		p.lines = append(p.lines, st.Dim.Render(fmt.Sprintf(" … %s behind", kit.Counted(n, "turn"))))
	}
	if n := d.part.Bad; n > 0 {
		p.lines = append(p.lines, st.Warn.Render(fmt.Sprintf(" ! %s could not be read", kit.Counted(n, "line"))))
	}
	return p
}

// item draws one item.
func (d reader) item(i int, it talk.Item, w int, st *look.Style) []string {
	var lines []string
	if it.Here {
		says := look.Pinned + " evidence"
		if len(d.all) > 0 {
			says += fmt.Sprintf(" %d of %d", d.at+1, len(d.all))
		}
		lines = append(lines, kit.Ends("", st.Person.Render(says)+st.Dim.Render(standsOn(d))+" ", w))
		lines = append(lines, d.judged(it, w, st)...)
	}
	if more := otherQuotes(d, i, st); more != "" {
		lines = append(lines, kit.Ends("", more, w))
	}
	t := d.part.Turns[it.From]
	if it.Calls != nil {
		return append(lines, d.tools(i, it, w, st)...)
	}
	who, name, ink, side, most := "agent", st.Agent, st.Text, " ", 12
	switch {
	case t.Speaker == transcript.Person:
		who, name, side, most = "person", st.Person, st.Person.Render(look.Said), 400
	case t.Kind == transcript.Thinking:
		who, name, ink, most = "thinks", st.Dim, st.Dim, 1
	case t.Speaker == transcript.Harness:
		who, name, ink, most = "harness", st.Dim, st.Dim, 2
	}
	text := talk.Spoken(t)
	if len(text) > kit.MostShown && !it.Here {
		text = strings.ToValidUTF8(text[:kit.MostShown], "") + " …"
	}
	all := kit.Wrap(lessons.Block(strings.TrimSpace(text)), max(w-readGutter-1, 8))
	rest := 0
	if !d.folds.open(i) && !it.Here && len(all) > most+1 {
		rest, all = len(all)-most, all[:most:most]
	}
	if len(all) > 4000 {
		all = append(all[:4000:4000], "…")
	}
	var quote [2]int
	if it.Here {
		quote[0], quote[1] = kit.LinesOf(all, d.from.Quote)
	}
	if at := len(d.page.lines) + len(lines); quote[1] > 0 {
		d.page.quote = [2]int{at + quote[0], at + quote[1]}
	}
	for k, l := range all {
		ink, before := ink, prefix(t.Line, who, k == 0, name, st)
		if k >= quote[0] && k < quote[1] {
			if ink = st.Strong; k > 0 && k == quote[0] {
				before = strings.Repeat(" ", readGutter-2) + st.Person.Render(look.Pinned) + " "
			}
		}
		lines = append(lines, before+side+ink.Render(l))
	}
	if rest > 0 {
		lines = append(lines, strings.Repeat(" ", readGutter+1)+st.Dim.Render("▸ "+kit.Counted(rest, "more line")))
	}
	if t.Speaker == transcript.Person || i+1 < len(d.page.items) && d.part.Turns[d.page.items[i+1].From].Speaker == transcript.Person {
		lines = append(lines, "")
	}
	return lines
}

// prefix is the number of a line and who speaks; without, the room of both.
func prefix(line int, who string, first bool, name look.Ink, st *look.Style) string {
	if !first {
		return strings.Repeat(" ", readGutter)
	}
	return st.Dim.Render(fmt.Sprintf("%6d", line)) + name.Render(fmt.Sprintf("%8s", who)) + " "
}

// judged is the sentence that the deciding keys are for, unless it is what was said there.
func (d reader) judged(it talk.Item, w int, st *look.Style) []string {
	l := d.of
	spoken := func(s string) string {
		return strings.ToLower(strings.Trim(strings.Join(strings.Fields(lessons.Line(s)), " "), " .!"))
	}
	if l.ID == "" || it.Calls == nil && spoken(l.Content) == spoken(d.part.Turns[it.From].Text) {
		return nil
	}
	lines := look.Lines(lessons.Line(kit.CutTo(l.Content, kit.MostShown)), max(w-readGutter-1, 8), 2)
	for i, s := range lines {
		left := strings.Repeat(" ", readGutter+1)
		if i == 0 {
			left = st.Dim.Render(fmt.Sprintf("%14s", "lesson")) + "  "
		}
		lines[i] = left + st.Strong.Render(s)
	}
	return lines
}

// standsOn says what became of the lesson.
func standsOn(d reader) string {
	if d.of.ID == "" {
		return ""
	}
	return fmt.Sprintf(" %s %.2f %s", look.Tag(lessons.Line(string(d.of.Category))), float64(d.of.Confidence), d.of.Status)
}

// tools draws calls: folded on one line, by tool, with how many and how much they
// answered.
func (d reader) tools(i int, it talk.Item, w int, st *look.Style) []string {
	line := d.part.Turns[it.From].Line
	room := max(w-readGutter-3, 8)
	if it.Failed {
		return failedCall(d, i, it, room, st)
	}
	sign := "▸ "
	if d.folds.open(i) {
		sign = "▾ "
	}
	var names, files []string
	times := map[string]int{}
	bytes := 0
	for _, c := range it.Calls {
		n, about := talk.ToolOf(d.part.Turns[c.Asked])
		if times[n]++; times[n] == 1 {
			names = append(names, n)
		}
		if about != "" {
			files = append(files, about)
		}
		if c.Answer >= 0 {
			bytes += len(d.part.Turns[c.Answer].Text)
		}
	}
	for k, n := range names {
		if times[n] > 1 {
			names[k] += fmt.Sprintf(" ×%d", times[n])
		}
	}
	says := lessons.Line(strings.Join(names, ", "))
	tail := ""
	if bytes > 0 {
		tail = " " + kit.Size(int64(bytes))
	}
	if len(files) > 0 {
		more := ""
		if n := len(files) - 1; n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		says += " " + look.Sentence(lessons.Line(kit.CutTo(files[0], kit.MostShown)), max(room-kit.CellsOf(says+more+tail)-1, 6)) + more
	}
	lines := []string{prefix(line, "tool", true, st.Tool, st) + " " + sign + ansi.Truncate(says, max(room-kit.CellsOf(tail), 4), "…") + st.Dim.Render(tail)}
	if sign == "▾ " {
		for _, c := range it.Calls {
			lines = append(lines, unfoldedCall(d, c, len(it.Calls) > 1, room, st)...)
		}
	}
	return lines
}

// failedCall draws a call that failed: it is open from the start.
func failedCall(d reader, i int, it talk.Item, room int, st *look.Style) []string {
	c := it.Calls[0]
	t := d.part.Turns[c.Asked]
	name, about := talk.ToolOf(t)
	why := t.Text
	if c.Answer >= 0 {
		why = d.part.Turns[c.Answer].Text
	}
	says := look.Sentence(lessons.Line(strings.TrimSpace(name+" "+kit.CutTo(about, kit.MostShown))), room)
	first := prefix(t.Line, "tool", true, st.Bad, st) + " " + st.Bad.Render(look.Rejected) + " " + says
	why = lessons.Line(kit.CutTo(why, kit.MostShown))
	if d.folds.open(i) {
		return append([]string{first}, unfoldedCall(d, c, false, room, st)...)
	}
	if left := room - kit.CellsOf(says) - 1; kit.CellsOf(why) <= left {
		return []string{first + " " + st.Bad.Render(why)}
	}
	lines := []string{first}
	for _, l := range look.Lines(why, room, 3) {
		lines = append(lines, strings.Repeat(" ", readGutter+3)+st.Bad.Render(l))
	}
	return lines
}

// The most lines of what a call that is unfolded asked, and of what it was answered.
const (
	mostAsked  = 60
	mostAnswer = 40
)

// unfoldedCall is a call whole: an edit as a diff, else what was asked and what came of it.
func unfoldedCall(d reader, c talk.Call, named bool, room int, st *look.Style) []string {
	t := d.part.Turns[c.Asked]
	var lines []string
	put := func(sign, text string, most int, ink look.Ink) {
		text = strings.Trim(kit.CutTo(text, kit.MostShown), "\n")
		if text == "" {
			return
		}
		all := strings.Split(lessons.Block(text), "\n")
		for k, l := range all {
			if k == most {
				lines = append(lines, st.Dim.Render(fmt.Sprintf("▸ %s", kit.Counted(len(all)-k, "more line"))))
				break
			}
			lines = append(lines, ink.Render(ansi.Truncate(sign+l, room-2, "…")))
		}
	}
	if name, about := talk.ToolOf(t); named && t.Kind == transcript.Call {
		put("", name+" "+lessons.Line(about), 1, st.Tool)
	}
	switch {
	case talk.Editing(t):
		put("- ", t.Tool.Old, mostAsked, st.Removed)
		put("+ ", t.Tool.New, mostAsked, st.Added)
	case t.Kind == transcript.Call && t.Tool != nil:
		text := t.Tool.Command
		if text == "" && t.Tool.Path == "" {
			text = t.Tool.Input
		}
		put("", text, mostAsked, st.Text)
	default:
		put("", t.Text, mostAnswer, st.Dim)
	}
	if c.Answer >= 0 && !(talk.Editing(t) && !d.part.Turns[c.Answer].Failed) {
		ink := st.Dim
		if d.part.Turns[c.Answer].Failed {
			ink = st.Bad
		}
		put("", d.part.Turns[c.Answer].Text, mostAnswer, ink)
	}
	for k, l := range lines {
		lines[k] = strings.Repeat(" ", readGutter+5) + l
	}
	return lines
}

// snapshotOf is what the evidence itself holds.
func snapshotOf(d reader, w int, st *look.Style) []string {
	var lines []string
	why := d.err.Error()
	if d.from.From == "import" {
		why = d.from.Path + " is a store of another program: there is no transcript of it here"
	}
	for _, l := range kit.Wrap(lessons.Line(why), w) {
		lines = append(lines, st.Warn.Render(l))
	}
	if d.from.Quote == "" {
		return lines
	}
	lines = append(lines, "", st.Dim.Render("This is what was kept of it:"), "")
	for _, t := range d.from.Before {
		lines = append(append(lines, keptTurn(t, w, st)...), "")
	}
	lines = append(lines, "  "+st.Dim.Render(string(d.from.By)+" ")+st.Person.Render(look.Pinned)+st.Dim.Render(" this lesson"))
	lines = append(lines, kit.Quote(d.from.Quote, 200, w, st.Person, st.Text)...)
	for _, t := range d.from.After {
		lines = append(append(lines, ""), keptTurn(t, w, st)...)
	}
	return lines
}

// keptTurn is a turn as the evidence has kept it, with who spoke.
func keptTurn(t string, w int, st *look.Style) []string {
	who, text := card.SpeakerOf(t)
	if who == "" {
		return kit.Quote(text, 40, w, st.Dim, st.Dim)
	}
	return append([]string{"  " + st.Dim.Render(who)}, kit.Quote(text, 40, w, st.Dim, st.Dim)...)
}

// lit is a line with the words that are searched for underlined.
func lit(line, words string, st *look.Style) string {
	text := ansi.Strip(line)
	low := strings.ToLower(text)
	if words == "" || len(low) != len(text) || !strings.Contains(low, words) {
		return line
	}
	var b strings.Builder
	for {
		at := strings.Index(low, words)
		if at < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:at] + st.Accent.Underline().Render(text[at:at+len(words)]))
		text, low = text[at+len(words):], low[at+len(words):]
	}
}

// tocW is how wide the table of contents is; 0 where there is no room for it.
func (d reader) tocW() int {
	if d.W < 100 || d.err != nil {
		return 0
	}
	return min(d.W*28/100, 44)
}

// textW is the width of the transcript.
func (d reader) textW() int {
	if n := d.tocW(); n > 0 {
		return d.W - n - 1
	}
	return d.W
}

// tocOf is the table of contents: what the person said, and the files.
func tocOf(d reader, st *look.Style) kit.Column {
	c := kit.Column{W: d.tocW(), H: d.H, Title: st.Strong.Render("what the person said"), Right: st.Dim.Render(kit.Grouped(len(d.part.Said)))}
	files := touchedFiles(d, c.W, max(d.H/4, 3), st)
	room := max(d.H-2-len(files), 3)
	now := d.sayingAt()
	from := max(now, 0)
	for n := 0; from > 0 && n < room/2; n += 2 {
		from--
	}
	for i := from; i < len(d.part.Said) && len(c.Lines) < room; i++ {
		s := d.part.Said[i]
		sign := "  "
		if d.from.Line > 0 && s.Line == d.from.Line {
			sign = st.Person.Render(look.Pinned) + " "
		}
		for k, l := range look.Lines(lessons.Line(s.Text), max(c.W-10, 4), 2) {
			num := strings.Repeat(" ", 6)
			if k == 0 {
				num = st.Dim.Render(fmt.Sprintf("%5d ", s.Line))
			} else {
				sign = "  "
			}
			if i == now {
				l = st.Strong.Render(l)
			}
			l = kit.Edge(i == now, st) + num + sign + l
			if i == now {
				l = st.Select(kit.Fit(l, c.W))
			}
			c.Lines = append(c.Lines, l)
		}
		if left := len(d.part.Said) - i - 1; left > 0 && len(c.Lines) >= room-2 {
			c.Lines = append(c.Lines, strings.Repeat(" ", 9)+st.Dim.Render(kit.Grouped(left)+" more"))
			break
		}
	}
	for len(c.Lines) < room {
		c.Lines = append(c.Lines, "")
	}
	c.Lines = append(c.Lines[:room:room], files...)
	return c
}

// touchedFiles are the files of the table of contents, and the figures below them.
func touchedFiles(d reader, w, most int, st *look.Style) []string {
	lines := []string{" " + st.Rule.Render(strings.Repeat("─", w-2)), " " + st.Strong.Render("files")}
	for i, f := range d.part.Files {
		if i == most-1 && len(d.part.Files) > most {
			lines = append(lines, "  "+st.Dim.Render(fmt.Sprintf("%s more", kit.Grouped(len(d.part.Files)-i))))
			break
		}
		did := "read"
		if f.Edits > 0 {
			did = kit.Counted(f.Edits, "edit")
		}
		name := f.Path[strings.LastIndexAny(f.Path, `/\`)+1:]
		lines = append(lines, kit.Ends("  "+ansi.Truncate(lessons.Line(name), max(w-kit.CellsOf(did)-5, 4), "…"), " "+st.Dim.Render(did)+" ", w))
	}
	if len(d.part.Files) == 0 {
		lines = lines[:0]
	}
	figures := " " + st.Dim.Render("errors ") + fmt.Sprint(d.part.Errors)
	if d.part.Errors > 0 {
		figures = " " + st.Dim.Render("errors ") + st.Bad.Render(fmt.Sprint(d.part.Errors))
	}
	if d.part.Edits > 0 {
		figures = " " + st.Dim.Render("reads to edits ") + fmt.Sprintf("%.1f", float64(d.part.Reads)/float64(d.part.Edits)) + "  " + figures
	}
	return append(append(lines, ""), figures)
}

// sayingAt is the last thing that the person said up to the cursor; -1 for none.
func (d reader) sayingAt() int {
	line := d.lineAt()
	i, _ := slices.BinarySearchFunc(d.part.Said, line+1, func(s talk.Utterance, l int) int { return s.Line - l })
	return i - 1
}
