// Package stats is what a corpus holds and what it does, counted, in lines of text.
package stats

import (
	"fmt"
	"io"

	"learnings/cmd/internal/term"
	"learnings/extractor/rules"
	"learnings/index"
	"learnings/index/insights"
	"learnings/lessons"
)

// A Summary is what is counted.
type Summary struct {
	*index.Stats
	Work    rules.Work // of agents, in the sessions that were read
	Broken  int        // files
	Paused  bool
	Pause   []string // from when and until when it is paused
	Says    string   // whether it is paused, in words
	Object  any      // the same, for JSON
	Success Success
}

func (s *Summary) Terminal(p *term.Page) {
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
	if ratio, ok := s.Work.ReadsPerEdit(); ok && !s.Success.knows(insights.ReadToEdit) {
		p.Line("agents read %.1f files for each edit (%d reads, %d edits)", ratio, s.Work.Reads, s.Work.Edits)
	}
	if s.Paused {
		p.Line("learning is %s", s.Says)
	}
	if s.Broken > 0 {
		p.Line("%s that cannot be read; they are left as they are", term.Plural(s.Broken, "file"))
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
	fmt.Fprintln(p.W)
	s.Success.show(p)
}

func (s *Summary) Plain(w io.Writer) {
	for _, st := range lessons.Statuses {
		term.TSV(w, "status", string(st), fmt.Sprint(s.Statuses[st]))
	}
	for _, lane := range lessons.Lanes {
		term.TSV(w, "lane", string(lane), fmt.Sprint(s.Lanes[lane]))
	}
	f := s.Proof
	term.TSV(w, "proof", "used", fmt.Sprint(f.Used), "helped", fmt.Sprint(f.Helped), "harmed", fmt.Sprint(f.Harmed), "due", fmt.Sprint(f.Due), "doubtful", fmt.Sprint(f.Doubtful))
	if s.Work != (rules.Work{}) {
		term.TSV(w, "work", "reads", fmt.Sprint(s.Work.Reads), "edits", fmt.Sprint(s.Work.Edits), "reads_per_edit", readsPerEdit(s.Work))
	}
	if s.Paused {
		term.TSV(w, append([]string{"paused"}, s.Pause...)...)
	}
	term.TSV(w, "broken", "files", fmt.Sprint(s.Broken))
	s.Success.Plain(w)
	for _, c := range s.Order() {
		term.TSV(w, "category", string(c), fmt.Sprint(s.Categories[c].N), fmt.Sprintf("%.2f", s.Categories[c].Average()))
	}
}

func (s *Summary) Objects() []any {
	type totals struct {
		Statuses map[lessons.Status]int `json:"statuses"`
		Lanes    map[lessons.Lane]int   `json:"lanes"` // of what is pending
		Proof    any                    `json:"proof"`
		Work     *work                  `json:"work,omitempty"`
		Broken   int                    `json:"broken"`
		Learning any                    `json:"learning"`
		Success  []insights.Measure     `json:"success"`
	}
	type category struct {
		Category lessons.Category `json:"category"`
		Count    int              `json:"count"`
		Score    float64          `json:"score"`
	}
	out := []any{totals{s.Statuses, s.Lanes, s.Proof, workOf(s.Work), s.Broken, s.Object, s.Success.Measures}}
	for _, c := range s.Order() {
		t := s.Categories[c]
		out = append(out, category{c, t.N, float64(lessons.Confidence(t.Average()).Round())})
	}
	return out
}

// readsPerEdit is how many files an agent read for each edit; "" when that is not known.
func readsPerEdit(w rules.Work) string {
	if ratio, ok := w.ReadsPerEdit(); ok {
		return fmt.Sprintf("%.1f", ratio)
	}
	return ""
}

// A work is what an agent did, for programs.
type work struct {
	rules.Work
	ReadsPerEdit *float64 `json:"reads_per_edit,omitempty"` // left out when nothing was edited
}

// workOf is nil when nothing is known.
func workOf(w rules.Work) *work {
	if w == (rules.Work{}) {
		return nil
	}
	o := &work{Work: w}
	if ratio, ok := w.ReadsPerEdit(); ok {
		o.ReadsPerEdit = &ratio
	}
	return o
}
