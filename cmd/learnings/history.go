package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"learnings/lessons"
	"learnings/lessons/match"
)

func newHistory(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "history ID", Short: "Show what became of a lesson",
		Long: "History lists the changes of a lesson, oldest first, edits by hand included. It\n" +
			"is kept on this machine, beside the corpus and not in it.",
		Args: nargs(1, 1, "one id"),
		RunE: func(_ *cobra.Command, args []string) error { return history(a, args[0], asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return cmd
}

func history(a *app, word string, asJSON bool) error {
	s, err := a.corpus()
	if err != nil {
		return err
	}
	id, err := s.Resolve(word)
	if err != nil {
		return notFound(err)
	}
	changes, err := s.History(id)
	if err != nil {
		return err
	}
	return a.give(chronicle(changes), asJSON)
}

// A chronicle is the changes of one lesson, oldest first.
type chronicle []lessons.Change

func (c chronicle) terminal(p *page) {
	if len(c) == 0 {
		p.line("nothing is recorded: the journal of this machine begins after it")
		return
	}
	for _, ch := range c {
		p.strong("%s  %s by %s", ch.At.Local().Format("2006-01-02 15:04"), ch.Op, ch.By)
		for _, d := range differences(ch) {
			p.text("  ", d.field+": "+d.words())
		}
	}
}

func (c chronicle) plain(w io.Writer) {
	for _, ch := range c {
		var what []string
		for _, d := range differences(ch) {
			what = append(what, d.field+": "+d.words())
		}
		tsv(w, ch.At.UTC().Format(time.RFC3339), ch.Op, ch.By, strings.Join(what, "; "))
	}
}

func (c chronicle) objects() []any {
	type event struct {
		At     time.Time       `json:"at"`
		Op     string          `json:"op"`
		By     string          `json:"by"`
		Before *lessons.Record `json:"before"`
		After  *lessons.Record `json:"after"`
	}
	out := make([]any, 0, len(c))
	for _, ch := range c {
		out = append(out, event{ch.At, ch.Op, ch.By, record(ch.Before), record(ch.After)})
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

// A difference is one field that a change left otherwise than it was.
type difference struct{ field, before, after string }

// words say what is different. Of a longer text only the words count, in the
// manner of wdiff: [-gone-] {+new+}.
func (d difference) words() string {
	switch {
	case d.before == "":
		return d.after
	case d.after == "":
		return "[-" + d.before + "-]"
	}
	var out strings.Builder
	for _, span := range match.WordDiff(d.before, d.after) {
		text := strings.TrimRight(span.Text, " ")
		blanks := span.Text[len(text):]
		switch {
		case text == "" || span.Op == match.Keep:
			out.WriteString(span.Text)
		case span.Op == match.Delete:
			out.WriteString("[-" + text + "-]" + blanks)
		default:
			out.WriteString("{+" + text + "+}" + blanks)
		}
	}
	return out.String()
}

// differences lists what a change changed, in the order of the frontmatter.
func differences(c lessons.Change) []difference {
	var before, after lessons.Lesson
	switch {
	case c.After == nil && c.Before == nil:
		return nil
	case c.After == nil:
		return []difference{{"file", "", "removed"}}
	}
	after = *c.After
	if c.Before != nil {
		before = *c.Before
	}
	var out []difference
	for _, f := range []difference{
		{"status", string(before.Status), string(after.Status)},
		{"content", before.Content, after.Content},
		{"insight", before.Insight, after.Insight},
		{"example", before.Example, after.Example},
		{"category", string(before.Category), string(after.Category)},
		{"project", before.Scope.Project, after.Scope.Project},
		{"role", before.Scope.Role, after.Scope.Role},
		{"confidence", before.Confidence.String(), after.Confidence.String()},
		{"tags", strings.Join(before.Tags, ", "), strings.Join(after.Tags, ", ")},
		{"triggers", strings.Join(before.Triggers, ", "), strings.Join(after.Triggers, ", ")},
		{"evidence", fmt.Sprint(len(before.Evidence)), fmt.Sprint(len(after.Evidence))},
		{"reason", before.Decided.Reason, after.Decided.Reason},
		{"into", string(before.Decided.Into), string(after.Decided.Into)},
	} {
		if f.before != f.after {
			if c.Before == nil {
				f.before = ""
			}
			out = append(out, f)
		}
	}
	return out
}
