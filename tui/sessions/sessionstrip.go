package sessions

import (
	"fmt"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// This file draws the strip below the sessions: the run under way, and those that have
// ended.

// How many files of a run, and how many runs, the strip shows at most.
const (
	mostRead = 3
	mostPast = 3
)

// stripHeight is how many lines the strip takes.
func stripHeight(p Pane) int { return len(stripOf(p, kit.Unseen)) }

func stripOf(p Pane, st *look.Style) []string {
	if p.h < 12 { // the list comes first
		if p.mine.running {
			return []string{meter(p, st)}
		}
		return nil
	}
	var lines []string
	if p.mine.running {
		what := "run · " + p.mine.reader() + " · started " + age(p.mine.begun, p.fx.Now()) + " ago"
		if p.mine.begun.Add(time.Minute).After(p.fx.Now()) {
			what = "run · " + p.mine.reader()
		}
		if p.mine.pause.held() {
			what += " · held back"
		}
		lines = append(lines, ruled(what, "p hold  esc stop", p.w, st), meter(p, st))
		read := p.mine.at.Read
		for _, r := range read[max(0, len(read)-mostRead+1):] {
			lines = append(lines, readLine(p, r, st))
		}
		if path := p.mine.at.Path; path != "" && p.mine.at.File < p.mine.at.Files {
			lines = append(lines, " "+st.Accent.Render("▸")+" "+namedFor(p, path))
		}
	}
	if len(p.past) > 0 && (p.h >= 20 || !p.mine.running) {
		lines = append(lines, ruled("runs before", "", p.w, st))
		for _, r := range p.past[:min(len(p.past), mostPast)] {
			lines = append(lines, pastLine(p, r, st))
		}
	}
	if p.scan.err != nil {
		lines = append(lines, p.missed(st))
	}
	return lines
}

// ruled is a hairline with words on it.
func ruled(left, right string, w int, st *look.Style) string {
	line := st.Rule.Render("─ ") + left + " "
	if right != "" {
		right = " " + st.Dim.Render(right) + " " + st.Rule.Render("─")
	}
	return line + st.Rule.Render(strings.Repeat("─", max(w-kit.CellsOf(left)-3-kit.CellsOf(right), 0))) + right
}

// reader is who reads.
func (m mining) reader() string {
	if m.model == "" {
		return "rules"
	}
	return lessons.Line(m.model)
}

// share is how much of a run is done, of the bytes.
func (m mining) share() float64 {
	if m.at.Total == 0 {
		return 0
	}
	return min(float64(m.at.Done)/float64(m.at.Total), 1)
}

// Progress is how much of the run under way is done; false when there is none.
func (p Pane) Progress() (float64, bool) {
	return p.mine.share(), p.mine.running && p.mine.at.Total > 0
}

// Reading says for other screens how far the run under way is; "" when there is none.
func (p Pane) Reading() string {
	m := p.mine
	if !m.running {
		return ""
	}
	says := fmt.Sprintf("  reading %s/%s", kit.Grouped(min(m.at.File+1, m.at.Files)), kit.Grouped(m.at.Files))
	if left, ok := remaining(p.fx.Now().Sub(m.begun), m.share()); ok {
		says += " · " + left + " left"
	}
	return says
}

// meter shows how far the run is: a bar, files, bytes, the time left, what was found.
func meter(p Pane, st *look.Style) string {
	m := p.mine
	share := m.share()
	bar := st.Bar(share, max(min(p.w/3, 44), 8), st.Accent)
	text := fmt.Sprintf("  %s of %s", kit.Grouped(min(m.at.File+1, m.at.Files)), kit.Grouped(m.at.Files))
	if m.at.Total > 0 {
		text += fmt.Sprintf(" · %s of %s", kit.Size(m.at.Done), kit.Size(m.at.Total))
	}
	if left, ok := remaining(p.fx.Now().Sub(m.begun), share); ok {
		text += " · " + left + " left"
	}
	right := "+" + m.at.Found.String() + " "
	if m.at.Failed > 0 {
		right = st.Bad.Render(fmt.Sprintf("! %d not read", m.at.Failed)) + "  " + right
	}
	return kit.Ends(" "+bar+text, right, p.w)
}

// readLine is a file that was read, and what came of it.
func readLine(p Pane, r desk.Read, st *look.Style) string {
	if r.Err != nil {
		return " " + st.Bad.Render(look.Flagged) + " " + namedFor(p, r.Path) + "  " + st.Bad.Render(lessons.Line(r.Err.Error()))
	}
	return kit.Ends(" "+st.OK.Render(look.Approved)+" "+namedFor(p, r.Path), st.Dim.Render(r.Found.String())+" ", p.w)
}

// namedFor is what a person knows a transcript by.
func namedFor(p Pane, path string) string {
	for _, t := range p.rows {
		if t.Path == path && t.Prompt != "" {
			return look.Sentence(lessons.Line(t.Prompt), p.w/2)
		}
	}
	return lessons.Line(path)
}

// pastLine is a run that has ended: when, who read, what it found.
func pastLine(p Pane, r pastRun, st *look.Style) string {
	reader := mining{model: r.model}.reader()
	left := fmt.Sprintf("%3d  %s · %s · %s", r.number, r.ended.Local().Format("15:04"), reader, kit.Counted(r.at.File, "session"))
	if took := r.took.Round(100 * time.Millisecond); took > 0 {
		left += " in " + took.String()
	}
	cost := "free"
	if r.model != "" {
		cost = "`learnings stats models --spend` has its cost"
	}
	right := r.at.Found.String() + " · " + cost + " "
	switch {
	case r.at.Failed > 0:
		right = st.Bad.Render(fmt.Sprintf("! %d not read, e", r.at.Failed)) + " · " + right
	case r.stopped:
		right = "stopped · " + right
	case r.err != nil:
		right = st.Bad.Render("! "+lessons.Line(r.err.Error())) + " · " + right
	}
	return kit.Ends(st.Dim.Render(left), right, p.w)
}

// failuresOf are the files that the last run could not read.
func failuresOf(p Pane) []desk.Read {
	read := p.mine.at.Read
	if !p.mine.running && len(p.past) > 0 {
		read = p.past[0].at.Read
	}
	var out []desk.Read
	for _, r := range read {
		if r.Err != nil {
			out = append(out, r)
		}
	}
	return out
}

// retryMsg asks for files to be read again.
type retryMsg struct{ paths []string }

// openFailures lists what could not be read.
func openFailures(all []desk.Read) kit.Out {
	return kit.Ask(kit.Text{Title: "could not be read", Right: kit.Grouped(len(all)), Bad: true, Leave: "back", Lines: func(w int, st *look.Style) (lines []string) {
		for _, r := range all {
			lines = append(lines, kit.Paragraph(r.Path, w, st.Strong)...)
			lines = append(append(lines, kit.Paragraph(r.Err.Error(), w, st.Bad)...), "")
		}
		return lines
	}, Keys: []kit.TextKey{{Keys: []string{"r", "enter"}, Foot: "try again", Do: func(kit.Text) (kit.Dialog, kit.Out) {
		var paths []string
		for _, r := range all {
			paths = append(paths, r.Path)
		}
		return nil, kit.Out{Answer: retryMsg{paths}}
	}}, {Keys: []string{"e"}}}})
}

// remaining estimates the time left from the share that is done. It reports false
// while that share is too small to tell.
func remaining(spent time.Duration, share float64) (string, bool) {
	if share < 0.03 || spent < time.Second {
		return "", false
	}
	left := time.Duration(float64(spent) * (1 - share) / share)
	return left.Round(time.Second).String(), true
}
