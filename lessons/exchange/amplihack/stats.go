package amplihack

import (
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"time"

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

// statLine matches a key with a number or a text.
var statLine = lessons.LazyRegexp(`^( *)([\w-]+):( *)("[^"]*"|[^ #"\r\n]*)`)

// into returns a file of statistics with the counts put into their lines. Everything else
// stays.
func (c counts) into(data []byte, now time.Time) []byte {
	is := map[string]string{
		"total_learnings": strconv.Itoa(c.total), "injections.total": strconv.Itoa(c.used),
		"effectiveness.proven_learnings": strconv.Itoa(c.proven), "effectiveness.helpful_rate": number(c.helpful),
	}
	lines := strings.SplitAfter(string(data), "\n")
	top, group, dated, changed := "", "", -1, false
	inside := 0 // the indentation of the keys of stats
	for i, line := range lines {
		m := statLine().FindStringSubmatch(line)
		if m == nil {
			continue
		}
		depth, name := len(m[1]), m[2]
		switch {
		case depth == 0:
			top, inside = name, 0
			continue
		case top != "stats":
			continue
		case inside == 0 || depth <= inside:
			inside, group = depth, name
		default:
			name = group + "." + name
		}
		n, ok := is[name]
		if kind, has := strings.CutPrefix(name, "by_category."); has {
			n, ok = strconv.Itoa(c.byKind[kind]), true
		}
		was, errWas := strconv.ParseFloat(m[4], 64)
		if want, err := strconv.ParseFloat(n, 64); ok && errWas == nil && err == nil && was != want { // an equal number keeps its format
			lines[i], changed = m[1]+m[2]+":"+m[3]+n+line[len(m[0]):], true
		}
		if name == "last_updated" {
			dated = i
		}
	}
	if changed && dated >= 0 {
		m := statLine().FindStringSubmatch(lines[dated])
		lines[dated] = m[1] + m[2] + ": " + file.QuoteYAML(stamp(now)) + lines[dated][len(m[0]):]
	}
	return []byte(strings.Join(lines, ""))
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
