package amplihack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/file"
)

// Plan implements [exchange.Format]. It changes the fields of an entry that differ. An entry
// that somebody has changed since it was written or read stays, and the plan reports a loss.
//
// A proposal that was read from the store stays there until somebody decides on it. A file
// that is not YAML is renamed, and a new one begun, if something must be written to it.
func (Format) Plan(ctx context.Context, to exchange.Target, ls []lessons.Lesson) (*exchange.Plan, error) {
	at := placeOf(to.Path)
	w := &writer{Plan: exchange.NewPlan(to, Format{at.scope().Project}, ls), place: at, to: to, highest: map[string]int{}, taken: map[string]bool{}}
	if err := w.load(ctx); err != nil {
		return nil, err
	}
	store := exchange.Store{
		Name: Name, Same: alike, Set: w.set, Add: w.add, Drop: w.drop,
		Says:    func(l lessons.Lesson) []string { return []string{lessons.Line(l.Content)} },
		Current: func(i int, l lessons.Lesson) bool { return w.saying(i, l).same(w.all[i].said) },
	}
	for _, e := range w.all {
		w.taken[e.key] = true
		store.Entries = append(store.Entries, exchange.Stored{
			Key: e.key, ID: exchange.ID(Name, at.name(), e.key), Says: e.said.Summary, Text: noted(e.key, e.said), Quote: e.quote(), Place: e.place(),
		})
	}
	oldest := slices.SortedStableFunc(slices.Values(ls), func(a, b lessons.Lesson) int {
		return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
	})
	s := exchange.NewSync(w.Plan, oldest, store)
	s.FindSayings()
	s.SettleAll()
	return w.Plan, cmp.Or(ctx.Err(), w.write(ctx, ls))
}

// A writer makes a plan.
type writer struct {
	*exchange.Plan
	place   place
	to      exchange.Target
	docs    []*document
	all     []*entry
	taken   map[string]bool // keys
	highest map[string]int  // the highest number of an id, by prefix
}

// load reads the store. It includes the files of all kinds.
func (w *writer) load(ctx context.Context) error {
	names, err := w.place.names()
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if w.place.only == "" {
		for _, k := range kinds {
			if n := string(k.category) + ending; !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	if w.docs, err = w.place.load(ctx, names); err != nil {
		return err
	}
	for _, d := range w.docs {
		for _, m := range numbered().FindAllSubmatch(d.Data, -1) {
			n, _ := strconv.Atoi(string(m[2]))
			w.highest[string(m[1])] = max(w.highest[string(m[1])], n)
		}
	}
	w.all = w.place.keyed(w.docs)
	return nil
}

// numbered matches ids, even in files that cannot be parsed.
var numbered = lessons.LazyRegexp(`\bid: *["']?([a-z]+)-([0-9]{1,6})\b`)

// wanted returns the fields for a lesson in a file. Its hook meets a learning by the
// keywords alone.
func wanted(l lessons.Lesson, d *document) fields {
	f := fields{
		Summary: lessons.Line(l.Content), Insight: file.Block(l.Insight), Example: file.Block(l.Example),
		Keywords: exchange.Terms(l.Keywords()), Confidence: float64(l.Confidence.Round()), Used: l.Use.Used, Created: l.Created,
	}
	if l.Category != d.category {
		f.Category = l.Category
	}
	return f
}

// saying returns the fields of an entry that says what a lesson says. Keywords that nobody
// changed here stay, and so does a count that is higher there.
func (w *writer) saying(i int, l lessons.Lesson) fields {
	e := w.all[i]
	f := wanted(l, e.doc)
	if len(f.Keywords) == 0 || sameWords(l.Tags, e.said.Keywords) {
		f.Keywords = e.said.Keywords
	}
	f.Created, f.Used = e.said.Created, max(f.Used, e.said.Used)
	return f
}

// noted returns the text of an entry for the ledger.
func noted(key string, f fields) string { return newEntry{key, f}.text(0, 2, "\n") }

// alike reports whether two such texts say the same, apart from the counts.
func alike(was, now string) bool {
	a, b := parseDocument("", "", []byte("learnings:\n"+was)), parseDocument("", "", []byte("learnings:\n"+now))
	if len(a.entries) != 1 || len(b.entries) != 1 {
		return false
	}
	a.entries[0].said.Used = b.entries[0].said.Used
	return a.entries[0].said.same(b.entries[0].said)
}

// set updates an entry to its lesson.
func (w *writer) set(i int, l lessons.Lesson) (key, text string) {
	e, said := w.all[i], w.saying(i, l)
	if home := w.home(l); said.Category != e.said.Category && home != nil && home != e.doc {
		w.Lose(l.ID, fmt.Sprintf("its place in %s%s: it stays at %s", home.stem, ending, e.place()))
	}
	if err := e.doc.change(e, said); err != nil {
		w.Lose(l.ID, fmt.Sprintf("what you changed of it: %s %v, and is left as it is", e.place(), err))
		said = e.said
	}
	return e.key, noted(e.key, said)
}

// drop removes the entry of a lesson that is not approved, or no longer.
func (w *writer) drop(i int, l lessons.Lesson) bool {
	e := w.all[i]
	err := e.doc.drop(e)
	if err != nil {
		w.Lose(l.ID, fmt.Sprintf("that it is %s: %s %v, and is left as it is", l.Status, e.place(), err))
	}
	return err == nil
}

// add adds an entry for a lesson; no key means that it cannot.
func (w *writer) add(l lessons.Lesson) (key, text string) {
	d := w.home(l)
	if d == nil {
		w.Lose(l.ID, fmt.Sprintf("its category %s: %s alone is written", l.Category, w.place.only))
		return "", ""
	}
	if err := d.closed(); err != nil {
		w.Lose(l.ID, fmt.Sprintf("it at all: %s %v, and is left as it is", filepath.Base(d.path), err))
		return "", ""
	}
	was, _ := w.to.Ledger.Of(l.ID)
	f, id := wanted(l, d), w.freeID(d, was.Key)
	d.added = append(d.added, newEntry{id, f})
	return id, noted(id, f)
}

// home returns the file for a new lesson: that of its category, or of the nearest kind.
func (w *writer) home(l lessons.Lesson) *document {
	near := l.Category
	for _, k := range kinds {
		if slices.Contains(k.shelves, l.Category.Shelf()) {
			near = k.category
		}
	}
	for _, c := range []lessons.Category{l.Category, near} {
		for _, d := range w.docs {
			if d.stem == string(c) {
				return d
			}
		}
	}
	return nil
}

// freeID returns the entry's former id if it is free, or else the next number.
func (w *writer) freeID(d *document, had string) string {
	prefix := d.stem
	if k := kindOf(d.stem + ending); k < len(kinds) {
		prefix = kinds[k].prefix
	} else if n := len(d.entries); n > 0 {
		if p, _, ok := strings.Cut(d.entries[n-1].id, "-"); ok {
			prefix = p
		}
	}
	id := had
	if !plainID().MatchString(had) || !strings.HasPrefix(had, prefix+"-") || w.taken[had] {
		w.highest[prefix]++
		id = fmt.Sprintf("%s-%03d", prefix, w.highest[prefix])
	}
	w.taken[id] = true
	return id
}

var plainID = lessons.LazyRegexp(`^[a-z]+-[0-9]{3,6}$`)

// write plans the files, the statistics last.
func (w *writer) write(ctx context.Context, ls []lessons.Lesson) error {
	var after []*document
	for _, d := range w.docs {
		text, will, err := d.finish(w.to.Now)
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		after = append(after, will)
		switch {
		case d.missing:
			w.File(d.path, nil, text)
		case d.bad != nil && len(d.added) > 0:
			if err := w.aside(d); err != nil {
				return err
			}
			w.Edits = append(w.Edits, exchange.Edit{Path: d.path, Before: d.before, After: text})
		default:
			w.File(d.path, d.before, text)
		}
	}
	if w.place.only != "" {
		return nil
	}
	return w.stats(after, ls)
}

// aside plans to copy a file that is not YAML to a free name.
func (w *writer) aside(d *document) error {
	for n := 0; ; n++ {
		path := d.path + ".bak"
		if n > 0 {
			path += "." + strconv.Itoa(n)
		}
		switch _, err := os.Lstat(path); {
		case err == nil:
		case errors.Is(err, os.ErrNotExist):
			w.File(path, nil, d.before)
			return nil
		default:
			return err
		}
	}
}

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
	switch {
	case err != nil:
		return err
	case before != nil:
		w.File(path, before, c.into(before, w.to.Now))
	case c.total > 0:
		w.File(path, nil, c.into([]byte(statsTemplate), w.to.Now))
	}
	return nil
}

// into returns a file of statistics with the counts put into their places. Everything else
// stays, and so does a file that cannot be read or has no such place.
func (c counts) into(data []byte, now time.Time) []byte {
	t := parseText(data)
	_, stats := value(t.root, "stats")
	put := func(group, name, text string) {
		in := stats
		if group != "" {
			_, in = value(stats, group)
		}
		key, v := value(in, name)
		if v == nil || v.Kind != yaml.ScalarNode {
			return
		}
		was, err := strconv.ParseFloat(v.Value, 64)
		if want, _ := strconv.ParseFloat(text, 64); err == nil && was != want { // an equal number keeps its format
			t.set(key, v, " "+text)
		}
	}
	put("", "total_learnings", strconv.Itoa(c.total))
	for _, k := range kinds {
		put("by_category", string(k.category), strconv.Itoa(c.byKind[string(k.category)]))
	}
	put("injections", "total", strconv.Itoa(c.used))
	put("effectiveness", "proven_learnings", strconv.Itoa(c.proven))
	put("effectiveness", "helpful_rate", number(c.helpful))
	if key, v := value(stats, "last_updated"); t.Changed() && key != nil {
		t.set(key, v, " "+file.QuoteYAML(stamp(now)))
	}
	return t.bytes()
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
