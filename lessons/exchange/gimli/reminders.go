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
	"slices"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

// Reminders is a read-only format: what came of Gimli's reminders, from which Gimli draws
// lessons. A file is an object with "reminders", "outcomes", "metrics" and "stats", as in
// Gimli's tables and functions.
type Reminders struct{ exchange.ReadOnly }

// RemindersName is the name of the format.
const RemindersName = "gimli-reminders"

// An outcome is a person's reaction to a reminder.
type outcome struct{ ReminderID, AgentID, Reaction string }

// A reminder is in the form of Gimli's functions, with a trigger, or of its table.
type reminder struct {
	ID, Title   string
	Trigger     trigger
	TriggerType string
	TriggerSpec any
}

// A trigger says when a reminder shows: in a context with a pattern, or at a time.
type trigger struct {
	Type     string
	Pattern  any
	Datetime any
}

// metrics are the counts of one reminder.
type metrics struct {
	ReminderID                                                       string
	TotalShowings, CompletionRate, DismissalRate, EffectivenessScore float64
	AvgContextRelevanceScore                                         *float64
	Trend                                                            string

	counted bool // counted here, because the file has none
}

// count counts an outcome of a reminder without metrics in the file.
func (m *metrics) count(reaction string) {
	if !m.counted {
		return
	}
	m.TotalShowings++
	for is, rate := range map[string]*float64{"completed": &m.CompletionRate, "dismissed": &m.DismissalRate} {
		share := 0.0
		if reaction == is {
			share = 1
		}
		*rate += (share - *rate) / m.TotalShowings
	}
}

// partOfDay returns when a schedule shows a reminder; "" if unknown.
func (t trigger) partOfDay(loc *time.Location) string {
	var at time.Time
	switch v := t.Datetime.(type) {
	case float64:
		at = time.UnixMilli(int64(v))
	case string:
		at = exchange.Moment(v)
	}
	switch hour := at.In(loc).Hour(); {
	case at.IsZero():
		return ""
	case hour < 12:
		return "morning"
	case hour < 17:
		return "afternoon"
	}
	return "evening"
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

// draw draws a lesson from an outcome, or returns nil; loc is the person's.
func draw(o outcome, r reminder, m metrics, loc *time.Location) *drawn {
	d := drawn{Source: "reminder_feedback", Reminder: o.ReminderID, Effectiveness: m.EffectivenessScore, Confidence: lessons.Medium}
	add := func(is bool, format string, args ...any) {
		if is {
			d.Content += fmt.Sprintf(format, args...)
		}
	}
	t, sure := r.Trigger, 3.0
	if t.Type == "" {
		t = trigger{r.TriggerType, r.TriggerSpec, r.TriggerSpec}
	}
	context := t.Type == "context"
	switch score := lessons.Reactions[o.Reaction].Reward; {
	case score >= 0.8:
		d.Category, d.Outcome, d.Content = pattern, "positive", `Reminder "`+r.Title+`" is effective`
		add(context, " (context: %v)", t.Pattern)
		part := t.partOfDay(loc)
		add(t.Type == "scheduled" && part != "", " (%s timing works well)", part)
		add(m.CompletionRate > 0.7, " with %s completion rate", percent(m.CompletionRate))
	case score <= 0.1 && m.TotalShowings >= 3:
		d.Category, d.Outcome, d.Content, sure = correction, "negative", `Reminder "`+r.Title+`" is not working well`, 5
		add(m.DismissalRate > 0.5, " - dismissed %s of the time", percent(m.DismissalRate))
		add(context && m.AvgContextRelevanceScore != nil && *m.AvgContextRelevanceScore < 0.3, " - context pattern may be too broad")
		add(m.Trend == "declining", " - effectiveness declining over time")
	default:
		return nil
	}
	if m.TotalShowings >= sure {
		d.Confidence = lessons.High
	}
	return &d
}

func percent(x float64) string { return fmt.Sprintf("%.0f%%", math.Floor(x*100+0.5)) }

// stats are Gimli's counts over all reminders.
type stats struct {
	ByPriority, ByTriggerType, ByTimeOfDay map[string]group
	Overall                                struct{ TotalShowings, AvgEffectiveness float64 }
}

// A group is a set of reminders with something in common.
type group struct{ Count, AvgEffectiveness float64 }

// draw draws lessons from the counts over all reminders.
func (s stats) draw() []drawn {
	out := []drawn{}
	if s.Overall.TotalShowings < 9 {
		return out
	}
	add := func(is bool, category, outcome string, score float64, format, name string) {
		if is {
			out = append(out, drawn{category, fmt.Sprintf(format, name), lessons.Medium, "reminder_feedback", "system", score, outcome})
		}
	}
	var good []string
	for _, name := range []string{"urgent", "normal", "low"} {
		if g := s.ByPriority[name]; g.Count >= 3 && g.AvgEffectiveness > 0.7 {
			good = append(good, name)
		}
	}
	add(len(good) > 0, pattern, "positive", s.Overall.AvgEffectiveness, "%s priority reminders work well for this user", strings.Join(good, ", "))
	best, _ := ends(s.ByTriggerType, "scheduled", "recurring", "context")
	score := s.ByTriggerType[best].AvgEffectiveness
	add(score > 0.7, preference, "positive", score, "User responds best to %s reminders", best)
	best, worst := ends(s.ByTimeOfDay, "morning", "afternoon", "evening", "night")
	score = s.ByTimeOfDay[best].AvgEffectiveness
	add(score > 0.6, preference, "positive", score, "Reminders are most effective in the %s", best)
	score = s.ByTimeOfDay[worst].AvgEffectiveness
	add(worst != best && score < 0.3, correction, "negative", score, "Avoid sending reminders in the %s - low engagement", worst)
	return out
}

// ends returns the best and the worst of the groups that are large enough, the first of
// equal ones; "" for none.
func ends(groups map[string]group, names ...string) (best, worst string) {
	names = slices.DeleteFunc(names, func(name string) bool { return groups[name].Count < 3 })
	if len(names) == 0 {
		return "", ""
	}
	by := func(a, b string) int { return cmp.Compare(groups[a].AvgEffectiveness, groups[b].AvgEffectiveness) }
	return slices.MaxFunc(names, by), slices.MinFunc(names, by)
}

// A reminderFile is a file of outcomes.
type reminderFile struct {
	AgentID            string
	Reminders          []reminder
	Outcomes, Feedback []json.RawMessage
	Metrics            []metrics
	Stats              *stats
}

// key matches the keys of objects, which Gimli's tables and functions spell differently:
// reminder_id, reminderId.
var key = lessons.LazyRegexp(`"\w+"\s*:`)

func parseReminders(data []byte) (f reminderFile, err error) {
	data = key().ReplaceAllFunc(data, func(k []byte) []byte { return bytes.ReplaceAll(k, []byte("_"), nil) })
	err = json.Unmarshal(data, &f)
	if f.Outcomes = append(f.Outcomes, f.Feedback...); err == nil && len(f.Outcomes) == 0 && f.Stats == nil {
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
	f, err := parseReminders(data)
	if err != nil || f.Stats != nil {
		return err == nil
	}
	o, _, _, err := f.outcome(f.Outcomes[0])
	return err == nil && o.ReminderID != ""
}

// Read returns the lessons that Gimli draws from the outcomes: of each reminder the last
// good one and the last bad one, and those over all reminders.
func (Reminders) Read(ctx context.Context, path string) (found exchange.Found, err error) {
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
	tell := func(agent string, d drawn, kind, shows string) {
		e := d.entry(path, AgentID(agent), kind, shows)
		found.Entries = append(slices.DeleteFunc(found.Entries, func(x exchange.Entry) bool { return x.Key == e.Key }), e)
	}
	for i, raw := range f.Outcomes {
		if err := ctx.Err(); err != nil {
			return found, err
		}
		o, r, m, err := f.outcome(raw)
		if err != nil {
			found.Unread = append(found.Unread, exchange.Unread{Path: path, Err: fmt.Errorf("outcome %d: %w", i+1, err)})
		} else if d := draw(o, r, *m, time.Local); d != nil {
			shows := fmt.Sprintf("%s; %.0f showings, %s completed, %s dismissed", o.Reaction, m.TotalShowings, percent(m.CompletionRate), percent(m.DismissalRate))
			tell(cmp.Or(o.AgentID, f.AgentID), *d, d.Outcome, shows)
		}
	}
	if f.Stats != nil {
		for _, d := range f.Stats.draw() {
			tell(f.AgentID, d, d.Content, fmt.Sprintf("%.0f showings", f.Stats.Overall.TotalShowings))
		}
	}
	return found, nil
}

// outcome parses an outcome, with its reminder and metrics.
func (f *reminderFile) outcome(raw json.RawMessage) (o outcome, r reminder, m *metrics, err error) {
	if err := json.Unmarshal(raw, &o); err != nil {
		return o, r, nil, err
	}
	if _, ok := lessons.Reactions[o.Reaction]; !ok {
		return o, r, nil, fmt.Errorf("the reaction %q is none of Gimli's", lessons.Line(o.Reaction))
	}
	i := slices.IndexFunc(f.Reminders, func(r reminder) bool { return r.ID == o.ReminderID })
	if i < 0 || strings.TrimSpace(f.Reminders[i].Title) == "" {
		return o, r, nil, fmt.Errorf("its reminder %q is not in the file", lessons.Line(o.ReminderID))
	}
	n := slices.IndexFunc(f.Metrics, func(m metrics) bool { return m.ReminderID == o.ReminderID })
	if n < 0 {
		n = len(f.Metrics)
		f.Metrics = append(f.Metrics, metrics{ReminderID: o.ReminderID, counted: true})
	}
	f.Metrics[n].count(o.Reaction)
	return o, f.Reminders[i], &f.Metrics[n], nil
}

// entry converts a drawn lesson.
func (d drawn) entry(path, agent, kind, shows string) exchange.Entry {
	content := strings.Join(strings.Fields(d.Content), " ")
	l := lessons.Lesson{
		ID: exchange.ID(RemindersName, agent, d.Reminder+" "+content), Status: lessons.Pending, Category: lessons.Category(d.Category), Wording: lessons.Wording{Content: content},
		Scope: scopeOf(agent), Origin: lessons.Origin{Extractor: exchange.By(RemindersName), Rule: fmt.Sprintf("%sreminder_feedback: %s", importedFrom, shows)},
		Evidence: []lessons.Evidence{{Agent: Name, Path: path, By: lessons.ByAgent, From: "import", Quote: shows}},
	}
	l.Confidence, _ = lessons.ParseConfidence(d.Confidence)
	return exchange.Entry{Lesson: l, Key: agent + " " + d.Reminder + " " + kind, Place: filepath.Base(path) + " " + d.Reminder}
}
