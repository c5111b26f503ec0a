package stats

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"learnings/cmd/internal/term"
	"learnings/extractor/past"
	"learnings/index"
	"learnings/index/insights"
	"learnings/lessons"
	"learnings/lessons/given"
)

// Success is whether lessons help, in numbers.
type Success struct {
	Measures []insights.Measure
	Mistakes []insights.Mistake
	Now      time.Time
}

// A Source is where the numbers come from: what is kept and counted already. No
// transcript is read for them, and no journal.
type Source struct {
	State   string // the folder of what this machine knows of the corpus
	Project string // "" is all
	Index   *index.Index
	Now     time.Time
	Rows    []past.Row // of sessions
}

// mostAbout is how many lessons that tools are quoted in are looked at for what they say
// of mistakes.
const mostAbout = 200

// Measure computes them, with what is counted already.
func (s Source) Measure(ctx context.Context, counts *index.Stats) (Success, error) {
	c := insights.New(s.Now, s.Project)
	c.Totals(insights.Totals{
		Counts: insights.Counts{Active: counts.Statuses[lessons.Approved], Likely: counts.Lanes[lessons.Likely], Maybe: counts.Lanes[lessons.Maybe]},
		Helped: counts.Proof.Helped, Harmed: counts.Proof.Harmed, Grown: counts.Grown,
	})
	for _, r := range s.Rows {
		c.Session(r)
	}
	for r, err := range given.All(s.State) {
		if err != nil {
			return Success{}, err
		}
		c.Given(r)
	}
	if err := c.Outcomes(s.State); err != nil {
		return Success{}, err
	}
	f := c.Figures()
	if len(f.Mistakes) > 0 {
		if err := s.about(ctx, c, f.Mistakes); err != nil {
			return Success{}, err
		}
		f = c.Figures()
	}
	return Success{f.Success, f.Mistakes, s.Now}, nil
}

// about takes in the lessons that may be about mistakes.
func (s Source) about(ctx context.Context, c *insights.Collector, ms []insights.Mistake) error {
	ids := make([]lessons.ID, 0, mostAbout)
	for _, m := range ms[:min(len(ms), mostAbout)] {
		ids = append(ids, m.ID)
	}
	named, err := s.Index.Named(ctx, ids)
	if err != nil {
		return err
	}
	quoting, err := s.Index.Search(ctx, index.Query{Now: s.Now, Sort: index.Confirmed, Limit: mostAbout}.Where(index.Status, string(lessons.Approved)).Where(index.Who, string(lessons.ByTool)))
	if err != nil {
		return err
	}
	for _, l := range named {
		c.About(l)
	}
	for _, h := range quoting.Hits {
		c.About(h.Lesson)
	}
	return nil
}

func (s Success) knows(name string) bool {
	return slices.ContainsFunc(s.Measures, func(m insights.Measure) bool { return m.Name == name && m.Known })
}

// show prints the measures, and once what is missing for several.
func (s Success) show(p *term.Page) {
	p.Heading(3, "Does It Help")
	rows := [][]string{}
	var missing []string
	for _, m := range s.Measures {
		if !m.Known {
			if !slices.Contains(missing, m.Missing) {
				missing = append(missing, m.Missing)
			}
			continue
		}
		value := m.String()
		if m.Flag != "" {
			value += ", " + m.Flag
		}
		rows = append(rows, []string{m.Name, value, since(m)})
	}
	if len(rows) > 0 {
		p.Table([]string{"Measure", "Value", "No data before"}, rows, 0)
	}
	for _, why := range missing {
		p.Line("%s", why)
	}
}

func since(m insights.Measure) string {
	if m.Since.IsZero() {
		return ""
	}
	return m.Since.Local().Format(time.DateOnly)
}

// Terminal prints each measure with how it is computed, and the mistakes that come back.
func (s Success) Terminal(p *term.Page) {
	p.Heading(2, "Does it help")
	for _, m := range s.Measures {
		value := m.String()
		if m.Flag != "" {
			value += ", " + m.Flag
		}
		p.Strong("%s: %s", m.Name, value)
		p.Text("  ", m.How)
		switch {
		case !m.Known:
			p.Text("  ", m.Missing)
		case !m.Since.IsZero():
			p.Text("  ", fmt.Sprintf("no data from before %s", since(m)))
		}
	}
	if len(s.Mistakes) == 0 {
		return
	}
	fmt.Fprintln(p.W)
	p.Heading(3, "Mistakes of several sessions")
	var rows [][]string
	for _, m := range s.Mistakes[:min(len(s.Mistakes), mostShown)] {
		rows = append(rows, []string{m.Doing + ": " + m.Says, fmt.Sprint(m.Sessions), fmt.Sprint(m.Count), trend(m), became(m)})
	}
	p.Table([]string{"Mistake", "Sessions", "Times", "Last four weeks", "Lesson"}, rows, 0)
}

const mostShown = 10

func trend(m insights.Mistake) string {
	switch n := m.Trend(); {
	case n > 0:
		return fmt.Sprintf("+%d", n)
	case n < 0:
		return fmt.Sprint(n)
	}
	return ""
}

func became(m insights.Mistake) string {
	if m.Lesson == "" {
		return ""
	}
	says := string(m.Lesson) + " " + string(m.Status)
	if took, ok := m.Cure(); ok {
		says += fmt.Sprintf(" after %.1f days", took.Hours()/24)
	}
	if m.After > 0 {
		says += fmt.Sprintf(", back in %s", term.Plural(m.After, "session"))
	}
	return says
}

// Plain is a line for each measure: the name, the value, of how many, since when, what is
// wrong with it or missing for it.
func (s Success) Plain(w io.Writer) {
	for _, m := range s.Measures {
		value := ""
		if m.Known {
			value = fmt.Sprintf("%.4g", m.Value)
		}
		term.TSV(w, "success", m.Name, value, string(m.Unit), fmt.Sprint(m.Part), fmt.Sprint(m.Of), term.Stamp(m.Since), m.Flag+m.Missing)
	}
}

// Objects are the measures, and then the mistakes.
func (s Success) Objects() []any {
	var out []any
	for _, m := range s.Measures {
		out = append(out, m)
	}
	for _, m := range s.Mistakes {
		out = append(out, m)
	}
	return out
}
