package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/term"
	"learnings/extractor"
	mistakes "learnings/extractor/recurring"
	"learnings/extractor/redact"
	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/lessons/store"
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
		Long: "Recurring reads the transcripts and groups the errors of tools: those that are\n" +
			"the same but for times, ids, folders and numbers, then those that read alike. It\n" +
			"lists those that were met in several sessions, with the lesson that there is for\n" +
			"each, and stores nothing.\n\n" +
			"With --propose, a group becomes one proposal with what it was seen in, for you\n" +
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
	cmd.Flags().StringVar(&o.propose, "propose", "", "make a proposal of the group with this number or id")
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object a line")
	return cmd
}

func recurring(ctx context.Context, a *app, o recurringOptions) error {
	if o.min < 1 {
		return term.Usagef("--min is at least 1")
	}
	redactor := redact.New()
	c, err := a.configuration()
	if err != nil {
		return err
	}
	ps, err := a.pauses()
	if err != nil {
		return err
	}
	files, failed, err := everyTranscript(a, o.from)
	if err != nil {
		return err
	}
	bar := a.NewBar(a.now)
	defer bar.Clear()
	p := extractor.Progress{Files: len(files)}
	for _, f := range files {
		p.Bytes += f.Size
	}
	a.project(a.cwd) // make the finder before several goroutines ask for it
	found, err := mistakes.Find(ctx, files, mistakes.Options{
		Project: a.project, Excluded: a.exclusion(c).Func(), Paused: ps.Holds, Only: c.Canonical(o.project), Least: o.min, Redact: redactor.Redact,
		Done: func(f transcript.File, n int, err error) {
			p.Path, p.Done, p.Read, p.Lessons = f.Path, p.Done+1, p.Read+f.Size, p.Lessons+n
			showProgress(bar, p, "error")
			if err != nil {
				a.Warn("%v", err)
				failed++
			}
		},
	})
	bar.Clear()
	if err != nil {
		return err
	}
	list := mistakeList{all: make([]listedMistake, len(found))}
	for i, m := range found {
		list.all[i].Mistake = m
	}
	if o.propose != "" {
		m, err := list.pick(o.propose)
		if err != nil {
			return err
		}
		return proposeMistake(ctx, a, m, redactor, o.json)
	}
	if list.total = len(list.all); o.limit > 0 && o.limit < list.total {
		list.all = list.all[:o.limit]
	}
	if err := lookUpLessons(ctx, a, list.all); err != nil {
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

// everyTranscript finds all transcripts. What cannot be read is said and counted.
func everyTranscript(a *app, from []string) ([]transcript.File, int, error) {
	marks, err := a.marks()
	if err != nil {
		return nil, 0, err
	}
	return chosenFiles(a, extractOptions{from: from}, marks)
}

// lookUpLessons finds the lessons that there are for mistakes.
func lookUpLessons(ctx context.Context, a *app, all []listedMistake) error {
	s, x, err := a.both()
	if err != nil {
		return err
	}
	if _, err := a.curation.Sync(ctx); err != nil && ctx.Err() == nil {
		a.Warn("lessons of the last minutes may be missing: %v", err)
	}
	for i := range all {
		if all[i].lesson, err = all[i].Lesson(ctx, s.Get, x); err != nil {
			return err
		}
	}
	return nil
}

// proposeMistake makes one proposal of a mistake.
func proposeMistake(ctx context.Context, a *app, m mistakes.Mistake, redactor *redact.Redactor, asJSON bool) error {
	who := a.agent()
	if who == "" {
		var err error
		if who, err = a.me(); err != nil {
			return err
		}
	}
	s, err := a.corpus()
	if err != nil {
		return err
	}
	one := []listedMistake{{Mistake: m}}
	if err := lookUpLessons(ctx, a, one); err != nil {
		return err
	}
	if old := one[0].lesson; old != nil && (old.ID == m.ID || m.Cure.IsLesson(*old)) {
		return term.Hint(fmt.Errorf("%w: it is a lesson already: %s is %s", lessons.ErrConflict, old.ID, old.Status), "`learnings show %s` shows it", old.ID)
	}
	c, err := a.configuration()
	if err != nil {
		return err
	}
	l := redactor.Lesson(m.Proposal(c.Role.Value, a.now()))
	ls, err := s.Put(store.Write{Op: lessons.OpPropose, By: who, Undoable: true, Why: "of a recurring mistake"}, l)
	if err != nil {
		return err
	}
	a.follow(ctx)
	return a.tell("proposed", ls, asJSON)
}

// A listedMistake is a mistake with the lesson that there is for it, or nil.
type listedMistake struct {
	mistakes.Mistake
	lesson *lessons.Lesson
}

// A mistakeList holds the mistakes that were found, the most widespread first.
type mistakeList struct {
	all   []listedMistake
	total int
}

// pick finds the one with a number in the list, from 1, or an id.
func (l mistakeList) pick(word string) (mistakes.Mistake, error) {
	if n, err := strconv.Atoi(word); err == nil && n >= 1 && n <= len(l.all) {
		return l.all[n-1].Mistake, nil
	}
	for _, m := range l.all {
		if string(m.ID) == word {
			return m.Mistake, nil
		}
	}
	return mistakes.Mistake{}, term.Hint(term.Usagef("there is no recurring mistake %q", word), "`learnings recurring` numbers them")
}

// about says what lesson there is.
func (m listedMistake) about() string {
	if m.lesson == nil {
		return ""
	}
	return fmt.Sprintf("%s %s", m.lesson.ID, m.lesson.Status)
}

func (l mistakeList) Terminal(p *term.Page) {
	if len(l.all) == 0 {
		p.Line("nothing: no error of a tool was met in several sessions")
		return
	}
	for i, m := range l.all {
		p.Strong("%2d  %s: %s", i+1, m.Doing, m.Name)
		p.Text("    ", m.Error)
		if m.Cure.Says != "" {
			p.Text("    ", "What avoids it: "+m.Cure.Says)
		}
		p.Line("    %s in %s of %s, %s", term.Plural(m.Count, "time"), term.Plural(m.Sessions, "session"), strings.Join(m.Projects, ", "), m.Span())
		if m.lesson != nil {
			p.Line("    there is a lesson: %s (%s) %s", m.lesson.ID, m.lesson.Status, m.lesson.Title(60))
		} else {
			p.Line("    learnings recurring --propose %s", m.ID)
		}
	}
	if more := l.total - len(l.all); more > 0 {
		p.Line("… and %d more: --limit 0 shows all", more)
	}
}

func (l mistakeList) Plain(w io.Writer) {
	for i, m := range l.all {
		term.TSV(w, strconv.Itoa(i+1), string(m.ID), strconv.Itoa(m.Count), strconv.Itoa(m.Sessions), strings.Join(m.Projects, ","),
			term.Stamp(m.First), term.Stamp(m.Last), m.about(), m.Doing, m.Name, m.Error, m.Cure.Says)
	}
}

func (l mistakeList) Objects() []any { return term.Objects(l.all, listedMistake.object) }

func (m listedMistake) object() any {
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
		Cure     string         `json:"cure,omitempty"`   // what avoids it, where a session shows that
		Example  string         `json:"example,omitempty"`
		Places   []place        `json:"places"`
	}
	o := object{ID: m.ID, Name: m.Name, Doing: m.Doing, Error: m.Error, Ways: m.Ways, Count: m.Count, Sessions: m.Sessions, Projects: m.Projects, Cure: m.Cure.Says, Example: m.Cure.Example}
	if !m.First.IsZero() {
		o.First, o.Last = &m.First, &m.Last
	}
	if m.lesson != nil {
		o.Lesson, o.Status = m.lesson.ID, m.lesson.Status
	}
	for _, e := range m.Evidence {
		o.Places = append(o.Places, place{e.Path, e.Line, e.Session})
	}
	return o
}
