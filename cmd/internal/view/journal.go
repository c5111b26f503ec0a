package view

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"learnings/cmd/internal/term"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/match"
)

// A Journal is steps, the newest first.
type Journal []curate.Step

func (j Journal) Terminal(p *term.Page) {
	if len(j) == 0 {
		p.Line("nothing is recorded")
		return
	}
	rows := make([][]string, 0, len(j))
	for _, s := range j {
		about := s.Subject()
		what := about.Title(200)
		if s.Op == lessons.OpRemark {
			what = s.Why + " · " + what
		}
		if n := len(s.Touched); n > 1 {
			what = fmt.Sprintf("%d lessons: %s", n, what)
		}
		rows = append(rows, []string{term.Moment(s.At), s.By, string(s.Op), string(about.ID), what})
	}
	p.Table([]string{"when", "who", "what", "id", "lesson"}, rows, 4)
}

func (j Journal) Plain(w io.Writer) {
	for _, s := range j {
		for _, t := range s.Touched {
			term.TSV(w, string(t.ID), s.At.UTC().Format(time.RFC3339), strconv.FormatUint(s.Batch, 10), string(s.Op), s.By, string(t.Was), string(t.Status), t.Content)
		}
	}
}

func (j Journal) Objects() []any {
	type event struct {
		ID      lessons.ID `json:"id"`
		At      time.Time  `json:"at"`
		Step    uint64     `json:"step"`
		Op      string     `json:"op"`
		By      string     `json:"by"`
		Was     string     `json:"was"`             // status before; "" when it was not there
		Status  string     `json:"status"`          // "" when it is gone
		Turns   []uint64   `json:"turns,omitempty"` // the steps that an undo or redo turned
		Project string     `json:"project"`
		Content string     `json:"content"`
		Reason  string     `json:"reason,omitempty"`
		Why     string     `json:"why,omitempty"`
		Session string     `json:"session,omitempty"`
	}
	var out []any
	for _, s := range j {
		for _, t := range s.Touched {
			out = append(out, event{ID: t.ID, At: s.At, Step: s.Batch, Op: string(s.Op), By: s.By, Was: string(t.Was), Status: string(t.Status),
				Why: s.Why, Session: s.Session, Turns: s.Turns, Project: t.Project, Content: t.Content, Reason: t.Reason})
		}
	}
	return out
}

// A Chronicle is the changes of one lesson, oldest first. The place of a change
// in it, from 1, is the version that it left: the journal only grows.
type Chronicle []lessons.Change

func (c Chronicle) Terminal(p *term.Page) {
	if len(c) == 0 {
		p.Line("nothing is recorded: the journal of this machine begins after it")
		return
	}
	for i, ch := range c {
		p.Strong("%3d  %s  %s by %s", i+1, term.Moment(ch.At), ch.Op, ch.By)
		for _, s := range []string{ch.How, ch.Why} {
			if s != "" {
				p.Text("     ", s)
			}
		}
		for _, d := range ch.Differences() {
			p.Text("     ", d.Field+": "+match.Marked(d.Before, d.After))
		}
	}
}

func (c Chronicle) Plain(w io.Writer) {
	for i, ch := range c {
		var what []string
		if ch.Why != "" {
			what = append(what, ch.Why)
		}
		for _, d := range ch.Differences() {
			what = append(what, d.Field+": "+match.Marked(d.Before, d.After))
		}
		term.TSV(w, strconv.Itoa(i+1), ch.At.UTC().Format(time.RFC3339), string(ch.Op), ch.By, strings.Join(what, "; "))
	}
}

func (c Chronicle) Objects() []any {
	type event struct {
		Version int             `json:"version"`
		At      time.Time       `json:"at"`
		Op      lessons.Op      `json:"op"`
		By      string          `json:"by"`
		How     string          `json:"how,omitempty"`
		Why     string          `json:"why,omitempty"`
		Session string          `json:"session,omitempty"`
		Before  *lessons.Record `json:"before"`
		After   *lessons.Record `json:"after"`
	}
	out := make([]any, 0, len(c))
	for i, ch := range c {
		out = append(out, event{i + 1, ch.At, ch.Op, ch.By, ch.How, ch.Why, ch.Session, record(ch.Before), record(ch.After)})
	}
	return out
}

func record(l *lessons.Lesson) *lessons.Record {
	if l == nil {
		return nil
	}
	r := l.Record()
	return &r
}
