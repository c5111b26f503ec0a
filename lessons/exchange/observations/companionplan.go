package observations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

// companionTypes are the companion's types of observations.
var companionTypes = []string{"discovery", "error", "decision", "pattern"}

// companionType returns the type for a category.
func companionType(c lessons.Category) string {
	if slices.Contains(companionTypes, string(c)) {
		return string(c)
	}
	return asObserved[c.Shelf()].noted
}

// An addition is a row that a plan adds, and the older row it is about.
type addition struct {
	noted
	tokens text
	about  int64 // 0 for none
}

// Plan implements [exchange.Format]. It adds rows and changes none. A missing database is
// created with the published tables.
func (f Companion) Plan(ctx context.Context, to exchange.Target, ls []lessons.Lesson) (*exchange.Plan, error) {
	w := &appender{Plan: exchange.NewPlan(to, f, ls), now: to.Now, file: fileOf(to.Path, CompanionFile)}
	memory := &memory{}
	switch _, err := os.Stat(w.file); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	default:
		if memory, err = openMemory(ctx, w.file); err != nil {
			return nil, err
		}
	}
	store := exchange.Store{Name: CompanionName, Set: w.set, Add: w.add, Drop: w.drop, Current: w.current, Says: func(l lessons.Lesson) []string { return []string{lessons.Line(l.Content)} }}
	past := memory.past()
	for _, n := range memory.rows {
		if past[n.ID] || slices.Contains(list(string(n.Tags)), withdraws) {
			continue
		}
		w.rows = append(w.rows, n)
		id, said := exchange.ID(CompanionName, CompanionName, n.key()), n.entry(w.file, 0).Lesson
		store.Entries = append(store.Entries, exchange.Stored{
			Key: n.key(), ID: id, Says: lessons.Line(string(n.Title)), Text: n.text(), Quote: said.Evidence[0].Quote, Place: fmt.Sprintf("observation %d", n.ID),
		})
	}
	s := exchange.NewSync(w.Plan, ls, store)
	s.FindSayings()
	s.SettleAll()
	if len(w.added) > 0 {
		w.Commit = func(ctx context.Context) error { return insert(ctx, w.file, w.added, patience) }
	}
	return w.Plan, ctx.Err()
}

// An appender plans additions to a companion's database.
type appender struct {
	*exchange.Plan
	now   time.Time
	file  string
	rows  []noted // those that still hold
	added []addition
}

// row converts a lesson to a row.
func (w *appender) row(l lessons.Lesson, at time.Time) noted {
	n := noted{Type: text(companionType(l.Category)), Title: text(lessons.Line(l.Content)), Session: text(lessons.Line(l.Origin.Source)), Create: text(isoformat(at))}
	n.Session = cmp.Or(n.Session, "learnings")
	n.Content = text(strings.TrimSpace(strings.TrimSpace(l.Insight) + "\n\n" + strings.TrimSpace(l.Example)))
	n.Content = cmp.Or(n.Content, n.Title) // the column must not be empty
	if i := slices.IndexFunc(l.Evidence, func(e lessons.Evidence) bool { return e.Quote != "" && e.From != "import" && !e.Opposes() }); i >= 0 {
		n.Evidence = text(lessons.Line(l.Evidence[i].Quote))
		if said := l.Evidence[i].Before; len(said) > 0 {
			n.Context = text(lessons.Line(said[len(said)-1]))
		}
	}
	tags := exchange.Terms(l.Tags)
	switch p := lessons.Line(l.Scope.Project); { // there is no column for it
	case l.Scope.Global:
		tags = append(tags, everywhere)
	case p != "" && p != project(w.file):
		tags = append(tags, p, ofProject+p)
	}
	n.Tags = text(pythonList(tags))
	return n
}

// same reports whether two rows say the same.
func (n noted) same(o noted) bool {
	a := slices.DeleteFunc(list(string(n.Tags)), func(t string) bool { return t == supersedes })
	b := slices.DeleteFunc(list(string(o.Tags)), func(t string) bool { return t == supersedes })
	return lessons.Line(string(n.Title)) == lessons.Line(string(o.Title)) && strings.TrimSpace(string(n.Content)) == strings.TrimSpace(string(o.Content)) && slices.Equal(a, b)
}

// current reports whether a row says what the lesson says, as written or as read.
func (w *appender) current(i int, l lessons.Lesson) bool {
	n := w.rows[i]
	e := n.entry(w.file, 0).Lesson
	return n.same(w.row(l, w.now)) || e.Content == lessons.Line(l.Content) && e.Insight == strings.TrimSpace(l.Insight) && l.Example == "" && slices.Equal(e.Tags, exchange.Terms(l.Tags))
}

// set adds a row that replaces another.
func (w *appender) set(i int, l lessons.Lesson) (key, said string) {
	n := w.row(l, w.now)
	n.Tags = text(pythonList(append(list(string(n.Tags)), supersedes)))
	return w.put(n, w.rows[i].ID)
}

func (w *appender) add(l lessons.Lesson) (key, said string) {
	at := l.Created
	if at.IsZero() {
		at = w.now
	}
	return w.put(w.row(l, at), 0)
}

// drop adds a row that withdraws another.
func (w *appender) drop(i int, _ lessons.Lesson) bool {
	old := w.rows[i]
	w.put(noted{
		Session: "learnings", Type: old.Type, Title: "Withdrawn: " + old.Title, Content: text(fmt.Sprintf("Observation %d no longer holds.", old.ID)),
		Tags: text(pythonList([]string{withdraws})), Create: text(isoformat(w.now)),
	}, old.ID)
	return true
}

// text returns a row as text for the ledger.
func (n noted) text() string { return exchange.Quoted([]text{n.Title, n.Content, n.Tags}) }

// put adds a row, and returns the ledger's key and text of it.
func (w *appender) put(n noted, about int64) (key, said string) {
	words := tokens(string(n.Title) + " " + string(n.Content) + " " + string(n.Context))
	w.added = append(w.added, addition{n, text(pythonList(words)), about})
	says := "observation: " + lessons.Line(string(n.Title))
	if about > 0 {
		says += fmt.Sprintf(" (refers to %d)", about)
	}
	w.Rows = append(w.Rows, says)
	return n.key(), n.text()
}

// isoformat formats a time as Python does.
func isoformat(t time.Time) string {
	form := "2006-01-02T15:04:05+00:00"
	if t.Nanosecond() >= 1000 {
		form = "2006-01-02T15:04:05.000000+00:00"
	}
	return t.UTC().Format(form)
}

// pythonList formats a JSON list as Python does.
func pythonList(all []string) string {
	out := make([]string, len(all))
	for i, s := range all {
		out[i] = exchange.Quoted(s)
	}
	return "[" + strings.Join(out, ", ") + "]"
}
