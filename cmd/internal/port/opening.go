package port

import (
	"fmt"
	"strings"

	"learnings/cmd/internal/term"
	"learnings/index/recall"
	"learnings/lessons"
	"learnings/lessons/exchange/formats"
)

// An Opening prints what a session of an agent reads at its start.
type Opening struct {
	formats.Opening
	Told []recall.Telling // by our hooks
}

// Terminal lists the files with their tokens, what is left out of them, and what is told
// twice or both ways.
func (o Opening) Terminal(p *term.Page) {
	all := 0
	row := func(text, name string, left []string) {
		n := recall.Tokens(text)
		all += n
		p.Line("%7d  %s", n, lessons.Line(name))
		for _, l := range left {
			p.Line("         ! %s", lessons.Line(l))
		}
	}
	for _, f := range o.Files {
		row(f.Text, f.Name, f.Left)
	}
	for _, t := range o.Told {
		if t.Text != "" {
			row(t.Text, "learnings, "+t.Event, nil)
		}
	}
	p.Line("%7d  tokens in all", all)
	for _, c := range o.Clashes {
		p.Line("")
		p.Line("%s: %s, %s", told(c), lessons.Line(c.A.Where), lessons.Line(c.B.Where))
		p.Line("  %s", lessons.Line(c.A.Text))
		p.Line("  %s", lessons.Line(c.B.Text))
	}
	if o.Left > 0 {
		p.Line("")
		p.Line("! %d more sentences were not compared", o.Left)
	}
}

func told(c formats.Clash) string {
	if c.Opposite {
		return "told both"
	}
	return "told twice"
}

// Objects returns the files, what our hooks tell, and the clashes.
func (o Opening) Objects() (out []any) {
	for _, f := range o.Files {
		out = append(out, term.Object(nil, "what", "file", "path", f.Path, "from?", f.From, "tokens", recall.Tokens(f.Text), "not_read?", strings.Join(f.Left, "; "), "text", f.Text))
	}
	for _, t := range o.Told {
		out = append(out, term.Object(nil, "what", "lessons", "event", t.Event, "tokens", recall.Tokens(t.Text), "text", t.Text))
	}
	for _, c := range o.Clashes {
		out = append(out, term.Object(nil, "what", strings.ReplaceAll(told(c), " ", "_"), "a", fmt.Sprint(c.A.Where), "b", fmt.Sprint(c.B.Where), "a_says", c.A.Text, "b_says", c.B.Text))
	}
	return out
}
