package amplihack

import (
	"math"
	"path/filepath"
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"

	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/file"
)

// provenFrom is how many uses make a learning count as proven.
const provenFrom = 3

// counts are the numbers in the statistics.
type counts struct {
	total, proven int
	byKind        map[string]int
	used          int // how often learnings were given in total
	helpful       float64
}

// stats plans the file of statistics, from what the files will hold and how often it
// helped. It creates the file once there is something to count.
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
	w.File(path, before, c.into(data, w.to.Now))
	return nil
}

// into returns a file of statistics with the counts put into their places. Everything else
// stays, and so does a file that cannot be read or has no such place.
func (c counts) into(data []byte, now time.Time) []byte {
	t := parseText(data)
	_, stats := value(t.root, "stats")
	put := func(in *yaml.Node, name, text string) {
		key, v := value(in, name)
		if v == nil || v.Kind != yaml.ScalarNode {
			return
		}
		was, err := strconv.ParseFloat(v.Value, 64)
		if want, _ := strconv.ParseFloat(text, 64); err == nil && was != want { // an equal number keeps its format
			t.set(key, v, text)
		}
	}
	put(stats, "total_learnings", strconv.Itoa(c.total))
	if _, all := value(stats, "by_category"); all != nil && all.Kind == yaml.MappingNode {
		for i := 0; i < len(all.Content); i += 2 {
			put(all, all.Content[i].Value, strconv.Itoa(c.byKind[all.Content[i].Value]))
		}
	}
	_, injections := value(stats, "injections")
	put(injections, "total", strconv.Itoa(c.used))
	_, effect := value(stats, "effectiveness")
	put(effect, "proven_learnings", strconv.Itoa(c.proven))
	put(effect, "helpful_rate", number(c.helpful))
	if key, v := value(stats, "last_updated"); t.Changed() && key != nil {
		t.set(key, v, file.QuoteYAML(stamp(now)))
	}
	return t.Bytes()
}

// statsTemplate is a new file of statistics.
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
