package amplihack

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"

	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/file"
)

// provenFrom is how often a learning is used until it counts as proven.
const provenFrom = 3

// counts are what the statistics say.
type counts struct {
	total, proven int
	byKind        map[string]int
	used          int // how often learnings were given, all together
	helpful       float64
}

// stats plans the file of statistics: of what the files will hold, and of how often it
// helped. It is begun when there is something to count.
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
	helped, used := 0, 0
	for _, l := range ls {
		if l.Status == lessons.Approved {
			helped += l.Use.Helped
			used += l.Use.Used
		}
	}
	if used > 0 {
		c.helpful = min(math.Round(float64(helped)/float64(used)*100)/100, 1)
	}
	path := filepath.Join(w.place.dir, statsFile)
	before, err := exchange.ReadFile(path)
	if err != nil {
		return err
	}
	data := before
	if data == nil {
		if c.total == 0 {
			return nil
		}
		data = []byte(statsTemplate)
	}
	if text, err := c.into(data, w.to.Now); err == nil { // or else it is no file of statistics, and nothing depends on it
		w.File(path, before, text)
	}
	return nil
}

// into gives a file of statistics with the counts in it. Comments, and keys that it
// has beside them, stay.
func (c counts) into(data []byte, now time.Time) ([]byte, error) {
	t, bad := parseText(data)
	if bad != nil {
		return nil, bad
	}
	_, top := value(t.root, "stats")
	if top == nil || top.Kind != yaml.MappingNode {
		return nil, shape(0, "has no stats")
	}
	if line, found := odd(t.root); found {
		return nil, shape(line, "has an anchor, an alias or a tag")
	}
	set := func(group, name string, n float64, with string) {
		m := top
		if group != "" {
			_, m = value(top, group)
		}
		if _, v := value(m, name); v != nil && v.Kind == yaml.ScalarNode {
			if was, err := strconv.ParseFloat(v.Value, 64); err != nil || was != n { // how it is written stays when it is the same
				t.setScalar(m, name, with)
			}
		}
	}
	whole := func(group, name string, n int) { set(group, name, float64(n), strconv.Itoa(n)) }
	whole("", "total_learnings", c.total)
	if _, kinds := value(top, "by_category"); kinds != nil && kinds.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(kinds.Content); i += 2 {
			whole("by_category", kinds.Content[i].Value, c.byKind[kinds.Content[i].Value])
		}
	}
	whole("injections", "total", c.used)
	whole("effectiveness", "proven_learnings", c.proven)
	set("effectiveness", "helpful_rate", c.helpful, number(c.helpful))
	if t.Changed() {
		t.setScalar(top, "last_updated", file.QuoteYAML(stamp(now)))
	}
	text := slices.Clone(t.Bytes())
	if _, bad := parseText(text); bad != nil {
		return nil, fmt.Errorf("writing it: %w", bad)
	}
	return text, nil
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
  effectiveness:
    # the share of uses that were said to have helped
    helpful_rate: 0.0
    # learnings that were used three times or more
    proven_learnings: 0
  last_updated: ""
`
