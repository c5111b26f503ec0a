package render

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"learnings/cmd/internal/hook"
	"learnings/cmd/internal/term"
	"learnings/extractor/live"
	"learnings/extractor/model/llm"
	"learnings/index/curate"
	"learnings/index/insights"
	"learnings/lessons"
	"learnings/lessons/proof"
)

// A Summary is what a corpus holds and does.
type Summary struct {
	insights.Figures
	Broken int // files
	Pause  Listening

	Asked      map[string]int // what agents asked the MCP server, by tool
	AskedSince time.Time
}

// Shown returns the listed lessons, which are then compared with their files.
func (s *Summary) Shown() []lessons.Lesson { return slices.Concat(s.Use.Most, s.Use.Recent) }

func (s *Summary) Terminal(p *term.Page) {
	c, u := s.Counts, s.Use
	p.Heading(2, "Learnings: statistics")
	var rows [][]string
	var all insights.Tally
	for _, name := range c.Order() {
		t := c.Categories[name]
		rows = append(rows, []string{string(name), fmt.Sprint(t.N), lessons.Confidence(t.Average()).Trust()})
		all.N += t.N
		all.Sum += t.Sum
	}
	rows = append(rows, []string{"Total", fmt.Sprint(all.N), lessons.Confidence(all.Average()).Trust()})
	p.Table([]string{"Category", "Count", "On average"}, rows, 0)

	pending := fmt.Sprintf("%d pending", c.Statuses[lessons.Pending])
	if c.Snoozed > 0 {
		pending += fmt.Sprintf(" (%s; %d snoozed)", c.Waiting, c.Snoozed)
	} else if c.Waiting[lessons.Likely] < c.Waiting.All() {
		pending += fmt.Sprintf(" (%s)", c.Waiting)
	}
	p.Line("%s, %d rejected, %d merged, %d archived", pending, c.Statuses[lessons.Rejected], c.Statuses[lessons.Merged], c.Statuses[lessons.Archived])
	if u.Used+u.Helped+u.Harmed+c.Again > 0 {
		p.Line("used %d times, helped %d, harmed %d; %d to look at again: learnings check stale", u.Used, u.Helped, u.Harmed, c.Again)
	}
	if len(s.Asked) > 0 {
		var calls []string
		for _, tool := range slices.Sorted(maps.Keys(s.Asked)) {
			calls = append(calls, fmt.Sprintf("%s %d", tool, s.Asked[tool]))
		}
		p.Line("agents asked the MCP server since %s: %s", day(s.AskedSince), strings.Join(calls, ", "))
	}
	if s.Pause.Paused {
		p.Line("learning is %s", s.Pause)
	}
	if s.Broken > 0 {
		p.Line("%s that cannot be read; they are left as they are", term.Plural(s.Broken, "file"))
	}
	for _, list := range []struct {
		title string
		ls    []lessons.Lesson
		says  func(lessons.Lesson) string
	}{
		{"Most Used", u.Most, func(l lessons.Lesson) string { return fmt.Sprintf("used %d times", l.Use.Used) }},
		{"Recently Added", u.Recent, func(l lessons.Lesson) string { return day(l.Created) }},
	} {
		if len(list.ls) == 0 {
			continue
		}
		fmt.Fprintln(p.W)
		p.Heading(3, "%s", list.title)
		for _, l := range list.ls {
			p.Line("- %s: %q (%s)", l.ID, l.Title(60), list.says(l))
		}
	}
	fmt.Fprintln(p.W)
	Success(s.Figures).show(p)
}

func (s *Summary) Objects() []any {
	// lanes are those of what waits: pending lessons that are not snoozed.
	c, u := s.Counts, s.Use
	proof := term.Object(nil, "used", u.Used, "helped", u.Helped, "harmed", u.Harmed, "pinned", c.Pinned, "due", c.Again, "doubtful", c.Doubtful)
	out := []any{term.Object(nil, "statuses", c.Statuses, "lanes", c.Waiting, "snoozed", c.Snoozed, "proof", proof, "broken", s.Broken,
		"learning", s.Pause.Objects()[0], "success", s.Success, "asked?", s.Asked)}
	for _, name := range c.Order() {
		t := c.Categories[name]
		out = append(out, term.Object(nil, "category", name, "count", t.N, "score", float64(lessons.Confidence(t.Average()).Round())))
	}
	return out
}

// Success measures whether lessons help.
type Success insights.Figures

// value returns a measure and its caveat.
func value(m insights.Measure) string {
	if m.Flag == "" {
		return m.String()
	}
	return m.String() + ", " + m.Flag
}

// show prints the measures as a table, and each common caveat once.
func (s Success) show(p *term.Page) {
	p.Heading(3, "Does It Help")
	var rows [][]string
	var missing []string
	for _, m := range s.Success {
		switch {
		case !m.Known && !slices.Contains(missing, m.Missing):
			missing = append(missing, m.Missing)
		case m.Known && m.Since.IsZero():
			rows = append(rows, []string{m.Name, value(m), ""})
		case m.Known:
			rows = append(rows, []string{m.Name, value(m), day(m.Since)})
		}
	}
	if len(rows) > 0 {
		p.Table([]string{"Measure", "Value", "No data before"}, rows, 0)
	}
	for _, why := range missing {
		p.Line("%s", why)
	}
}

const mostMistakes = 10

// Terminal prints how each measure is computed, and the mistakes that recur.
func (s Success) Terminal(p *term.Page) {
	p.Heading(2, "Does it help")
	for _, m := range s.Success {
		p.Strong("%s: %s", m.Name, value(m))
		p.Text("  ", m.How)
		switch {
		case !m.Known:
			p.Text("  ", m.Missing)
		case !m.Since.IsZero():
			p.Text("  ", "no data from before "+day(m.Since))
		}
	}
	if len(s.Mistakes) == 0 {
		return
	}
	fmt.Fprintln(p.W)
	p.Heading(3, "Mistakes of several sessions")
	p.Table([]string{"Mistake", "Sessions", "Times", "Last four weeks", "Lesson"}, term.Map(s.Mistakes[:min(len(s.Mistakes), mostMistakes)], func(m insights.Mistake) []string {
		trend := strings.TrimPrefix(fmt.Sprintf("%+d", m.Trend()), "+0")
		return []string{m.Doing + ": " + m.Says, fmt.Sprint(m.Sessions), fmt.Sprint(m.Count), trend, became(m)}
	}), 0)
}

// became names a mistake's lesson and says whether the mistake recurred.
func became(m insights.Mistake) string {
	if m.Lesson == "" {
		return ""
	}
	says := string(m.Lesson) + " " + string(m.Status)
	if took, ok := m.Cure(); ok {
		says += fmt.Sprintf(" after %.1f days", took.Hours()/24)
	}
	if m.After > 0 {
		says += ", back in " + term.Plural(m.After, "session")
	}
	return says
}

// Objects returns the measures, then the mistakes.
func (s Success) Objects() []any {
	return append(term.Map(s.Success, func(m insights.Measure) any { return m }), term.Map(s.Mistakes, func(m insights.Mistake) any { return m })...)
}

// Grades are decisions on proposals, and what was learned from them.
type Grades struct {
	Judged  []proof.Judged
	Learned proof.Calibration
	Off     []string // disabled habits
}

// Grade measures how often proposals of a project, or of all for "", were right, and what
// was learned from the decisions. It skips the habits in off.
func Grade(ctx context.Context, c *curate.Library, project string, off []string) (Grades, error) {
	var judged []proof.Judged
	err := c.Each(ctx, func(l lessons.Lesson) {
		if j, ok := proof.JudgedOf(l); ok && (project == "" || l.Scope.Project == project) {
			judged = append(judged, j)
		}
	})
	return Grades{Judged: proof.LatestJudged(judged), Learned: proof.Calibrate(judged, off), Off: off}, err
}

// A graded is the precision of one lane, rule, agent or extractor.
type graded struct {
	By      string  `json:"by"`
	Name    string  `json:"name"`
	Decided int     `json:"decided"`
	Right   float64 `json:"right"`
	Said    float64 `json:"said"`
	Bias    float64 `json:"bias,omitempty"` // log odds, of extractors
}

// graders are the ways to group decisions.
var graders = []struct {
	name, title string
	of          func(proof.Judged) string
}{
	{"lane", "Lane", func(j proof.Judged) string { return string(j.Lane) }},
	{"rule", "Proposed for", func(j proof.Judged) string { return j.Kind }},
	{"agent", "Agent", func(j proof.Judged) string { return j.Agent }},
	{"extractor", "Extractor", func(j proof.Judged) string { return j.Extractor }},
}

// by groups the decisions in one way.
func (g Grades) by(name string, of func(proof.Judged) string) (out []graded) {
	for _, x := range proof.Grades(g.Judged, of) {
		o := graded{By: name, Name: x.Name, Decided: x.Count, Right: x.True(), Said: x.Said}
		if name == "extractor" {
			o.Bias = g.Learned.Bias(x.Name, "")
		}
		out = append(out, o)
	}
	return out
}

func (g Grades) Terminal(p *term.Page) {
	p.Heading(2, "Learnings: how right proposals were")
	if len(g.Judged) == 0 {
		p.Line("You have not decided on a proposal yet.")
		return
	}
	for _, b := range graders {
		all := g.by(b.name, b.of)
		p.Table([]string{b.title, "Decided", "Right", "Said"}, term.Map(all, func(x graded) []string {
			return []string{lessons.Line(x.Name), fmt.Sprint(x.Decided), fmt.Sprintf("%.2f", x.Right), fmt.Sprintf("%.2f", x.Said)}
		}), 0)
		p.Line("")
		for _, x := range all {
			if x.Bias != 0 {
				p.Line("Confidences of %s are moved by %+.2f (log odds): .60 becomes %s.", lessons.Line(x.Name), x.Bias, g.Learned.At(lessons.LikelyAt, x.Name, ""))
			}
		}
	}
	for _, h := range g.Learned.Habits() {
		p.Line("You rejected %s as %s (%s): others like them go to maybe.", lessons.Line(h.Kind), h.Refusal, strings.Join(lessons.Texts(h.From), ", "))
		p.Line("    to switch that off: learning.not_learned = [%q]", h)
	}
	for _, name := range g.Off {
		p.Line("Switched off: %s", lessons.Line(name))
	}
}

func (g Grades) Objects() (out []any) {
	for _, b := range graders {
		for _, x := range g.by(b.name, b.of) {
			out = append(out, x)
		}
	}
	for _, h := range g.Learned.Habits() {
		out = append(out, term.Object(nil, "habit", h.String(), "refusal", h.Refusal, "rule", h.Kind, "from", h.From))
	}
	return out
}

// Listening says whether sessions are read now, and the pause if not.
type Listening struct {
	Paused bool
	live.Pause
}

func (l Listening) until() *time.Time {
	if l.Until.IsZero() {
		return nil
	}
	return &l.Until
}

// String describes the state.
func (l Listening) String() string { return hook.PauseSays(l.Paused, l.until()) }

func (l Listening) Terminal(p *term.Page) {
	p.Line("%s", l)
	if l.Paused {
		p.Line("hooks give and propose nothing; what is said meanwhile is not read later either")
	}
}

func (l Listening) Objects() []any {
	var from *time.Time
	if l.Paused {
		from = &l.From
	}
	return []any{term.Object(nil, "paused", l.Paused, "from?", from, "until?", l.until())}
}

// Models lists the models at hand, after the rules.
func Models(found []llm.Candidate) term.Answer {
	all := append([]llm.Candidate{{Model: "rules", Where: "built in"}}, found...)
	return term.List[llm.Candidate]{Items: all,
		Page: func(p *term.Page) {
			p.Line("rules  (built in: no key, no network; the default)")
			for _, m := range found {
				costs := ""
				if m.Costs {
					costs = "; costs"
				}
				p.Line("%s  (%s%s)", m.Model, m.Where, costs)
				if m.Note != "" {
					p.Line("    %s", m.Note)
				}
			}
			if len(found) == 0 {
				p.Line("no key, program or local server of a model was found")
			}
		},
		Cells: func(m llm.Candidate) []string {
			price := "free"
			if m.Costs {
				price = "costs"
			}
			return []string{m.Model, m.Where, price, m.Note}
		},
		Object: func(m llm.Candidate) any {
			return term.Object(nil, "model", m.Model, "where", m.Where, "costs", m.Costs, "note?", m.Note, "models?", m.Models)
		}}
}

// Spent is the cost of models, from the ledger of calls.
type Spent struct {
	Months, Runs []llm.Sum
	Now          string  // this month
	Ceiling      float64 // of a month; 0 for none
}

// A spending is the cost of a month or a run.
type spending struct {
	what string // "month" or "run"
	llm.Sum
}

// shownRuns is how many of the latest runs a person sees; a script gets all.
const shownRuns = 20

// Answer lists the months, then the runs.
func (s *Spent) Answer() term.Answer {
	of := func(what string, sums []llm.Sum) []spending {
		return term.Map(sums, func(x llm.Sum) spending { return spending{what, x} })
	}
	return term.List[spending]{Items: append(of("month", s.Months), of("run", s.Runs)...), Page: s.show,
		Cells: func(o spending) []string {
			known := "known"
			if !o.Cost.Known {
				known = "in part"
			}
			return []string{o.what, o.Name, term.Stamp(o.First), strings.Join(o.Models, ","), strconv.Itoa(o.Calls), strconv.Itoa(tokensIn(o.Sum)), strconv.Itoa(o.Usage.Out), strconv.FormatFloat(o.Cost.USD, 'f', 6, 64), known}
		},
		Object: func(o spending) any { // at is the first call; known says that usd is the full cost
			return term.Object(nil, "what", o.what, "name", o.Name, "at", term.Stamp(o.First), "models", o.Models, "calls", o.Calls,
				"in", tokensIn(o.Sum), "out", o.Usage.Out, "usd", o.Cost.USD, "known", o.Cost.Known)
		}}
}

// tokensIn counts all input tokens, cached or not.
func tokensIn(x llm.Sum) int { return x.Usage.In + x.Usage.CacheRead + x.Usage.CacheWrite }

func (s *Spent) show(p *term.Page) {
	ceiling := "no ceiling (learning.max_usd_per_month)"
	if s.Ceiling > 0 {
		ceiling = fmt.Sprintf("the ceiling is $%.2f", s.Ceiling)
	}
	if len(s.Runs) == 0 {
		p.Line("nothing was spent; %s", ceiling)
		return
	}
	month := llm.Cost{Known: true}
	table := func(head string, list []llm.Sum) {
		p.Table([]string{head, "Model", "Calls", "Tokens in", "Out", "Cost"}, term.Map(list, func(x llm.Sum) []string {
			name := x.Name
			if head == "Run" {
				name = x.First.UTC().Format("2006-01-02 15:04")
			}
			return []string{name, strings.Join(x.Models, ", "), strconv.Itoa(x.Calls), strconv.Itoa(tokensIn(x)), strconv.Itoa(x.Usage.Out), x.Cost.String()}
		}), 1)
	}
	for _, m := range s.Months {
		if m.Name == s.Now {
			month = m.Cost
		}
	}
	p.Line("%s so far: %s; %s", s.Now, month, ceiling)
	p.Line("")
	table("Month", s.Months)
	table("Run", s.Runs[max(0, len(s.Runs)-shownRuns):])
}
