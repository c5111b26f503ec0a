package main

import (
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/term"
	"learnings/lessons"
	"learnings/lessons/match"
)

func newHistory(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "history ID", Short: "Show what became of a lesson",
		Long: "History lists the changes of a lesson, oldest first, edits by hand included. It\n" +
			"is kept on this machine, beside the corpus and not in it. `learnings restore ID N`\n" +
			"brings back the text of version N.",
		Args: nargs(1, 1, "one id"),
		RunE: func(_ *cobra.Command, args []string) error { return history(a, args[0], asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return cmd
}

func history(a *app, word string, asJSON bool) error {
	c, err := a.curated()
	if err != nil {
		return err
	}
	_, changes, err := c.History(word)
	if err != nil {
		return err
	}
	return a.Give(chronicle(changes), asJSON)
}

// A chronicle is the changes of one lesson, oldest first. The place of a change
// in it, from 1, is the version that it left: the journal only grows.
type chronicle []lessons.Change

func (c chronicle) Terminal(p *term.Page) {
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

func (c chronicle) Plain(w io.Writer) {
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

func (c chronicle) Objects() []any {
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
