package observations

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"learnings/extractor/sqlite"
	"learnings/lessons"
	"learnings/lessons/exchange"
)

// stamp is how claude-mem writes a time.
const stamp = "2006-01-02T15:04:05.000Z"

// projectOf is the project of a lesson in claude-mem, where everything has one.
func projectOf(l lessons.Lesson) string { return cmp.Or(lessons.Line(l.Scope.Project), "global") }

// typeOf is the type of a lesson: claude-mem gives no other to agents.
func typeOf(c lessons.Category) string {
	if slices.Contains(knownTypes, string(c)) {
		return string(c)
	}
	switch c.Shelf() {
	case lessons.Errors, lessons.Corrections:
		return "bugfix"
	case lessons.Preferences, lessons.Architecture:
		return "decision"
	}
	return "discovery"
}

// conceptsOf are the tags of a lesson. One of them is known to claude-mem, or it would
// never give the observation to an agent.
func conceptsOf(l lessons.Lesson) []string {
	out := terms(l.Tags)
	if slices.ContainsFunc(out, func(c string) bool { return slices.Contains(knownConcepts, c) }) {
		return out
	}
	known := "how-it-works"
	switch l.Category.Shelf() {
	case lessons.Errors, lessons.Debugging:
		known = "problem-solution"
	case lessons.Corrections:
		known = "gotcha"
	case lessons.Preferences, lessons.Patterns, lessons.Workflows:
		known = "pattern"
	case lessons.Architecture:
		known = "why-it-exists"
	}
	return append([]string{known}, out...)
}

// A wording is what of an observation is written of a lesson.
type wording struct {
	Type      string
	Title     string
	Subtitle  *string
	Facts     string // JSON
	Narrative *string
	Concepts  string // JSON
}

// said is the wording that an observation has.
func (o observation) said() wording {
	return wording{string(o.Type), string(o.Title), orNull(o.Subtitle), cmp.Or(string(o.Facts), "[]"), orNull(o.Narrative), cmp.Or(string(o.Concepts), "[]")}
}

func orNull[S ~string](s S) *string {
	if s == "" {
		return nil
	}
	t := string(s)
	return &t
}

// wanted is the wording that an observation is to have: what says the same stays.
func wanted(l lessons.Lesson, o observation) wording {
	w := o.said()
	if o.content() != l.Content {
		w.Title, w.Subtitle = lessons.Line(l.Content), nil
	}
	insight := strings.TrimSpace(l.Insight)
	facts := []string{}
	if example := strings.TrimSpace(l.Example); example != "" {
		facts = append(facts, example)
	}
	if o.insight() != insight || len(facts) > 0 && w.Facts != value(facts) {
		w.Narrative, w.Facts = orNull(insight), value(facts)
	}
	if w.Type != string(l.Category) {
		w.Type = typeOf(l.Category)
	}
	if c := conceptsOf(l); !slices.Equal(c, terms(list(w.Concepts))) {
		w.Concepts = value(c)
	}
	return w
}

// text is a wording for the ledger.
func (w wording) text() string { return value(w) }

// Plan implements [exchange.Format]. Nothing is written into the database: the target
// is a JSON file that claude-mem's import takes, sessions before observations.
func (f ClaudeMem) Plan(ctx context.Context, to exchange.Target, ls []lessons.Lesson) (*exchange.Plan, error) {
	file := fileOf(to.Path, database)
	if sqlite.IsDatabase(head(file)) || strings.HasSuffix(file, ".db") || file != to.Path {
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
	w := &writer{Plan: exchange.NewPlan(to, f, ls), to: to, before: before, doc: doc, taken: map[int]bool{}, gone: map[span]bool{}}
	if err := w.load(ctx); err != nil {
		return nil, err
	}
	w.find(ls)
	for i, l := range ls {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := w.settle(l, w.of[i]); err != nil {
			return nil, err
		}
	}
	w.finish()
	return w.Plan, nil
}

// A writer makes the plan of an export.
type writer struct {
	*exchange.Plan
	to       exchange.Target
	before   []byte
	doc      *document
	sessions map[text]session
	rows     []observation
	at       []span // of each
	of       []int  // by lesson; -1 for none
	taken    map[int]bool
	gone     map[span]bool
	changed  bool
	highest  int64
	news     []observation
	projects map[string]time.Time // that lessons were added to, with the oldest of these
}

// load reads the observations with their places.
func (w *writer) load(ctx context.Context) error {
	s, _, err := w.doc.store(ctx, w.to.Path)
	if err != nil {
		return err
	}
	w.sessions, w.projects = s.sessions, map[string]time.Time{}
	for _, at := range w.doc.items["observations"] {
		var o observation
		if decode([]byte(w.doc.at(at)), func(x observation) { o = x }) != nil {
			continue // it stays
		}
		w.rows, w.at = append(w.rows, o), append(w.at, at)
		w.highest = max(w.highest, o.ID)
	}
	return nil
}

// find looks for the observation of each lesson, the surest ways first.
func (w *writer) find(ls []lessons.Lesson) {
	byKey, byID, byText := map[string]int{}, map[lessons.ID]int{}, map[string]int{}
	type place struct {
		session text
		epoch   int64
	}
	byPlace, made := map[place]int{}, map[place]int{}
	for i, o := range slices.Backward(w.rows) {
		at := place{o.Session, o.Epoch}
		byPlace[at] = i
		made[at]++
		byKey[o.key()], byID[exchange.ID(Name, Name, o.key())] = i, i
		byText[string(o.Project)+"\n"+o.content()] = i
	}
	w.of = slices.Repeat([]int{-1}, len(ls))
	take := func(n int, i int, ok bool) {
		if ok && w.of[n] < 0 && !w.taken[i] {
			w.of[n], w.taken[i] = i, true
		}
	}
	for n, l := range ls {
		if was, ok := w.to.Ledger.Of(l.ID); ok {
			i, ok := byKey[was.Key]
			take(n, i, ok)
		}
	}
	for n, l := range ls {
		i, ok := byID[l.ID]
		take(n, i, ok)
	}
	for n, l := range ls { // somebody has changed what was written
		if _, ok := w.to.Ledger.Of(l.ID); ok {
			at := place{text("manual-" + projectOf(l)), l.Created.UnixMilli()}
			take(n, byPlace[at], made[at] == 1)
		}
	}
	for n, l := range ls {
		i, ok := byText[projectOf(l)+"\n"+lessons.Line(l.Content)]
		take(n, i, ok)
	}
}

// settle brings the observation of a lesson up to date, or adds or removes it.
func (w *writer) settle(l lessons.Lesson, i int) error {
	was, noted := w.to.Ledger.Of(l.ID)
	if i < 0 {
		if l.Status == lessons.Approved {
			w.put(l)
		} else if noted {
			w.Note(l.ID, nil)
		}
		return nil
	}
	o := w.rows[i]
	ours := noted && was.Text == o.said().text() || !noted && unchanged(l, o)
	want := wanted(l, o)
	switch {
	case l.Status == lessons.Pending && !noted: // theirs, and nobody has decided on it
	case l.Status != lessons.Approved && !ours:
		w.lose(l, fmt.Sprintf("that it is %s: observation %d was changed there, and stays", l.Status, o.ID))
	case l.Status != lessons.Approved:
		w.gone[w.at[i]], w.changed = true, true
		w.Note(l.ID, nil)
	case want.text() == o.said().text():
		w.note(l, o)
	case !ours:
		w.lose(l, fmt.Sprintf("its wording: observation %d has its own, and stays", o.ID))
	default:
		return w.update(l, i, want)
	}
	return nil
}

// unchanged reports that an observation says what it said when a lesson was made of it.
func unchanged(l lessons.Lesson, o observation) bool {
	said := strings.TrimSpace(o.content() + "\n\n" + o.insight())
	return slices.ContainsFunc(l.Evidence, func(e lessons.Evidence) bool {
		return e.Agent == Name && e.From == "import" && e.Quote == said
	})
}

func (w *writer) note(l lessons.Lesson, o observation) {
	w.Note(l.ID, &exchange.Written{Key: o.key(), Text: o.said().text(), Rev: string(l.Rev)})
}

// lose says what of a lesson is not as it should be there.
func (w *writer) lose(l lessons.Lesson, what string) {
	w.Losses = append(w.Losses, exchange.Loss{ID: l.ID, What: []string{what}})
}

// update changes the members of an observation that differ.
func (w *writer) update(l lessons.Lesson, i int, want wording) error {
	o, was := w.rows[i], w.rows[i].said()
	now := map[string]any{}
	for _, f := range []struct {
		key      string
		was, now any
	}{
		{"type", was.Type, want.Type}, {"title", was.Title, want.Title}, {"subtitle", was.Subtitle, want.Subtitle},
		{"facts", was.Facts, want.Facts}, {"narrative", was.Narrative, want.Narrative}, {"concepts", was.Concepts, want.Concepts},
	} {
		if value(f.was) != value(f.now) {
			now[f.key] = f.now
		}
	}
	o.Type, o.Title, o.Facts, o.Concepts = text(want.Type), text(want.Title), text(want.Facts), text(want.Concepts)
	o.Subtitle, o.Narrative = orNone(want.Subtitle), orNone(want.Narrative)
	now["content_hash"] = contentHash(string(o.Session), string(o.Title), string(o.Narrative))
	if err := w.doc.setIn(w.at[i], slices.Sorted(maps.Keys(now)), now); err != nil {
		return fmt.Errorf("observation %d: %w", o.ID, err)
	}
	w.changed = true
	w.note(l, o)
	return nil
}

func orNone(s *string) text {
	if s == nil {
		return ""
	}
	return text(*s)
}

// observed is an observation that says what a lesson does.
func observed(l lessons.Lesson) observation {
	want, project := wanted(l, observation{}), projectOf(l)
	return observation{
		Session: text("manual-" + project), Project: text(project), Type: text(want.Type), Title: text(want.Title), Facts: text(want.Facts),
		Narrative: orNone(want.Narrative), Concepts: text(want.Concepts), Work: workOf(l),
	}
}

// put makes an observation of a lesson.
func (w *writer) put(l lessons.Lesson) {
	o := observed(l)
	if was, ok := w.to.Ledger.Of(l.ID); ok && w.before != nil && was.Text == o.said().text() {
		w.lose(l, "an observation of its own: it was taken out there")
		return
	}
	project := projectOf(l)
	at := l.Created.UTC()
	if at.IsZero() {
		at = w.to.Now.UTC()
	}
	if first, ok := w.projects[project]; !ok || at.Before(first) {
		w.projects[project] = at
	}
	w.highest++
	o.ID, o.Created, o.Epoch = w.highest, text(at.Format(stamp)), at.UnixMilli()
	w.news = append(w.news, o)
	w.note(l, o)
}

// A row is an observation as it is written.
type row struct {
	ID        int64   `json:"id"`
	Session   string  `json:"memory_session_id"`
	Project   string  `json:"project"`
	Text      *string `json:"text"`
	Type      string  `json:"type"`
	Title     string  `json:"title"`
	Subtitle  *string `json:"subtitle"`
	Facts     string  `json:"facts"`
	Narrative *string `json:"narrative"`
	Concepts  string  `json:"concepts"`
	Read      string  `json:"files_read"`
	Modified  string  `json:"files_modified"`
	Prompt    *int64  `json:"prompt_number"`
	Work      int64   `json:"discovery_tokens"`
	Created   string  `json:"created_at"`
	Epoch     int64   `json:"created_at_epoch"`
	Hash      string  `json:"content_hash"`
}

// A sessionRow is a session as it is written: as claude-mem makes one for what a person
// saves by hand.
type sessionRow struct {
	ID        int64   `json:"id"`
	Content   string  `json:"content_session_id"`
	Memory    string  `json:"memory_session_id"`
	Project   string  `json:"project"`
	Platform  string  `json:"platform_source"`
	Asked     *string `json:"user_prompt"`
	Title     *string `json:"custom_title"`
	Started   string  `json:"started_at"`
	Epoch     int64   `json:"started_at_epoch"`
	Completed *string `json:"completed_at"`
	Done      *int64  `json:"completed_at_epoch"`
	Status    string  `json:"status"`
}

// finish plans the write of the file.
func (w *writer) finish() {
	if len(w.gone) > 0 {
		w.doc.remove("observations", w.gone)
	}
	for _, o := range w.news {
		said := o.said()
		w.doc.add("observations", indented(row{
			ID: o.ID, Session: string(o.Session), Project: string(o.Project), Type: said.Type, Title: said.Title, Subtitle: said.Subtitle, Facts: said.Facts,
			Narrative: said.Narrative, Concepts: said.Concepts, Read: "[]", Modified: "[]", Work: o.Work, Created: string(o.Created), Epoch: o.Epoch,
			Hash: contentHash(string(o.Session), said.Title, string(o.Narrative)),
		}))
	}
	id, sessions := int64(0), 0
	for _, at := range w.doc.items["sessions"] {
		var s struct{ ID int64 }
		if decode([]byte(w.doc.at(at)), func(x struct{ ID int64 }) { s = x }) == nil {
			id = max(id, s.ID)
		}
	}
	for _, project := range slices.Sorted(maps.Keys(w.projects)) {
		memory := "manual-" + project
		if _, ok := w.sessions[text(memory)]; ok {
			continue
		}
		id, sessions = id+1, sessions+1
		at := w.projects[project]
		w.doc.add("sessions", indented(sessionRow{
			ID: id, Content: "manual-content-" + project, Memory: memory, Project: project, Platform: "claude", Started: at.Format(stamp), Epoch: at.UnixMilli(), Status: "active",
		}))
	}
	if !w.changed && len(w.news) == 0 {
		return
	}
	w.doc.set("exportedAt", w.to.Now.UTC().Format(stamp))
	w.doc.set("exportedAtEpoch", w.to.Now.UnixMilli())
	w.doc.set("totalObservations", len(w.doc.items["observations"])+len(w.news))
	w.doc.set("totalSessions", len(w.doc.items["sessions"])+sessions)
	w.File(w.to.Path, w.before, w.doc.bytes())
}
