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
	"learnings/lessons/lazy"
)

// Reminders is a format that is only read: what came of Gimli's reminders, from which
// it draws lessons. A file is an object with "reminders", "outcomes", "metrics" and
// "stats", as its tables and functions have them; or an array of outcomes, each with
// its "reminder" and "metrics" or in one array with them.
type Reminders struct{ exchange.ReadOnly }

// RemindersName is what people call the format.
const RemindersName = "gimli-reminders"

// A row is an object of the file: an outcome, a reminder, or what is known of one.
// Gimli's tables name things in another way than its functions: reminder_id, reminderId.
type row map[string]any

var capital = lazy.Regexp(`[A-Z]`)

func (r row) get(key string) any {
	if v := r[key]; v != nil {
		return v
	}
	return r[capital().ReplaceAllStringFunc(key, func(s string) string { return "_" + strings.ToLower(s) })]
}

func (r row) text(key string) string {
	s, _ := r.get(key).(string)
	return s
}

func (r row) number(key string) float64 {
	x, _ := r.get(key).(float64)
	return x
}

func (r row) row(key string) row {
	m, _ := r.get(key).(map[string]any)
	return m
}

// outcomeOf reads an outcome, with its reminder and what is known of that where they
// are beside it.
func outcomeOf(data []byte) (o, of, known row, err error) {
	if bytes.HasPrefix(data, []byte("[")) {
		var parts []row
		if err = json.Unmarshal(data, &parts); err == nil && len(parts) != 3 {
			err = errors.New("an outcome in an array needs its reminder and metrics behind it")
		}
		if err != nil {
			return nil, nil, nil, err
		}
		return parts[0], parts[1], parts[2], nil
	}
	err = json.Unmarshal(data, &o)
	return o, o.row("reminder"), o.row("metrics"), err
}

// trigger is when a reminder shows: its type, the pattern of a context and the time of
// a schedule.
func trigger(r row) (kind, pattern string, at time.Time) {
	if t := r.row("trigger"); t.text("type") != "" {
		return t.text("type"), t.text("pattern"), instant(t.get("datetime"))
	}
	return r.text("triggerType"), r.text("triggerSpec"), instant(r.get("triggerSpec"))
}

// instant is a time as JavaScript has one; zero for none.
func instant(v any) time.Time {
	switch v := v.(type) {
	case float64:
		return time.UnixMilli(int64(v))
	case string:
		for layout, zone := range map[string]*time.Location{time.RFC3339: time.UTC, time.DateOnly: time.UTC, "2006-01-02T15:04:05": time.Local} {
			if t, err := time.ParseInLocation(layout, v, zone); err == nil {
				return t
			}
		}
	}
	return time.Time{}
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

// draw draws a lesson from an outcome, or none; loc is where the person is.
func draw(o, r, known row, loc *time.Location) *drawn {
	d := drawn{Source: "reminder_feedback", Reminder: o.text("reminderId"), Effectiveness: known.number("effectivenessScore"), Confidence: lessons.Medium}
	showings, sure := known.number("totalShowings"), 3.0
	switch score := lessons.Reactions[o.text("reaction")].Reward; {
	case score >= 0.8:
		d.Category, d.Outcome, d.Content = pattern, "positive", works(r, known, loc)
	case score <= 0.1 && showings >= 3:
		d.Category, d.Outcome, d.Content = correction, "negative", fails(r, known)
		sure = 5
	default:
		return nil
	}
	if showings >= sure {
		d.Confidence = lessons.High
	}
	return &d
}

// works says of a reminder that it is good, and why.
func works(r, known row, loc *time.Location) string {
	s := fmt.Sprintf("Reminder \"%s\" is effective", r.text("title"))
	switch kind, pattern, at := trigger(r); {
	case kind == "context":
		s += fmt.Sprintf(" (context: %s)", pattern)
	case kind == "scheduled" && !at.IsZero():
		when := "evening"
		if hour := at.In(loc).Hour(); hour < 12 {
			when = "morning"
		} else if hour < 17 {
			when = "afternoon"
		}
		s += fmt.Sprintf(" (%s timing works well)", when)
	}
	if rate := known.number("completionRate"); rate > 0.7 {
		s += fmt.Sprintf(" with %s completion rate", percent(rate))
	}
	return s
}

// fails says of a reminder that it is not.
func fails(r, known row) string {
	s := fmt.Sprintf("Reminder \"%s\" is not working well", r.text("title"))
	if rate := known.number("dismissalRate"); rate > 0.5 {
		s += fmt.Sprintf(" - dismissed %s of the time", percent(rate))
	}
	relevance, has := known.get("avgContextRelevanceScore").(float64)
	if kind, _, _ := trigger(r); kind == "context" && has && relevance < 0.3 {
		s += " - context pattern may be too broad"
	}
	if known.text("trend") == "declining" {
		s += " - effectiveness declining over time"
	}
	return s
}

func percent(x float64) string { return fmt.Sprintf("%.0f%%", math.Floor(x*100+0.5)) }

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

// groups are reminders by what they have in common, in the order of the file.
type groups []group

type group struct {
	Name          string
	Count         float64 `json:"count"`
	Effectiveness float64 `json:"avgEffectiveness"`
}

func (g *groups) UnmarshalJSON(data []byte) error {
	parts, err := exchange.Parts(data, 0)
	for _, p := range parts {
		one := group{Name: p.Key}
		if err := json.Unmarshal(data[p.From:p.To], &one); err != nil {
			return err
		}
		*g = append(*g, one)
	}
	return err
}

// limits are where Gimli's conclusions begin.
type limits struct {
	Showings  float64 `json:"minShowingsForMetrics"`
	Effective float64 `json:"effectiveThreshold"`
}

var defaultLimits = limits{Showings: 3, Effective: 0.7}

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
	if best, _ := p.Trigger.ends(); best.Effectiveness > l.Effective {
		add(preference, "positive", fmt.Sprintf("User responds best to %s reminders", best.Name), best.Effectiveness)
	}
	best, worst := p.Time.ends()
	if best.Effectiveness > 0.6 {
		add(preference, "positive", fmt.Sprintf("Reminders are most effective in the %s", best.Name), best.Effectiveness)
	}
	if worst.Name != best.Name && worst.Effectiveness < 0.3 {
		add(correction, "negative", fmt.Sprintf("Avoid sending reminders in the %s - low engagement", worst.Name), worst.Effectiveness)
	}
	return out
}

// ends are the first of the best and the first of the worst groups that are large
// enough; both are the zero group where there is none.
func (g groups) ends() (best, worst group) {
	for _, x := range g {
		if x.Count < 3 {
			continue
		}
		if best.Count == 0 || x.Effectiveness > best.Effectiveness {
			best = x
		}
		if worst.Count == 0 || x.Effectiveness < worst.Effectiveness {
			worst = x
		}
	}
	return best, worst
}

// A reminderFile is a file of outcomes, and what was drawn from it so far.
type reminderFile struct {
	Agent     string            `json:"agentId"`
	Reminders []row             `json:"reminders"`
	Outcomes  []json.RawMessage `json:"outcomes"`
	Feedback  []json.RawMessage `json:"feedback"`
	Metrics   []row             `json:"metrics"`
	Stats     *patterns         `json:"stats"`

	path                        string
	reminders, metrics, counted map[string]row
	out                         []exchange.Entry
	at                          map[string]int // of out, by key
}

func parseReminders(path string, data []byte) (*reminderFile, error) {
	f := &reminderFile{path: path, reminders: map[string]row{}, metrics: map[string]row{}, counted: map[string]row{}, at: map[string]int{}}
	var into any = f
	if bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("[")) {
		into = &f.Outcomes
	}
	err := json.Unmarshal(data, into)
	f.Outcomes = append(f.Outcomes, f.Feedback...)
	for _, r := range f.Reminders {
		f.reminders[r.text("id")] = r
	}
	for _, m := range f.Metrics {
		f.metrics[m.text("reminderId")] = m
	}
	if err == nil && len(f.Outcomes) == 0 && f.Stats == nil {
		err = errors.New("it has neither outcomes nor stats of reminders")
	}
	return f, err
}

// Detect reports whether path is a file of outcomes.
func (Reminders) Detect(path string) bool {
	if !isJSON(path) {
		return false
	}
	data, err := exchange.ReadFile(path)
	if err != nil || !bytes.Contains(data, []byte("reaction")) && !bytes.Contains(data, []byte("byTriggerType")) {
		return false
	}
	f, err := parseReminders(path, data)
	if err != nil || f.Stats != nil {
		return err == nil
	}
	o, _, _, err := outcomeOf(f.Outcomes[0])
	return err == nil && o.text("reaction") != "" && o.text("reminderId") != ""
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
	f, err := parseReminders(path, data)
	if err != nil {
		return found, fmt.Errorf("%s %w: %w", path, exchange.ErrFormat, err)
	}
	for i, raw := range f.Outcomes {
		if err := ctx.Err(); err != nil {
			return found, err
		}
		if err := f.outcome(raw); err != nil {
			found.Unread = append(found.Unread, exchange.Unread{Path: path, Err: fmt.Errorf("outcome %d: %w", i+1, err)})
		}
	}
	if f.Stats != nil {
		for _, d := range drawAll(*f.Stats, defaultLimits) {
			f.tell(f.Agent, d, d.Content, fmt.Sprintf("%.0f showings", f.Stats.Overall.Showings))
		}
	}
	found.Entries = f.out
	return found, nil
}

// outcome draws a lesson from one outcome.
func (f *reminderFile) outcome(raw json.RawMessage) error {
	o, r, known, err := outcomeOf(raw)
	if err != nil {
		return err
	}
	id, reaction := o.text("reminderId"), o.text("reaction")
	if _, ok := lessons.Reactions[reaction]; !ok {
		return fmt.Errorf("the reaction %q is none of Gimli's", lessons.Line(reaction))
	}
	if r == nil {
		r = f.reminders[id]
	}
	if strings.TrimSpace(r.text("title")) == "" {
		return fmt.Errorf("its reminder %q is not in the file", lessons.Line(id))
	}
	if known == nil {
		known = f.metrics[id]
	}
	if known == nil {
		known = f.counted[id]
		if known == nil {
			known = row{}
			f.counted[id] = known
		}
		known.count(o)
	}
	if d := draw(o, r, known, time.Local); d != nil {
		shows := fmt.Sprintf("%s; %.0f showings, %s completed, %s dismissed", reaction, known.number("totalShowings"), percent(known.number("completionRate")), percent(known.number("dismissalRate")))
		f.tell(cmp.Or(o.text("agentId"), f.Agent), *d, d.Outcome, shows)
	}
	return nil
}

// count counts an outcome of a reminder of which the file has no metrics.
func (r row) count(o row) {
	for key, is := range map[string]bool{"n": true, "completed": o.text("reaction") == "completed", "dismissed": o.text("reaction") == "dismissed"} {
		if is {
			r[key] = r.number(key) + 1
		}
	}
	n := r.number("n")
	r["totalShowings"], r["completionRate"], r["dismissalRate"] = n, r.number("completed")/n, r.number("dismissed")/n
	if x, ok := o.get("contextRelevanceScore").(float64); ok {
		r["relevant"], r["relevance"] = r.number("relevant")+1, r.number("relevance")+x
		r["avgContextRelevanceScore"] = r.number("relevance") / r.number("relevant")
	}
}

// tell makes an entry of what was drawn. A later one of the same reminder and kind
// takes the place of an earlier one.
func (f *reminderFile) tell(agent string, d drawn, kind, shows string) {
	agent = AgentID(agent)
	content := strings.Join(strings.Fields(d.Content), " ")
	l := lessons.Lesson{
		ID: exchange.ID(RemindersName, agent, d.Reminder+" "+content), Status: lessons.Pending, Category: lessons.Category(d.Category), Wording: lessons.Wording{Content: content},
		Scope: scopeOf(agent), Origin: lessons.Origin{Extractor: exchange.By(RemindersName), Rule: fmt.Sprintf("%sreminder_feedback: %s", importedFrom, shows)},
		Evidence: []lessons.Evidence{{Agent: Name, Path: f.path, By: lessons.ByAgent, From: "import", Quote: shows}},
	}
	l.Confidence, _ = lessons.ParseConfidence(d.Confidence)
	e := exchange.Entry{Lesson: l, Key: agent + " " + d.Reminder + " " + kind, Place: filepath.Base(f.path) + " " + d.Reminder}
	i, ok := f.at[e.Key]
	if !ok {
		i = len(f.out)
		f.at[e.Key], f.out = i, append(f.out, e)
	}
	f.out[i] = e
}
