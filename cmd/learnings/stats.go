package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/report"
	"learnings/cmd/internal/style"
	"learnings/cmd/internal/term"
	"learnings/extractor/rules"
	"learnings/index"
	"learnings/lessons"
)

type statsOptions struct {
	project    string
	extraction bool
	style      string
	json       bool
}

func newStats(a *app) *cobra.Command {
	var o statsOptions
	cmd := &cobra.Command{
		Use: "stats", Short: "Count the lessons",
		Long: "Stats counts the lessons, what came of them, and what agents did in the sessions\n" +
			"that were extracted from: how many files they read for each edit.\n\n" +
			"With --extraction it says how right proposals were lately: of those that you\n" +
			"decided on, by lane, by what they were proposed for and by agent, with what the\n" +
			"confidence had said of them, and what was learned from that: by how much\n" +
			"confidences are moved, and which habits in rejecting move proposals to maybe.\n\n" +
			"With --style gimli it counts what is active as Gimli's dashboard does, with\n" +
			"--style claude-mem what reading it costs beside finding it out.",
		Args: nargs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case o.style == style.NameGimli || o.style == style.NameClaudeMem:
				return styledStats(cmd.Context(), a, o)
			case o.extraction:
				return grade(cmd.Context(), a, o)
			}
			return stats(cmd.Context(), a, o)
		},
	}
	cmd.Flags().StringVar(&o.project, "project", "", "of this project only")
	cmd.Flags().BoolVar(&o.extraction, "extraction", false, "how right proposals were lately, and what was learned from your decisions")
	styleFlag(cmd, &o.style, style.NameGimli, style.NameClaudeMem)
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object a line: one of totals, then one for each category")
	return cmd
}

func stats(ctx context.Context, a *app, o statsOptions) error {
	c, err := a.configuration()
	if err != nil {
		return err
	}
	project := ""
	if o.project != "" {
		project = c.Canonical(o.project)
	}
	var sum summary
	if sum.now, err = a.listening(); err != nil {
		return err
	}
	sum.Stats, err = ask(ctx, a, func(ctx context.Context, x *index.Index) (*index.Stats, error) { return x.Stats(ctx, project, a.now()) })
	if err != nil {
		return err
	}
	if o.style != "" && !o.json {
		return a.Give(style.AmplihackStats(sum.Stats), false)
	}
	s, err := a.corpus()
	if err != nil {
		return err
	}
	sum.broken = len(s.Broken()) + len(s.Odd())
	marks, err := a.marks()
	if err != nil {
		return err
	}
	for dir, w := range marks.Work() {
		if o.project == "" || dir != "" && a.project(dir) == c.Canonical(o.project) {
			sum.work = sum.work.Plus(w)
		}
	}
	return a.Give(&sum, o.json)
}

// styledStats counts the active lessons as Gimli or claude-mem does.
func styledStats(ctx context.Context, a *app, o statsOptions) error {
	c, err := a.configuration()
	if err != nil {
		return err
	}
	var ls []lessons.Lesson
	err = a.eachLesson(ctx, func(l lessons.Lesson) {
		if l.Status == lessons.Approved && (o.project == "" || l.Scope.Project == c.Canonical(o.project)) {
			ls = append(ls, l)
		}
	})
	if err != nil {
		return err
	}
	if o.style == style.NameClaudeMem {
		return a.Give(style.ClaudeMem(ls), o.json)
	}
	return a.Give(style.Gimli(ls, a.now()), o.json)
}

// A summary is what stats counts.
type summary struct {
	*index.Stats
	work   rules.Work // of agents, in the sessions that were read
	broken int
	now    listening
}

func (s *summary) Terminal(p *term.Page) {
	p.Heading(2, "Learnings: statistics")
	rows := [][]string{}
	var all index.Tally
	for _, c := range s.Order() {
		t := s.Categories[c]
		rows = append(rows, []string{string(c), fmt.Sprint(t.N), fmt.Sprintf("%.2f", t.Average())})
		all.N += t.N
		all.Sum += t.Sum
	}
	rows = append(rows, []string{"Total", fmt.Sprint(all.N), fmt.Sprintf("%.2f", all.Average())})
	p.Table([]string{"Category", "Count", "Avg Confidence"}, rows, 0)
	pending := fmt.Sprintf("%d pending", s.Lanes[lessons.Likely])
	if n := s.Lanes[lessons.Maybe]; n > 0 {
		pending += fmt.Sprintf(" and %d maybe", n)
	}
	p.Line("%s, %d rejected, %d merged, %d archived", pending,
		s.Statuses[lessons.Rejected], s.Statuses[lessons.Merged], s.Statuses[lessons.Archived])
	if f := s.Proof; f.Used+f.Helped+f.Harmed+f.Due > 0 {
		p.Line("used %d times, helped %d, harmed %d; %d to look at again: learnings stale", f.Used, f.Helped, f.Harmed, f.Due)
	}
	if ratio, ok := s.work.ReadsPerEdit(); ok {
		p.Line("agents read %.1f files for each edit (%d reads, %d edits)", ratio, s.work.Reads, s.work.Edits)
	}
	if s.now.paused {
		p.Line("learning is %s", s.now)
	}
	if s.broken > 0 {
		p.Line("%s that cannot be read; they are left as they are", term.Plural(s.broken, "file"))
	}
	if len(s.Used) > 0 {
		fmt.Fprintln(p.W)
		p.Heading(3, "Most Used")
		for _, l := range s.Used {
			p.Line("- %s: %q (used %d times)", l.ID, l.Title(60), l.Use.Used)
		}
	}
	if len(s.Recent) > 0 {
		fmt.Fprintln(p.W)
		p.Heading(3, "Recently Added")
		for _, l := range s.Recent {
			p.Line("- %s: %q (%s)", l.ID, l.Title(60), l.Created.Local().Format("2006-01-02"))
		}
	}
}

func (s *summary) Plain(w io.Writer) {
	for _, st := range lessons.Statuses {
		term.TSV(w, "status", string(st), fmt.Sprint(s.Statuses[st]))
	}
	for _, lane := range lessons.Lanes {
		term.TSV(w, "lane", string(lane), fmt.Sprint(s.Lanes[lane]))
	}
	f := s.Proof
	term.TSV(w, "proof", "used", fmt.Sprint(f.Used), "helped", fmt.Sprint(f.Helped), "harmed", fmt.Sprint(f.Harmed), "due", fmt.Sprint(f.Due), "doubtful", fmt.Sprint(f.Doubtful))
	if s.work != (rules.Work{}) {
		term.TSV(w, "work", "reads", fmt.Sprint(s.work.Reads), "edits", fmt.Sprint(s.work.Edits), "reads_per_edit", report.ReadsPerEdit(s.work))
	}
	if s.now.paused {
		term.TSV(w, "paused", term.Stamp(s.now.From), term.Stamp(s.now.Until))
	}
	term.TSV(w, "broken", "files", fmt.Sprint(s.broken))
	for _, c := range s.Order() {
		term.TSV(w, "category", string(c), fmt.Sprint(s.Categories[c].N), fmt.Sprintf("%.2f", s.Categories[c].Average()))
	}
}

func (s *summary) Objects() []any {
	type totals struct {
		Statuses map[lessons.Status]int `json:"statuses"`
		Lanes    map[lessons.Lane]int   `json:"lanes"` // of what is pending
		Proof    any                    `json:"proof"`
		Work     *report.Work           `json:"work,omitempty"`
		Broken   int                    `json:"broken"`
		Learning any                    `json:"learning"`
	}
	type category struct {
		Category lessons.Category `json:"category"`
		Count    int              `json:"count"`
		Score    float64          `json:"score"`
	}
	out := []any{totals{s.Statuses, s.Lanes, s.Proof, report.WorkOf(s.work), s.broken, s.now.object()}}
	for _, c := range s.Order() {
		t := s.Categories[c]
		out = append(out, category{c, t.N, float64(lessons.Confidence(t.Average()).Round())})
	}
	return out
}
