package observations

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"learnings/extractor/sqlite"
	"learnings/lessons"
	"learnings/lessons/exchange"
)

// stamp is claude-mem's time format.
const stamp = "2006-01-02T15:04:05.000Z"

// projectOf returns the project of a lesson in claude-mem, where everything has one.
func projectOf(l lessons.Lesson) string { return cmp.Or(lessons.Line(l.Scope.Project), "global") }

// asObserved has, for each shelf, the nearest type and concept that claude-mem knows, and the
// nearest type of its companion.
var asObserved = map[lessons.Shelf]struct{ kind, concept, noted string }{
	lessons.Preferences:  {"decision", "pattern", "decision"},
	lessons.Corrections:  {"bugfix", "gotcha", "error"},
	lessons.Errors:       {"bugfix", "problem-solution", "error"},
	lessons.Workflows:    {"discovery", "pattern", "pattern"},
	lessons.Tools:        {"discovery", "how-it-works", "discovery"},
	lessons.Architecture: {"decision", "why-it-exists", "decision"},
	lessons.Debugging:    {"discovery", "problem-solution", "error"},
	lessons.Patterns:     {"discovery", "pattern", "pattern"},
	lessons.Discoveries:  {"discovery", "how-it-works", "discovery"},
	lessons.Other:        {"discovery", "how-it-works", "discovery"},
}

// typeOf returns a type that claude-mem gives to agents.
func typeOf(c lessons.Category) string {
	if slices.Contains(knownTypes, string(c)) {
		return string(c)
	}
	return asObserved[c.Shelf()].kind
}

// conceptsOf returns the tags of a lesson, including one that claude-mem knows: without it,
// claude-mem would never give the observation to an agent.
func conceptsOf(l lessons.Lesson) []string {
	out := exchange.Terms(l.Tags)
	if slices.ContainsFunc(out, func(c string) bool { return slices.Contains(knownConcepts, c) }) {
		return out
	}
	return append([]string{asObserved[l.Category.Shelf()].concept}, out...)
}

// A wording is the part of an observation that is written from a lesson.
type wording struct {
	Type, Title, Subtitle text
	Facts                 text // JSON
	Narrative             text
	Concepts              text // JSON
}

// wordKeys are the members of an observation that hold a wording.
var wordKeys = []string{"type", "title", "subtitle", "facts", "narrative", "concepts"}

func (w wording) values() []text {
	return []text{w.Type, w.Title, w.Subtitle, w.Facts, w.Narrative, w.Concepts}
}

// text returns a wording as text for the ledger.
func (w wording) text() string { return exchange.Quoted(w) }

// said returns the wording of an observation.
func (o observation) said() wording {
	return wording{o.Type, o.Title, o.Subtitle, cmp.Or(o.Facts, "[]"), o.Narrative, cmp.Or(o.Concepts, "[]")}
}

// saying returns the observation with another wording.
func (o observation) saying(w wording) observation {
	o.Type, o.Title, o.Subtitle, o.Facts, o.Narrative, o.Concepts = w.Type, w.Title, w.Subtitle, w.Facts, w.Narrative, w.Concepts
	return o
}

// hash returns the hash by which claude-mem tells observations apart.
func (o observation) hash() string {
	return contentHash(string(o.Session), string(o.Title), string(o.Narrative))
}

// wanted returns the new wording of an observation: what says the same stays.
func wanted(l lessons.Lesson, o observation) wording {
	w := o.said()
	if o.content() != l.Content {
		w.Title, w.Subtitle = text(lessons.Line(l.Content)), ""
	}
	insight, facts := strings.TrimSpace(l.Insight), []string{}
	if example := strings.TrimSpace(l.Example); example != "" {
		facts = append(facts, example)
	}
	if said := text(exchange.Quoted(facts)); o.insight() != insight || len(facts) > 0 && w.Facts != said {
		w.Narrative, w.Facts = text(insight), said
	}
	if w.Type != text(l.Category) {
		w.Type = text(typeOf(l.Category))
	}
	if c := conceptsOf(l); !slices.Equal(c, exchange.Terms(list(string(w.Concepts)))) {
		w.Concepts = text(exchange.Quoted(c))
	}
	return w
}

// Plan implements [exchange.Format]. It does not write to the database: the target is a
// JSON file for claude-mem's import, with sessions before observations.
func (f ClaudeMem) Plan(ctx context.Context, to exchange.Target, ls []lessons.Lesson) (*exchange.Plan, error) {
	file := fileOf(to.Path, database)
	if sqlite.IsDatabase(exchange.Head(file)) || strings.HasSuffix(file, ".db") || file != to.Path {
		return nil, fmt.Errorf("%s is claude-mem's database, which %w: export to a .json file, which its import script takes", file, exchange.ErrOneWay)
	}
	before, err := exchange.ReadFile(to.Path)
	if err != nil {
		return nil, err
	}
	data := before
	if data == nil {
		data = []byte(emptyExport)
	}
	doc, err := parseExport(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", to.Path, exchange.ErrFormat, err)
	}
	w := &writer{Plan: exchange.NewPlan(to, f, ls), to: to, before: before, doc: doc, gone: map[int]bool{}, projects: map[string]time.Time{}}
	w.sync(ls)
	return w.Plan, cmp.Or(ctx.Err(), w.finish())
}

// A writer plans an export.
type writer struct {
	*exchange.Plan
	to      exchange.Target
	before  []byte
	doc     *document
	rows    []observation
	at      []exchange.Part // of each observation
	gone    map[int]bool    // by offset
	highest int64
	news    []any

	// What claude-mem's import does not do: it knows an observation by its session, title and
	// time, passes over one that it has, and removes none.
	skipped, doubled, removed, returned []lessons.ID

	projects map[string]time.Time // projects with added lessons, and the time of the oldest of these
}

// sync finds the observation of each lesson and updates it.
func (w *writer) sync(ls []lessons.Lesson) {
	store := exchange.Store{
		Name: Name, Set: w.set, Add: w.add,
		Says:    func(l lessons.Lesson) []string { return []string{projectOf(l) + "\n" + lessons.Line(l.Content)} },
		Current: func(i int, l lessons.Lesson) bool { return wanted(l, w.rows[i]) == w.rows[i].said() },
		Drop: func(i int, l lessons.Lesson) bool {
			w.gone[w.at[i].From], w.removed = true, append(w.removed, l.ID)
			return true
		},
	}
	if w.before != nil {
		store.Text = func(l lessons.Lesson) string { return wanted(l, observation{}).text() }
	}
	type place struct {
		session text
		epoch   int64
	}
	by := map[place][]int{}
	for _, at := range w.doc.items["observations"] {
		var o observation
		if at.Raw[0] != '{' || json.Unmarshal(at.Raw, &o) != nil {
			continue // the observation stays
		}
		by[place{o.Session, o.Epoch}] = append(by[place{o.Session, o.Epoch}], len(w.rows))
		w.rows, w.at, w.highest = append(w.rows, o), append(w.at, at), max(w.highest, o.ID)
		store.Entries = append(store.Entries, exchange.Stored{
			Key: o.key(), ID: exchange.ID(Name, Name, o.key()), Says: string(o.Project) + "\n" + o.content(), Text: o.said().text(),
			Quote: o.content() + "\n\n" + o.insight(), Place: fmt.Sprintf("observation %d", o.ID),
		})
	}
	s := exchange.NewSync(w.Plan, ls, store)
	s.Find(exchange.Other, func(l lessons.Lesson) []int { // somebody has changed what was written
		at := by[place{text("manual-" + projectOf(l)), l.Created.UnixMilli()}]
		if _, ok := s.Wrote(l.ID); ok && len(at) == 1 {
			return at
		}
		return nil
	})
	s.FindSayings()
	s.SettleAll()
}

// set changes the members of an observation that differ.
func (w *writer) set(i int, l lessons.Lesson) (key, text string) {
	was, o := w.rows[i].said().values(), w.rows[i].saying(wanted(l, w.rows[i]))
	if o.Title == w.rows[i].Title {
		w.skipped = append(w.skipped, l.ID)
	} else {
		w.doubled = append(w.doubled, l.ID)
	}
	w.doc.Set(w.at[i], "content_hash", o.hash())
	for k, v := range o.said().values() {
		if v != was[k] {
			w.doc.Set(w.at[i], wordKeys[k], v)
		}
	}
	return o.key(), o.said().text()
}

// add makes an observation of a lesson.
func (w *writer) add(l lessons.Lesson) (key, said string) {
	project := projectOf(l)
	o := observation{Session: text("manual-" + project)}.saying(wanted(l, observation{}))
	at := l.Created.UTC()
	if at.IsZero() {
		at = w.to.Now.UTC()
	}
	if first, ok := w.projects[project]; !ok || at.Before(first) {
		w.projects[project] = at
	}
	if l.Origin.Extractor == exchange.By(Name) {
		w.returned = append(w.returned, l.ID)
	}
	w.highest++
	o.ID, o.Project, o.Read, o.Modified, o.Work = w.highest, text(project), "[]", "[]", workOf(l)
	o.Created, o.Epoch, o.Hash = text(at.Format(stamp)), at.UnixMilli(), text(o.hash())
	w.news = append(w.news, o)
	return o.key(), o.said().text()
}

// tell says what of the file claude-mem will not take in as a person expects.
func (w *writer) tell() {
	for _, n := range []struct {
		of   []lessons.ID
		says string
	}{
		{w.skipped, "changed here under the same sentence: claude-mem's import passes over it, if it was imported before; word the sentence anew to have it taken in as a new observation"},
		{w.doubled, "with a new sentence: claude-mem takes it in as a new observation, and keeps the old one, if it was imported, until you delete it from its database"},
		{w.removed, "no longer in the file: claude-mem keeps it, if it was imported, until you delete it from its database"},
		{w.returned, "from claude-mem itself: if it is still there, the import makes a second observation of it"},
	} {
		if len(n.of) > 0 {
			w.Notes = append(w.Notes, fmt.Sprintf("%d %s (%s)", len(n.of), n.says, exchange.Some(n.of)))
		}
	}
}

// finish plans the write of the file.
func (w *writer) finish() error {
	w.tell()
	var sessions []any
	id, known := int64(0), map[text]bool{}
	for _, at := range w.doc.items["sessions"] {
		var s session
		if json.Unmarshal(at.Raw, &s) == nil {
			id, known[s.Memory] = max(id, s.ID), true
		}
	}
	for _, project := range slices.Sorted(maps.Keys(w.projects)) {
		memory, at := "manual-"+project, w.projects[project]
		if known[text(memory)] {
			continue
		}
		id++
		sessions = append(sessions, session{ // as claude-mem makes one for what a person saves by hand
			ID: id, Content: text("manual-content-" + project), Memory: text(memory), Project: text(project), Platform: "claude",
			Started: text(at.Format(stamp)), Epoch: at.UnixMilli(), Status: "active",
		})
	}
	total := len(w.doc.items["observations"]) - len(w.gone) + len(w.news)
	w.doc.Remove("observations", func(p exchange.Part) bool { return w.gone[p.From] })
	if err := errors.Join(w.doc.Append("observations", w.news...), w.doc.Append("sessions", sessions...)); err != nil {
		return err
	}
	if !w.doc.Changed() {
		return nil
	}
	w.doc.set("exportedAt", w.to.Now.UTC().Format(stamp))
	w.doc.set("exportedAtEpoch", w.to.Now.UnixMilli())
	w.doc.set("totalObservations", total)
	w.doc.set("totalSessions", len(w.doc.items["sessions"])+len(sessions))
	w.File(w.to.Path, w.before, w.doc.Bytes())
	return nil
}
