package sessions

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// This file draws the strip below the sessions: the extraction under way and the files
// that failed.

// strip draws it. On a low screen the list comes first.
func strip(p Pane, st *look.Style) (lines []string) {
	switch m := p.mine; {
	case m.running && p.h < 12:
		return []string{meter(p, st)}
	case m.running:
		reader := "rules"
		if m.model != "" {
			reader = lessons.Line(m.model)
		}
		lines = append(lines, ruled("run · "+reader, "esc stop", p.w, st), meter(p, st))
		if path := m.at.Path; path != "" && m.at.File < m.at.Files {
			lines = append(lines, " "+st.Accent.Render("▸")+" "+namedFor(p, path))
		}
	}
	if p.scan.err != nil && p.h >= 12 {
		lines = append(lines, p.missed(st))
	}
	return lines
}

// ruled draws a hairline with words on it.
func ruled(left, right string, w int, st *look.Style) string {
	line := st.Rule.Render("─ ") + left + " "
	if right != "" {
		right = " " + st.Dim.Render(right) + " " + st.Rule.Render("─")
	}
	return line + st.Rule.Render(strings.Repeat("─", max(w-kit.CellsOf(left)-3-kit.CellsOf(right), 0))) + right
}

// share returns the part of the bytes that is done.
func (m mining) share() float64 {
	if m.at.Total == 0 {
		return 0
	}
	return min(float64(m.at.Done)/float64(m.at.Total), 1)
}

// Progress returns the part of the run that is done; false without a run.
func (p Pane) Progress() (float64, bool) {
	return p.mine.share(), p.mine.running && p.mine.at.Total > 0
}

// Reading describes the run for other screens; "" without a run.
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

// meter draws the progress: a bar, files, bytes, the time left, the findings.
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

// namedFor returns the name of a transcript for people.
func namedFor(p Pane, path string) string {
	for _, t := range p.rows {
		if t.Path == path && t.Prompt != "" {
			return look.Sentence(lessons.Line(t.Prompt), p.w/2)
		}
	}
	return lessons.Line(path)
}

// failed returns the files that the last run could not read.
func (p Pane) failed() []desk.Read {
	return slices.DeleteFunc(slices.Clone(p.last), func(r desk.Read) bool { return r.Err == nil })
}

// openFailures lists the files that failed.
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
		return nil, kit.Out{Answer: report(func(p Pane) (Pane, kit.Out) {
			if why := p.busy(); why != "" {
				return p, kit.Warn("%s", why)
			}
			return p.extract(paths)
		})}
	}}, {Keys: []string{"e"}}}})
}

// remaining estimates the time left. It reports false while share is too small for an
// estimate.
func remaining(spent time.Duration, share float64) (string, bool) {
	if share < 0.03 || spent < time.Second {
		return "", false
	}
	left := time.Duration(float64(spent) * (1 - share) / share)
	return left.Round(time.Second).String(), true
}
