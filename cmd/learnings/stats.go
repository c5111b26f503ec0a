package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/term"
	"learnings/extractor/rules"
	"learnings/lessons"
)

type statsOptions struct {
	project string
	json    bool
}

func newStats(a *app) *cobra.Command {
	var o statsOptions
	cmd := &cobra.Command{
		Use: "stats", Short: "Count the lessons",
		Long: "Stats counts the lessons, what came of them, and what agents did in the sessions\n" +
			"that were extracted from: how many files they read for each edit.",
		Args: nargs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error { return stats(cmd.Context(), a, o) },
	}
	cmd.Flags().StringVar(&o.project, "project", "", "of this project only")
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object a line: one of totals, then one for each category")
	return cmd
}

// stats reads the files and not the index: it counts what is broken too, and
// averages need every lesson anyway.
func stats(ctx context.Context, a *app, o statsOptions) error {
	c, err := a.configuration()
	if err != nil {
		return err
	}
	sum := summary{statuses: map[lessons.Status]int{}, categories: map[lessons.Category]*tally{}}
	sum.broken, err = a.eachLesson(ctx, func(l lessons.Lesson) {
		if o.project == "" || l.Scope.Project == c.Canonical(o.project) {
			sum.add(l, a.now())
		}
	})
	if err != nil {
		return err
	}
	return a.Give(&sum, o.json)
}

// A summary is what stats counts.
type summary struct {
	statuses   map[lessons.Status]int
	categories map[lessons.Category]*tally // of active lessons
	used       []lessons.Lesson            // the most used active ones, most first
	recent     []lessons.Lesson            // the newest active ones, newest first
	proof      proof
	work       rules.Work // of agents, in the sessions that were read
	broken     int
}

// A proof is what came of all active lessons.
type proof struct {
	Used     int `json:"used"`
	Helped   int `json:"helped"`
	Harmed   int `json:"harmed"`
	Pinned   int `json:"pinned"`
	Due      int `json:"due"` // to be looked at again: due, stale or doubtful
	Doubtful int `json:"doubtful"`
}

func (p *proof) add(l lessons.Lesson, now time.Time) {
	p.Used += l.Use.Used
	p.Helped += l.Use.Helped
	p.Harmed += l.Use.Harmed
	if l.Pinned {
		p.Pinned++
	}
	if why := l.Doubts(now, false); len(why) > 0 {
		p.Due++
		if why[0].Concern == lessons.Doubtful {
			p.Doubtful++
		}
	}
}

// A tally counts the lessons of a category.
type tally struct {
	n   int
	sum float64
}

const statsTop = 5

func (s *summary) add(l lessons.Lesson, now time.Time) {
	s.statuses[l.Status]++
	if l.Status != lessons.Approved {
		return
	}
	t := s.categories[l.Category]
	if t == nil {
		t = &tally{}
		s.categories[l.Category] = t
	}
	s.proof.add(l, now)
	t.n++
	t.sum += float64(l.Confidence)
	if l.Use.Used > 0 {
		s.used = top(s.used, l, func(a, b lessons.Lesson) int { return cmp.Compare(b.Use.Used, a.Use.Used) })
	}
	s.recent = top(s.recent, l, func(a, b lessons.Lesson) int { return b.Created.Compare(a.Created) })
}

// top keeps the first few of an order.
func top(ls []lessons.Lesson, l lessons.Lesson, order func(a, b lessons.Lesson) int) []lessons.Lesson {
	full := func(a, b lessons.Lesson) int { return cmp.Or(order(a, b), cmp.Compare(a.ID, b.ID)) }
	i, _ := slices.BinarySearchFunc(ls, l, full)
	if i >= statsTop {
		return ls
	}
	ls = slices.Insert(ls, i, l)
	return ls[:min(len(ls), statsTop)]
}

// order is the categories, the largest first.
func (s *summary) order() []lessons.Category {
	out := make([]lessons.Category, 0, len(s.categories))
	for c := range s.categories {
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b lessons.Category) int {
		return cmp.Or(cmp.Compare(s.categories[b].n, s.categories[a].n), cmp.Compare(a, b))
	})
	return out
}

func (t tally) average() float64 { return t.sum / float64(max(t.n, 1)) }

func (s *summary) Terminal(p *term.Page) {
	p.Heading(2, "Learnings: statistics")
	rows := [][]string{}
	all := tally{}
	for _, c := range s.order() {
		t := s.categories[c]
		rows = append(rows, []string{string(c), fmt.Sprint(t.n), fmt.Sprintf("%.2f", t.average())})
		all.n += t.n
		all.sum += t.sum
	}
	rows = append(rows, []string{"Total", fmt.Sprint(all.n), fmt.Sprintf("%.2f", all.average())})
	p.Table([]string{"Category", "Count", "Avg Confidence"}, rows, 0)
	p.Line("%d pending, %d rejected, %d merged, %d archived", s.statuses[lessons.Pending],
		s.statuses[lessons.Rejected], s.statuses[lessons.Merged], s.statuses[lessons.Archived])
	if f := s.proof; f.Used+f.Helped+f.Harmed+f.Due > 0 {
		p.Line("used %d times, helped %d, harmed %d; %d to look at again: learnings stale", f.Used, f.Helped, f.Harmed, f.Due)
	}
	if ratio, ok := s.work.ReadsPerEdit(); ok {
		p.Line("agents read %.1f files for each edit (%d reads, %d edits)", ratio, s.work.Reads, s.work.Edits)
	}
	if s.broken > 0 {
		p.Line("%s that cannot be read; they are left as they are", term.Plural(s.broken, "file"))
	}
	if len(s.used) > 0 {
		fmt.Fprintln(p.W)
		p.Heading(3, "Most Used")
		for _, l := range s.used {
			p.Line("- %s: %q (used %d times)", l.ID, l.Title(60), l.Use.Used)
		}
	}
	if len(s.recent) > 0 {
		fmt.Fprintln(p.W)
		p.Heading(3, "Recently Added")
		for _, l := range s.recent {
			p.Line("- %s: %q (%s)", l.ID, l.Title(60), l.Created.Local().Format("2006-01-02"))
		}
	}
}

func (s *summary) Plain(w io.Writer) {
	for _, st := range lessons.Statuses {
		term.TSV(w, "status", string(st), fmt.Sprint(s.statuses[st]))
	}
	f := s.proof
	term.TSV(w, "proof", "used", fmt.Sprint(f.Used), "helped", fmt.Sprint(f.Helped), "harmed", fmt.Sprint(f.Harmed), "due", fmt.Sprint(f.Due), "doubtful", fmt.Sprint(f.Doubtful))
	if s.work != (rules.Work{}) {
		term.TSV(w, "work", "reads", fmt.Sprint(s.work.Reads), "edits", fmt.Sprint(s.work.Edits), "reads_per_edit", readsPerEdit(s.work))
	}
	term.TSV(w, "broken", "files", fmt.Sprint(s.broken))
	for _, c := range s.order() {
		term.TSV(w, "category", string(c), fmt.Sprint(s.categories[c].n), fmt.Sprintf("%.2f", s.categories[c].average()))
	}
}

func (s *summary) Objects() []any {
	type totals struct {
		Statuses map[lessons.Status]int `json:"statuses"`
		Proof    proof                  `json:"proof"`
		Work     *workObject            `json:"work,omitempty"`
		Broken   int                    `json:"broken"`
	}
	type category struct {
		Category lessons.Category `json:"category"`
		Count    int              `json:"count"`
		Score    float64          `json:"score"`
	}
	out := []any{totals{s.statuses, s.proof, workOf(s.work), s.broken}}
	for _, c := range s.order() {
		t := s.categories[c]
		out = append(out, category{c, t.n, float64(lessons.Confidence(t.average()).Round())})
	}
	return out
}
