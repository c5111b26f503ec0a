package gimli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

// Reminders is a format that is only read: what came of Gimli's reminders, from which
// it draws lessons. A file is an object with "reminders", "outcomes", "metrics" and
// "stats", as its tables and functions have them; or an array of outcomes, each with
// its "reminder" and "metrics" or in one array with them.
type Reminders struct{}

// RemindersName is what people call the format.
const RemindersName = "gimli-reminders"

// An outcome is what a person did with a reminder that was shown.
type outcome struct {
	Reminder  string   `json:"reminderId"`
	Agent     string   `json:"agentId"`
	Reaction  string   `json:"reaction"`
	TimeMS    *float64 `json:"reactionTimeMs"`
	Relevance *float64 `json:"contextRelevanceScore"`

	Row struct { // the same, as the table has it
		Reminder  string   `json:"reminder_id"`
		Agent     string   `json:"agent_id"`
		TimeMS    *float64 `json:"reaction_time_ms"`
		Relevance *float64 `json:"context_relevance_score"`
	} `json:"-"`
	Of      *reminder `json:"reminder"`
	Metrics *effect   `json:"metrics"`
}

// A reminder is what was shown, and when.
type reminder struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Trigger struct {
		Type    string  `json:"type"`
		At      instant `json:"datetime"`
		Pattern string  `json:"pattern"`
	} `json:"trigger"`
	Kind string `json:"trigger_type"` // as the table has it
	Spec string `json:"trigger_spec"`
}

// An effect is what is known of a reminder from its outcomes.
type effect struct {
	Reminder      string   `json:"reminderId"`
	Showings      int      `json:"totalShowings"`
	Completion    float64  `json:"completionRate"`
	Dismissal     float64  `json:"dismissalRate"`
	Relevance     *float64 `json:"avgContextRelevanceScore"`
	Effectiveness float64  `json:"effectivenessScore"`
	Trend         string   `json:"trend"`
}

// A drawn is a lesson that Gimli draws from reminders.
type drawn struct {
	Category      string  `json:"category"`
	Content       string  `json:"content"`
	Confidence    string  `json:"confidence"`
	Source        string  `json:"source"`
	Reminder      string  `json:"reminderId"`
	Effectiveness float64 `json:"effectivenessScore"`
	Outcome       string  `json:"outcomeType"`
}

// A group is reminders with something in common.
type group struct {
	Name          string
	Count         float64 `json:"count"`
	Effectiveness float64 `json:"avgEffectiveness"`
}

// groups are in the order of the file.
type groups []group

// patterns are what Gimli counts over all reminders.
type patterns struct {
	Priority groups `json:"byPriority"`
	Trigger  groups `json:"byTriggerType"`
	Time     groups `json:"byTimeOfDay"`
	Overall  struct {
		Showings      float64 `json:"totalShowings"`
		Effectiveness float64 `json:"avgEffectiveness"`
	} `json:"overall"`
}

// limits are where its conclusions begin.
type limits struct {
	Showings  float64 `json:"minShowingsForMetrics"`
	Effective float64 `json:"effectiveThreshold"`
}

var defaultLimits = limits{Showings: 3, Effective: 0.7}

func (g *groups) UnmarshalJSON(data []byte) error {
	ms, err := pieces(data, 0)
	for _, m := range ms {
		one := group{Name: m.key}
		if err := json.Unmarshal(data[m.value.start:m.value.end], &one); err != nil {
			return err
		}
		*g = append(*g, one)
	}
	return err
}

// An instant is a time as JSON has one of JavaScript's.
type instant struct{ time.Time }

func (t *instant) UnmarshalJSON(data []byte) error {
	var ms float64
	if json.Unmarshal(data, &ms) == nil {
		t.Time = time.UnixMilli(int64(ms))
		return nil
	}
	var s string
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	return t.parse(s)
}

func (t *instant) parse(s string) (err error) {
	if t.Time, err = time.Parse(time.RFC3339, s); err == nil {
		return nil
	}
	if t.Time, err = time.Parse(time.DateOnly, s); err == nil {
		return nil
	}
	t.Time, err = time.ParseInLocation("2006-01-02T15:04:05", s, time.Local)
	return err
}

func (o *outcome) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '[' { // with its reminder and metrics
		var parts []json.RawMessage
		if err := json.Unmarshal(data, &parts); err != nil || len(parts) != 3 {
			return cmp.Or(err, errors.New("an outcome in an array needs its reminder and metrics behind it"))
		}
		if err := json.Unmarshal(parts[0], o); err != nil {
			return err
		}
		o.Of, o.Metrics = &reminder{}, &effect{}
		return cmp.Or(json.Unmarshal(parts[1], o.Of), json.Unmarshal(parts[2], o.Metrics))
	}
	type plain outcome
	if err := json.Unmarshal(data, (*plain)(o)); err != nil {
		return err
	}
	if err := json.Unmarshal(data, &o.Row); err != nil {
		return err
	}
	o.Reminder, o.Agent = cmp.Or(o.Reminder, o.Row.Reminder), cmp.Or(o.Agent, o.Row.Agent)
	o.TimeMS, o.Relevance = cmp.Or(o.TimeMS, o.Row.TimeMS), cmp.Or(o.Relevance, o.Row.Relevance)
	return nil
}

// settled fills in what the table has in other words.
func (r *reminder) settled() {
	if r.Trigger.Type != "" {
		return
	}
	switch r.Trigger.Type = r.Kind; r.Kind {
	case "scheduled":
		_ = r.Trigger.At.parse(r.Spec) // without a time nothing is said of it
	case "context":
		r.Trigger.Pattern = r.Spec
	}
}

// draw draws a lesson from an outcome, or none; loc is where the person is.
func draw(o outcome, r reminder, e effect, loc *time.Location) *drawn {
	d := drawn{Source: "reminder_feedback", Reminder: o.Reminder, Effectiveness: e.Effectiveness}
	from := 3
	switch score := lessons.Reactions[o.Reaction].Reward; {
	case score >= 0.8:
		d.Category, d.Outcome, d.Content = pattern, "positive", works(r, e, loc)
	case score <= 0.1 && e.Showings >= 3:
		d.Category, d.Outcome, d.Content = correction, "negative", fails(r, e)
		from = 5
	default:
		return nil
	}
	d.Confidence = lessons.Medium
	if e.Showings >= from {
		d.Confidence = lessons.High
	}
	return &d
}

// works says of a reminder that it is good, and why.
func works(r reminder, e effect, loc *time.Location) string {
	s := fmt.Sprintf("Reminder \"%s\" is effective", r.Title)
	switch {
	case r.Trigger.Type == "context":
		s += fmt.Sprintf(" (context: %s)", r.Trigger.Pattern)
	case r.Trigger.Type == "scheduled" && !r.Trigger.At.IsZero():
		when := "evening"
		if hour := r.Trigger.At.In(loc).Hour(); hour < 12 {
			when = "morning"
		} else if hour < 17 {
			when = "afternoon"
		}
		s += fmt.Sprintf(" (%s timing works well)", when)
	}
	if e.Completion > 0.7 {
		s += fmt.Sprintf(" with %s completion rate", percent(e.Completion))
	}
	return s
}

// fails says of a reminder that it is not.
func fails(r reminder, e effect) string {
	s := fmt.Sprintf("Reminder \"%s\" is not working well", r.Title)
	if e.Dismissal > 0.5 {
		s += fmt.Sprintf(" - dismissed %s of the time", percent(e.Dismissal))
	}
	if r.Trigger.Type == "context" && e.Relevance != nil && *e.Relevance < 0.3 {
		s += " - context pattern may be too broad"
	}
	if e.Trend == "declining" {
		s += " - effectiveness declining over time"
	}
	return s
}

func percent(x float64) string { return fmt.Sprintf("%.0f%%", math.Floor(x*100+0.5)) }

// drawAll draws lessons from what was counted over all reminders.
func drawAll(p patterns, l limits) []drawn {
	out := []drawn{}
	if p.Overall.Showings < l.Showings*3 {
		return out
	}
	add := func(category, outcome, content string, score float64) {
		out = append(out, drawn{category, content, lessons.Medium, "reminder_feedback", "system", score, outcome})
	}
	var good []string
	for _, g := range p.Priority {
		if g.Count >= 3 && g.Effectiveness > l.Effective {
			good = append(good, g.Name)
		}
	}
	if len(good) > 0 {
		add(pattern, "positive", strings.Join(good, ", ")+" priority reminders work well for this user", p.Overall.Effectiveness)
	}
	if best, _ := p.Trigger.ends(); best != nil && best.Effectiveness > l.Effective {
		add(preference, "positive", fmt.Sprintf("User responds best to %s reminders", best.Name), best.Effectiveness)
	}
	best, worst := p.Time.ends()
	if best != nil && best.Effectiveness > 0.6 {
		add(preference, "positive", fmt.Sprintf("Reminders are most effective in the %s", best.Name), best.Effectiveness)
	}
	if worst != nil && worst.Effectiveness < 0.3 && worst != best {
		add(correction, "negative", fmt.Sprintf("Avoid sending reminders in the %s - low engagement", worst.Name), worst.Effectiveness)
	}
	return out
}

// ends are the first of the best and the first of the worst groups that are large
// enough; nil where there is none.
func (g groups) ends() (best, worst *group) {
	for i := range g {
		if g[i].Count < 3 {
			continue
		}
		if best == nil || g[i].Effectiveness > best.Effectiveness {
			best = &g[i]
		}
		if worst == nil || g[i].Effectiveness < worst.Effectiveness {
			worst = &g[i]
		}
	}
	return best, worst
}

// reminderFile is a file of outcomes.
type reminderFile struct {
	Agent     string            `json:"agentId"`
	Reminders []reminder        `json:"reminders"`
	Outcomes  []json.RawMessage `json:"outcomes"`
	Feedback  []json.RawMessage `json:"feedback"`
	Metrics   []effect          `json:"metrics"`
	Stats     *patterns         `json:"stats"`
}

func parseReminders(data []byte) (f reminderFile, err error) {
	if first := bytes.TrimLeft(data, " \t\r\n"); len(first) > 0 && first[0] == '[' {
		err = json.Unmarshal(data, &f.Outcomes)
	} else {
		err = json.Unmarshal(data, &f)
	}
	f.Outcomes = append(f.Outcomes, f.Feedback...)
	if err == nil && len(f.Outcomes) == 0 && f.Stats == nil {
		err = errors.New("it has neither outcomes nor stats of reminders")
	}
	return f, err
}

// Detect reports whether path is a file of outcomes.
func (Reminders) Detect(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || !isJSON(path) {
		return false
	}
	data, err := exchange.ReadFile(path)
	if err != nil || !bytes.Contains(data, []byte("reaction")) && !bytes.Contains(data, []byte("byTriggerType")) {
		return false
	}
	f, err := parseReminders(data)
	if err != nil {
		return false
	}
	var o outcome
	return f.Stats != nil || json.Unmarshal(f.Outcomes[0], &o) == nil && o.Reaction != "" && o.Reminder != ""
}

// Lacks says that nothing is held: outcomes are only read.
func (Reminders) Lacks(lessons.Lesson) []string { return nil }

// Plan refuses: outcomes are only read.
func (Reminders) Plan(context.Context, exchange.Target, []lessons.Lesson) (*exchange.Plan, error) {
	return nil, fmt.Errorf("%s %w: outcomes of reminders are only read", RemindersName, exchange.ErrOneWay)
}

// Read gives the lessons that Gimli draws from the outcomes: of each reminder the last
// good one and the last bad one, and those over all.
func (Reminders) Read(ctx context.Context, path string) (exchange.Found, error) {
	var found exchange.Found
	data, err := exchange.ReadFile(path)
	if err == nil && data == nil {
		err = os.ErrNotExist
	}
	if err != nil {
		return found, fmt.Errorf("reading %s: %w", path, err)
	}
	f, err := parseReminders(data)
	if err != nil {
		return found, fmt.Errorf("%s %w: %w", path, exchange.ErrFormat, err)
	}
	t := tellers{path: path, file: f, past: map[string]*past{}, reminders: map[string]*reminder{}, effects: map[string]*effect{}, at: map[string]int{}}
	for i := range f.Reminders {
		t.reminders[f.Reminders[i].ID] = &f.Reminders[i]
	}
	for i := range f.Metrics {
		t.effects[f.Metrics[i].Reminder] = &f.Metrics[i]
	}
	for i, raw := range f.Outcomes {
		if err := ctx.Err(); err != nil {
			return found, err
		}
		if err := t.outcome(raw); err != nil {
			found.Unread = append(found.Unread, exchange.Unread{Path: path, Err: fmt.Errorf("outcome %d: %w", i+1, err)})
		}
	}
	if f.Stats != nil {
		for _, d := range drawAll(*f.Stats, defaultLimits) {
			t.tell(f.Agent, d, d.Content, fmt.Sprintf("%.0f showings", f.Stats.Overall.Showings))
		}
	}
	found.Entries = t.out
	return found, nil
}

// tellers makes lessons of a file of outcomes.
type tellers struct {
	path string
	file reminderFile
	past map[string]*past
	out  []exchange.Entry
	at   map[string]int // of out, by key

	reminders map[string]*reminder
	effects   map[string]*effect
}

// past is what came of one reminder so far.
type past struct {
	n         map[string]int
	times     []float64
	relevance []float64
	scores    []float64
}

func (t *tellers) outcome(raw json.RawMessage) error {
	var o outcome
	if err := json.Unmarshal(raw, &o); err != nil {
		return err
	}
	if _, ok := lessons.Reactions[o.Reaction]; !ok {
		return fmt.Errorf("the reaction %q is none of Gimli's", lessons.Line(o.Reaction))
	}
	r := cmp.Or(o.Of, t.reminders[o.Reminder])
	if r == nil || strings.TrimSpace(r.Title) == "" {
		return fmt.Errorf("its reminder %q is not in the file", lessons.Line(o.Reminder))
	}
	r.settled()
	e := cmp.Or(o.Metrics, t.effects[o.Reminder])
	if e == nil {
		e = t.record(o)
	}
	if d := draw(o, *r, *e, time.Local); d != nil {
		t.tell(cmp.Or(o.Agent, t.file.Agent), *d, d.Outcome, fmt.Sprintf("%s; %d showings, %s completed, %s dismissed", o.Reaction, e.Showings, percent(e.Completion), percent(e.Dismissal)))
	}
	return nil
}

// record counts an outcome, and gives what is known of its reminder then.
func (t *tellers) record(o outcome) *effect {
	p := t.past[o.Reminder]
	if p == nil {
		p = &past{n: map[string]int{}}
		t.past[o.Reminder] = p
	}
	p.n[o.Reaction]++
	p.n[""]++
	if o.TimeMS != nil {
		p.times = append(p.times, *o.TimeMS)
	}
	if o.Relevance != nil {
		p.relevance = append(p.relevance, *o.Relevance)
	}
	total := float64(p.n[""])
	e := &effect{Reminder: o.Reminder, Showings: p.n[""], Completion: float64(p.n["completed"]) / total, Dismissal: float64(p.n["dismissed"]) / total, Relevance: average(p.relevance)}
	e.Effectiveness = effectiveness(e.Completion, e.Dismissal, average(p.times))
	p.scores = append(p.scores, e.Effectiveness)
	e.Trend = trend(p.scores)
	return e
}

func average(xs []float64) *float64 {
	if len(xs) == 0 {
		return nil
	}
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	sum /= float64(len(xs))
	return &sum
}

// effectiveness weighs completions .6, what was not dismissed .25, and how soon
// somebody reacted .15: a minute is soon, and ten are not.
func effectiveness(completion, dismissal float64, ms *float64) float64 {
	soon := 0.5
	if ms != nil && *ms > 0 {
		soon = max(0, 1-math.Log10(*ms/60000+1)/1.2)
	}
	return min(1, max(0, completion*0.6+(1-dismissal)*0.25+soon*0.15))
}

// trend is the slope of the last five scores.
func trend(scores []float64) string {
	scores = scores[max(0, len(scores)-5):]
	n := float64(len(scores))
	if n < 2 {
		return "stable"
	}
	var x, y, xy, xx float64
	for i, s := range scores {
		x, y, xy, xx = x+float64(i), y+s, xy+float64(i)*s, xx+float64(i*i)
	}
	switch slope := (n*xy - x*y) / (n*xx - x*x); {
	case slope > 0.02:
		return "improving"
	case slope < -0.02:
		return "declining"
	}
	return "stable"
}

// tell makes an entry of what was drawn. A later one of the same reminder and kind
// takes the place of an earlier one.
func (t *tellers) tell(agent string, d drawn, kind, shows string) {
	agent = AgentID(agent)
	key := d.Reminder + " " + kind
	content := strings.Join(strings.Fields(d.Content), " ")
	l := lessons.Lesson{
		ID: exchange.ID(RemindersName, agent, d.Reminder+" "+content), Status: lessons.Pending, Category: lessons.Category(d.Category), Wording: lessons.Wording{Content: content},
		Scope: scopeOf(agent), Origin: lessons.Origin{Extractor: exchange.By(RemindersName), Rule: fmt.Sprintf("%sreminder_feedback: %s", importedFrom, shows)},
		Evidence: []lessons.Evidence{{Agent: Name, Path: t.path, By: lessons.ByAgent, From: "import", Quote: shows}},
	}
	l.Confidence, _ = lessons.ParseConfidence(d.Confidence)
	e := exchange.Entry{Lesson: l, Key: agent + " " + key, Place: filepath.Base(t.path) + " " + d.Reminder}
	if i, ok := t.at[e.Key]; ok {
		t.out[i] = e
		return
	}
	t.at[e.Key] = len(t.out)
	t.out = append(t.out, e)
}
