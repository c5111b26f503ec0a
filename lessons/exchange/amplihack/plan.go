package amplihack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/file"
)

// Plan implements [exchange.Format]. It changes an entry field by field. A field that the
// other side has changed since it was written or read stays, and the plan reports a loss.
//
// A proposal that was read from the store stays there until somebody decides on it. A file
// that is not YAML is renamed, and a new one begun, if something must be written to it.
func (Format) Plan(ctx context.Context, to exchange.Target, ls []lessons.Lesson) (*exchange.Plan, error) {
	w := &writer{Plan: exchange.NewPlan(to, Format{placeOf(to.Path).scope().Project}, ls), place: placeOf(to.Path), to: to, highest: map[string]int{}, taken: map[string]bool{}}
	if err := w.load(ctx); err != nil {
		return nil, err
	}
	w.match(ls)
	for _, l := range ls {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		switch e := w.of[l.ID]; {
		case l.Status == lessons.Approved && e != nil:
			w.update(e, l)
		case e != nil:
			w.remove(e, l)
		case l.Status != lessons.Approved:
			w.forget(l.ID)
		}
	}
	w.add(ls)
	if err := w.write(ctx, ls); err != nil {
		return nil, err
	}
	return w.Plan, nil
}

// A writer makes a plan.
type writer struct {
	*exchange.Plan
	place   place
	to      exchange.Target
	docs    []*document
	of      map[lessons.ID]*entry // the entry written for a lesson, or that it was read from
	taken   map[string]bool       // keys
	highest map[string]int        // the highest number of an id, by prefix
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
	return nil
}

// numbered matches ids, even in files that cannot be parsed.
var numbered = lessons.LazyRegexp(`\bid: *["']?([a-z]+)-([0-9]{1,6})\b`)

// match finds the entries of lessons: by the ledger, by the id of a lesson that was read
// from an entry, and by text.
func (w *writer) match(ls []lessons.Lesson) {
	all := w.place.keyed(w.docs)
	name, store := w.place.name(), exchange.Store{Says: func(l lessons.Lesson) []string { return []string{lessons.Line(l.Content)} }}
	for _, e := range all {
		store.Entries = append(store.Entries, exchange.Stored{Key: e.key, ID: exchange.ID(Name, name, e.key), Says: e.said.Summary})
		w.taken[e.key] = true
	}
	s := exchange.NewSync(w.Plan, ls, store)
	s.FindSayings()
	w.of = make(map[lessons.ID]*entry, len(ls))
	for i, at := range s.Of {
		if at >= 0 {
			w.of[ls[i].ID] = all[at]
		}
	}
}

// wanted returns the fields for a lesson in a file. Its hook meets a learning by the
// keywords alone.
func wanted(l lessons.Lesson, d *document) fields {
	f := fields{
		Summary: lessons.Line(l.Content), Insight: file.Block(l.Insight), Example: file.Block(l.Example),
		Confidence: float64(l.Confidence.Round()), Used: l.Use.Used, Created: l.Created,
	}
	if l.Category != d.category {
		f.Category = l.Category
	}
	for _, w := range l.Keywords() {
		f.Keywords = appendTerm(f.Keywords, w)
	}
	return f
}

// base returns the fields that both sides last agreed on: as written, or else as read.
func (w *writer) base(l lessons.Lesson) (fields, bool) {
	said := ""
	if was, ok := w.to.Ledger.Of(l.ID); ok {
		said = was.Text
	} else if i := slices.IndexFunc(l.Evidence, func(e lessons.Evidence) bool { return e.Agent == Name && e.From == "import" }); i >= 0 {
		said = l.Evidence[i].Quote
	}
	if said == "" {
		return fields{}, false
	}
	d := parseDocument("", "", []byte("learnings:\n"+said))
	if len(d.entries) != 1 {
		return fields{}, false
	}
	return d.entries[0].said, true
}

// update updates an entry to its lesson.
func (w *writer) update(e *entry, l lessons.Lesson) {
	ours, theirs := wanted(l, e.doc), e.said
	if len(ours.Keywords) == 0 || sameWords(l.Tags, theirs.Keywords) {
		ours.Keywords = theirs.Keywords // nobody changed them here
	}
	was, noted := w.to.Ledger.Of(l.ID)
	if ours.same(theirs) && (!noted || was.Key == e.key) {
		w.note(e.key, l, ours, was)
		return
	}
	base, known := w.base(l)
	if !known {
		base = theirs
		base.Used = min(theirs.Used, ours.Used)
	}
	agreed, said := base, theirs // what both sides have from now on, and what the entry will say
	var kept []string
	for _, f := range compared {
		switch {
		case f.same(ours, theirs):
			f.take(&agreed, ours)
		case f.same(theirs, base):
			f.take(&agreed, ours)
			f.take(&said, ours)
		case !f.same(ours, base):
			kept = append(kept, f.name)
		}
	}
	agreed.Created = theirs.Created
	said.Used = theirs.Used + max(ours.Used-base.Used, 0)
	agreed.Used = ours.Used
	if err := e.doc.change(e, said); err != nil {
		w.Lose(l.ID, fmt.Sprintf("what you changed of it: %s %v, and is left as it is", e.place(), err))
		return
	}
	if len(kept) > 0 {
		w.Lose(l.ID, fmt.Sprintf("its %s: %s was changed there too, and is left as it is", strings.Join(kept, " and "), e.place()))
	}
	if home := w.home(l); said.Category != theirs.Category && home != nil && home != e.doc {
		w.Lose(l.ID, fmt.Sprintf("its place in %s%s: it stays at %s", home.stem, ending, e.place()))
	}
	w.note(e.key, l, agreed, was)
}

// compared are the fields in which the two sides may differ.
var compared = []struct {
	name string
	same func(a, b fields) bool
	take func(to *fields, from fields)
}{
	{"summary", func(a, b fields) bool { return a.Summary == b.Summary }, func(to *fields, from fields) { to.Summary = from.Summary }},
	{"insight", func(a, b fields) bool { return a.Insight == b.Insight }, func(to *fields, from fields) { to.Insight = from.Insight }},
	{"example", func(a, b fields) bool { return a.Example == b.Example }, func(to *fields, from fields) { to.Example = from.Example }},
	{"category", func(a, b fields) bool { return a.Category == b.Category }, func(to *fields, from fields) { to.Category = from.Category }},
	{"keywords", func(a, b fields) bool { return sameWords(a.Keywords, b.Keywords) }, func(to *fields, from fields) { to.Keywords = from.Keywords }},
	{"confidence", func(a, b fields) bool {
		return lessons.Confidence(a.Confidence).Round() == lessons.Confidence(b.Confidence).Round()
	}, func(to *fields, from fields) { to.Confidence = from.Confidence }},
}

// same reports whether f and g say the same.
func (f fields) same(g fields) bool {
	for _, c := range compared {
		if !c.same(f, g) {
			return false
		}
	}
	return f.Used == g.Used
}

// sameWords reports whether a and b have the same words in any order.
func sameWords(a, b []string) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(w string) bool { return !slices.Contains(b, w) })
}

// remove removes the entry of a lesson that is not approved, or no longer.
func (w *writer) remove(e *entry, l lessons.Lesson) {
	_, written := w.to.Ledger.Of(l.ID)
	if l.Status == lessons.Pending && !written {
		return // it is theirs, and nobody has decided on it
	}
	if base, known := w.base(l); known {
		for _, f := range compared {
			if !f.same(base, e.said) {
				w.Lose(l.ID, fmt.Sprintf("that it is %s: %s was changed there since, and is left as it is", l.Status, e.place()))
				return
			}
		}
	}
	if err := e.doc.remove(e); err != nil {
		w.Lose(l.ID, fmt.Sprintf("that it is %s: %s %v, and is left as it is", l.Status, e.place(), err))
		return
	}
	w.forget(l.ID)
}

// forget drops the note of a lesson that has no entry.
func (w *writer) forget(id lessons.ID) {
	if _, noted := w.to.Ledger.Of(id); noted {
		w.Note(id, nil)
	}
}

// add adds entries for the approved lessons without one, oldest first.
func (w *writer) add(ls []lessons.Lesson) {
	var news []lessons.Lesson
	for _, l := range ls {
		if l.Status == lessons.Approved && w.of[l.ID] == nil {
			news = append(news, l)
		}
	}
	slices.SortStableFunc(news, func(a, b lessons.Lesson) int {
		return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
	})
	for _, l := range news {
		d := w.home(l)
		if d == nil {
			w.Lose(l.ID, fmt.Sprintf("its category %s: %s alone is written", l.Category, w.place.only))
			continue
		}
		if err := d.closed(); err != nil {
			w.Lose(l.ID, fmt.Sprintf("it at all: %s %v, and is left as it is", d.where(), err))
			continue
		}
		f, was := wanted(l, d), exchange.Written{}
		was, _ = w.to.Ledger.Of(l.ID)
		id := w.freeID(d, was.Key)
		d.add(id, f)
		w.note(id, l, f, was)
	}
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
	if i := slices.IndexFunc(kinds, func(k kind) bool { return string(k.category) == d.stem }); i >= 0 {
		prefix = kinds[i].prefix
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

// note records the fields that both sides agree on.
func (w *writer) note(key string, l lessons.Lesson, f fields, was exchange.Written) {
	now := exchange.Written{Key: key, Text: entryText(key, f, 0, 2, "\n"), Rev: string(l.Rev)}
	if now != was {
		w.Note(l.ID, &now)
	}
}

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
			w.File(d.path, nil, []byte(text))
		case d.bad != nil && len(d.added) > 0:
			if err := w.aside(d); err != nil {
				return err
			}
			w.Edits = append(w.Edits, exchange.Edit{Path: d.path, Before: d.Data, After: []byte(text)})
		default:
			w.File(d.path, d.Data, []byte(text))
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
			w.File(path, nil, d.Data)
			return nil
		default:
			return err
		}
	}
}

// where names the file in messages.
func (d *document) where() string {
	name := filepath.Base(d.path)
	if d.bad != nil && d.bad.Line > 0 {
		return fmt.Sprintf("%s:%d", name, d.bad.Line)
	}
	return name
}
