package amplihack

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

// provenFrom is how often a learning is used until it counts as proven.
const provenFrom = 3

// keptDays is how many days the daily counts go back.
const keptDays = 30

// A day is what happened on one.
type day struct{ injections, extractions, helpful int }

// counts are what the statistics say.
type counts struct {
	total   int
	byKind  map[string]int
	proven  int
	used    int // how often learnings were given, all together
	helpful float64

	known                     bool // whether what follows is
	injected, extracted       int
	injectedIn, extractedFrom int // sessions
	days                      map[string]day
}

// stats plans the file of statistics: of what the files will hold, and of what
// became of the lessons in this corpus. It is begun when there is something to
// count.
func (w *writer) stats(after []*document, ls []lessons.Lesson) error {
	c := counts{byKind: map[string]int{}}
	for _, d := range after {
		for _, e := range d.entries {
			c.total++
			c.byKind[d.stem]++
			c.used += e.said.Used
			if e.said.Used >= provenFrom {
				c.proven++
			}
		}
	}
	if err := w.count(&c, ls); err != nil {
		return err
	}
	path := filepath.Join(w.place.dir, statsFile)
	data, err := exchange.ReadFile(path)
	if err != nil {
		return err
	}
	if data == nil {
		if c.total > 0 {
			text, err := c.into([]byte(statsTemplate), w.to.Now)
			if err != nil {
				return fmt.Errorf("writing %s: %w", path, err)
			}
			w.File(path, nil, []byte(text))
		}
		return nil
	}
	text, err := c.into(data, w.to.Now)
	if err != nil {
		return nil // it is no file of statistics, and nothing depends on it
	}
	w.File(path, data, []byte(text))
	return nil
}

// count adds what became of lessons that have an entry.
func (w *writer) count(c *counts, ls []lessons.Lesson) error {
	here := map[lessons.ID]bool{}
	helped, used := 0, 0
	for _, l := range ls {
		if l.Status == lessons.Approved {
			here[l.ID] = true
			helped += l.Use.Helped
			used += l.Use.Used
		}
	}
	if used > 0 {
		c.helpful = min(math.Round(float64(helped)/float64(used)*100)/100, 1)
	}
	if w.to.Changes == nil {
		return nil
	}
	c.known, c.days = true, map[string]day{}
	given, from := map[string]bool{}, map[string]bool{}
	for ch, err := range w.to.Changes {
		if err != nil {
			return fmt.Errorf("counting what was done: %w", err)
		}
		if !here[ch.ID] || ch.After == nil {
			continue
		}
		at := ch.At
		var one day
		switch {
		case ch.Op == lessons.OpUse:
			one.injections = 1
			given[ch.Session] = true
			if last := ch.After.Use.Last; !last.IsZero() {
				at = last
			}
		case ch.Op == lessons.OpPropose && ch.After.Origin.Source != "" && !strings.HasPrefix(ch.After.Origin.Extractor, "import:"):
			one.extractions = 1
			from[ch.After.Origin.Source] = true
		case ch.Op == lessons.OpFeedback && ch.Before != nil && ch.After.Use.Helped > ch.Before.Use.Helped:
			one.helpful = 1
		default:
			continue
		}
		c.injected += one.injections
		c.extracted += one.extractions
		date := at.UTC().Format(time.DateOnly)
		d := c.days[date]
		c.days[date] = day{d.injections + one.injections, d.extractions + one.extractions, d.helpful + one.helpful}
	}
	c.injectedIn, c.extractedFrom = len(given), len(from)
	return nil
}

// into gives a file of statistics with the counts in it. Comments, and keys that it
// has beside them, stay.
func (c counts) into(data []byte, now time.Time) (string, error) {
	t, bad := parseText(data)
	if bad != nil {
		return "", bad
	}
	_, top := value(t.root, "stats")
	if top == nil || top.Kind != yaml.MappingNode {
		return "", shape(0, "has no stats")
	}
	if line, found := odd(t.root); found {
		return "", shape(line, "has an anchor, an alias or a tag")
	}
	group := func(name string) *yaml.Node { _, v := value(top, name); return v }
	whole := func(m *yaml.Node, name string, n int) { t.setNumber(m, name, float64(n), strconv.Itoa(n)) }
	whole(top, "total_learnings", c.total)
	for _, k := range slices.Sorted(keysOf(group("by_category"))) {
		whole(group("by_category"), k, c.byKind[k])
	}
	whole(group("injections"), "total", c.used)
	whole(group("effectiveness"), "proven_learnings", c.proven)
	t.setNumber(group("effectiveness"), "helpful_rate", c.helpful, number(c.helpful))
	if c.known {
		average := math.Round(float64(c.injected)/float64(max(c.injectedIn, 1))*100) / 100
		whole(group("injections"), "sessions_with_injection", c.injectedIn)
		t.setNumber(group("injections"), "avg_learnings_per_session", average, number(average))
		whole(group("extractions"), "total", c.extracted)
		whole(group("extractions"), "sessions_with_extraction", c.extractedFrom)
		c.daily(t, now)
	}
	if len(t.edits) > 0 {
		t.setScalar(top, "last_updated", quote(stamp(now)))
	}
	text := t.String()
	if _, bad := parseText([]byte(text)); bad != nil {
		return "", bad
	}
	return text, nil
}

// keysOf are the keys of a mapping.
func keysOf(m *yaml.Node) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for i := 0; m != nil && m.Kind == yaml.MappingNode && i+1 < len(m.Content); i += 2 {
			if !yield(m.Content[i].Value) {
				return
			}
		}
	}
}

// setNumber gives a key another number; how it is written stays when it is the same.
func (t *text) setNumber(m *yaml.Node, name string, n float64, with string) {
	_, v := value(m, name)
	if v == nil || v.Kind != yaml.ScalarNode {
		return
	}
	if was, err := strconv.ParseFloat(v.Value, 64); err != nil || was != n {
		t.setScalar(m, name, with)
	}
}

// daily brings the counts by day up to date: days that are too old go, and a day of
// which both sides have counts keeps the higher ones, for this machine need not
// know of all sessions.
func (c counts) daily(t *text, now time.Time) {
	key, list := value(t.root, "daily_usage")
	if key == nil || list.Kind == yaml.SequenceNode && list.Style&yaml.FlowStyle != 0 && len(list.Content) > 0 ||
		list.Kind != yaml.SequenceNode && !(list.Kind == yaml.ScalarNode && list.Tag == "!!null") {
		return
	}
	first := now.UTC().AddDate(0, 0, 1-keptDays).Format(time.DateOnly)
	left, seen := len(list.Content), map[string]bool{}
	for i, row := range list.Content {
		_, d := value(row, "date")
		if d == nil || row.Style&yaml.FlowStyle != 0 || len(d.Value) < len(time.DateOnly) {
			continue
		}
		date := d.Value[:len(time.DateOnly)]
		if _, err := time.Parse(time.DateOnly, date); err != nil {
			continue
		}
		if date < first {
			from := t.lineStart(t.at(row))
			to := t.lineEnd(max(t.end(row)-1, t.at(row)))
			if strings.HasPrefix(strings.TrimSpace(string(t.data[from:to])), "-") && (i == 0 || from >= t.end(list.Content[i-1])) {
				t.replace(from, to, "")
				left--
			}
			continue
		}
		seen[date] = true
		for name, n := range map[string]int{"injections": c.days[date].injections, "extractions": c.days[date].extractions, "helpful_count": c.days[date].helpful} {
			if _, v := value(row, name); v != nil {
				if was, err := strconv.Atoi(v.Value); err == nil && was < n {
					t.setScalar(row, name, strconv.Itoa(n))
				}
			}
		}
	}
	rows := c.rows(first, seen, list, t.eol)
	switch {
	case rows == "" && left == 0 && len(list.Content) > 0:
		t.replace(t.colon(key), t.colon(key), " []")
	case rows == "":
	case len(list.Content) > 0:
		last := list.Content[len(list.Content)-1]
		t.insert(t.lineEnd(max(t.end(last)-1, t.at(last))), rows)
	default:
		t.begins(key, list, rows)
	}
}

// rows are the lines of days that are not there yet.
func (c counts) rows(first string, seen map[string]bool, list *yaml.Node, eol string) string {
	var dates []string
	for date := range c.days {
		if date >= first && !seen[date] {
			dates = append(dates, date)
		}
	}
	slices.SortFunc(dates, cmp.Compare[string])
	pad := "  "
	if len(list.Content) > 0 {
		pad = strings.Repeat(" ", list.Column-1)
	}
	var b strings.Builder
	for _, date := range dates {
		d := c.days[date]
		fmt.Fprintf(&b, "%[1]s- date: %[2]s%[6]s%[1]s  injections: %[3]d%[6]s%[1]s  extractions: %[4]d%[6]s%[1]s  helpful_count: %[5]d%[6]s",
			pad, quote(date), d.injections, d.extractions, d.helpful, eol)
	}
	return b.String()
}

// statsTemplate is a file of statistics in which nothing is counted yet.
const statsTemplate = `# What became of the learnings beside this file. Written by learnings.

stats:
  total_learnings: 0
  by_category:
    errors: 0
    workflows: 0
    tools: 0
    architecture: 0
    debugging: 0
  injections:
    total: 0
    sessions_with_injection: 0
    avg_learnings_per_session: 0.0
  extractions:
    total: 0
    sessions_with_extraction: 0
  effectiveness:
    # the share of uses that were said to have helped
    helpful_rate: 0.0
    # learnings that were used three times or more
    proven_learnings: 0
  last_updated: ""

# by day, of the last 30
daily_usage: []
`
