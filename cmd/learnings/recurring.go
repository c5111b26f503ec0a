package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/term"
	"learnings/extractor/redact"
	"learnings/lessons"
)

type recurringOptions struct {
	from    []string
	project string
	min     int
	limit   int
	propose string
	json    bool
}

func newRecurring(a *app) *cobra.Command {
	o := recurringOptions{limit: -1}
	cmd := &cobra.Command{
		Use: "recurring", Short: "List the mistakes that agents make again and again",
		Long: "Recurring reads the transcripts and clusters the errors of tools: those that are\n" +
			"the same but for times, ids, folders and numbers, then those that read alike. It\n" +
			"lists those that were met in several sessions, with the lesson that there is for\n" +
			"each, and stores nothing.\n\n" +
			"With --propose, a cluster becomes one proposal with what it was seen in, for you\n" +
			"to say what avoids it.",
		Example: "  learnings recurring\n  learnings recurring --project octofs --min 3\n  learnings recurring --propose 1",
		Args:    nargs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.limit < 0 && a.Terminals.Out && !o.json {
				o.limit = 20
			}
			return recurring(cmd.Context(), a, o)
		},
	}
	fromFlag(cmd, &o.from)
	cmd.Flags().StringVar(&o.project, "project", "", "of this project only")
	cmd.Flags().IntVar(&o.min, "min", 2, "in so many sessions at least")
	cmd.Flags().IntVarP(&o.limit, "limit", "n", -1, "at most so many; 0 for all (default: 20 on a terminal, else all)")
	cmd.Flags().StringVar(&o.propose, "propose", "", "make a proposal of the cluster with this number or id")
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object a line")
	return cmd
}

func recurring(ctx context.Context, a *app, o recurringOptions) error {
	if o.min < 1 {
		return term.Usagef("--min is at least 1")
	}
	redactor, err := redact.New()
	if err != nil {
		return fmt.Errorf("preparing to take out secrets: %w", err)
	}
	c, err := a.configuration()
	if err != nil {
		return err
	}
	found, failed, err := a.mishaps(ctx, o.from, c.Canonical(o.project))
	if err != nil {
		return err
	}
	list := habits{all: clustered(found, o.min, redactor.Redact)}
	if o.propose != "" {
		h, err := list.pick(o.propose)
		if err != nil {
			return err
		}
		return a.proposeHabit(ctx, *h, redactor, o.json)
	}
	if list.total = len(list.all); o.limit > 0 && o.limit < list.total {
		list.all = list.all[:o.limit]
	}
	if err := a.taught(ctx, list.all); err != nil {
		return err
	}
	if err := a.Give(list, o.json); err != nil {
		return err
	}
	if failed > 0 {
		return fmt.Errorf("%s could not be read", term.Plural(failed, "place"))
	}
	return nil
}

// A habit is a mistake that was made in several sessions.
type habit struct {
	mishap
	id     lessons.ID      // of the lesson that would be made of it
	name   string          // its rarest words
	shown  string          // the error without secrets
	lesson *lessons.Lesson // that speaks of it; nil for none
	ways   int             // how many different errors it is
}

// habits are those found, the most widespread first.
type habits struct {
	all   []habit
	total int
}

// pick finds the one with a number in the list, from 1, or an id.
func (hs habits) pick(word string) (*habit, error) {
	if n, err := strconv.Atoi(word); err == nil && n >= 1 && n <= len(hs.all) {
		return &hs.all[n-1], nil
	}
	for i := range hs.all {
		if string(hs.all[i].id) == word {
			return &hs.all[i], nil
		}
	}
	return nil, term.Hint(term.Usagef("there is no recurring mistake %q", word), "`learnings recurring` numbers them")
}

// about says what lesson there is.
func (h habit) about() string {
	if h.lesson == nil {
		return ""
	}
	return fmt.Sprintf("%s %s", h.lesson.ID, h.lesson.Status)
}

func (h habit) span() string {
	const day = time.DateOnly
	if h.first.IsZero() {
		return ""
	}
	return h.first.Local().Format(day) + " to " + h.last.Local().Format(day)
}

func (hs habits) Terminal(p *term.Page) {
	if len(hs.all) == 0 {
		p.Line("nothing: no error of a tool was met in several sessions")
		return
	}
	for i, h := range hs.all {
		p.Strong("%2d  %s: %s", i+1, h.doing, h.name)
		p.Text("    ", h.shown)
		p.Line("    %s in %s of %s, %s", term.Plural(h.count, "time"), term.Plural(len(h.sessions), "session"), strings.Join(h.projectNames(), ", "), h.span())
		if h.lesson != nil {
			p.Line("    there is a lesson: %s (%s) %s", h.lesson.ID, h.lesson.Status, h.lesson.Title(60))
		} else {
			p.Line("    learnings recurring --propose %s", h.id)
		}
	}
	if more := hs.total - len(hs.all); more > 0 {
		p.Line("… and %d more: --limit 0 shows all", more)
	}
}

func (hs habits) Plain(w io.Writer) {
	for i, h := range hs.all {
		term.TSV(w, strconv.Itoa(i+1), string(h.id), strconv.Itoa(h.count), strconv.Itoa(len(h.sessions)), strings.Join(h.projectNames(), ","),
			stampOf(h.first), stampOf(h.last), h.about(), h.doing, h.name, h.shown)
	}
}

func stampOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

func (hs habits) Objects() []any {
	type place struct {
		Path    string `json:"path"`
		Line    int    `json:"line"`
		Session string `json:"session"`
	}
	type object struct {
		ID       lessons.ID     `json:"id"`
		Name     string         `json:"name"`
		Doing    string         `json:"doing"`
		Error    string         `json:"error"`
		Ways     int            `json:"ways"` // different errors in it
		Count    int            `json:"count"`
		Sessions int            `json:"sessions"`
		Projects []string       `json:"projects"`
		First    *time.Time     `json:"first,omitempty"`
		Last     *time.Time     `json:"last,omitempty"`
		Lesson   lessons.ID     `json:"lesson,omitempty"`
		Status   lessons.Status `json:"status,omitempty"` // of that lesson
		Places   []place        `json:"places"`
	}
	out := make([]any, 0, len(hs.all))
	for _, h := range hs.all {
		o := object{ID: h.id, Name: h.name, Doing: h.doing, Error: h.shown, Ways: h.ways, Count: h.count, Sessions: len(h.sessions), Projects: h.projectNames()}
		if !h.first.IsZero() {
			o.First, o.Last = &h.first, &h.last
		}
		if h.lesson != nil {
			o.Lesson, o.Status = h.lesson.ID, h.lesson.Status
		}
		for _, e := range h.seen {
			o.Places = append(o.Places, place{e.Path, e.Line, e.Session})
		}
		out = append(out, o)
	}
	return out
}

// byReach orders mistakes: those of most sessions first.
func byReach(a, b mishap) int {
	return cmp.Or(cmp.Compare(len(b.sessions), len(a.sessions)), cmp.Compare(b.count, a.count), cmp.Compare(a.print, b.print))
}

func (m mishap) projectNames() []string {
	out := make([]string, 0, len(m.projects))
	for p := range m.projects {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(m.projects[b], m.projects[a]), cmp.Compare(a, b)) })
	return out
}
