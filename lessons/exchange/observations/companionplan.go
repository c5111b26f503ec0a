package observations

import (
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

// companionTypes are those of the companion.
var companionTypes = []string{"discovery", "error", "decision", "pattern"}

// companionType is the type of a lesson.
func companionType(c lessons.Category) string {
	if slices.Contains(companionTypes, string(c)) {
		return string(c)
	}
	switch c.Shelf() {
	case lessons.Errors, lessons.Corrections, lessons.Debugging:
		return "error"
	case lessons.Architecture, lessons.Preferences:
		return "decision"
	case lessons.Patterns, lessons.Workflows:
		return "pattern"
	}
	return "discovery"
}

// An addition is a row that a plan adds, and the older one that it is about.
type addition struct {
	noted
	tokens text
	about  int64 // 0 for none
}

// Plan implements [exchange.Format]: rows are added and none is changed. A database
// that is missing is made, with the published tables.
func (f Companion) Plan(ctx context.Context, to exchange.Target, ls []lessons.Lesson) (*exchange.Plan, error) {
	w := &appender{Plan: exchange.NewPlan(to, f, ls), to: to, file: fileOf(to.Path, CompanionFile), memory: &memory{}}
	switch _, err := os.Stat(w.file); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	default:
		if w.memory, err = openMemory(ctx, w.file); err != nil {
			return nil, err
		}
	}
	w.past = w.memory.past()
	for i, at := range w.find(ls) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		w.settle(ls[i], at)
	}
	if len(w.added) > 0 {
		w.Commit = func(ctx context.Context) error { return insert(ctx, w.file, w.added, patience) }
	}
	return w.Plan, nil
}

// An appender makes a plan of a companion's database.
type appender struct {
	*exchange.Plan
	to     exchange.Target
	file   string
	memory *memory
	past   map[int64]bool
	added  []addition
}

// find looks for the row of each lesson, the surest ways first.
func (w *appender) find(ls []lessons.Lesson) []int {
	n := len(w.memory.rows)
	keys, ids, texts := make([]string, n), make([]lessons.ID, n), make([]string, n)
	for i, row := range w.memory.rows {
		keys[i] = row.key()
		ids[i] = exchange.ID(CompanionName, CompanionName, keys[i])
		if !w.past[row.ID] && !slices.Contains(list(string(row.Tags)), withdraws) {
			texts[i] = lessons.Line(string(row.Title))
		}
	}
	pairs := exchange.NewPairs(ls, n)
	pairs.ByLedger(w.to.Ledger, keys)
	pairs.ByID(ids)
	pairs.ByText(texts, func(l lessons.Lesson) []string { return []string{lessons.Line(l.Content)} })
	return pairs.Of
}

// row is what a lesson says as a row.
func (w *appender) row(l lessons.Lesson, at time.Time) noted {
	n := noted{Type: text(companionType(l.Category)), Title: text(lessons.Line(l.Content)), Session: text(lessons.Line(l.Origin.Source)), Create: text(isoformat(at))}
	if n.Session == "" {
		n.Session = "learnings"
	}
	n.Content = text(strings.TrimSpace(strings.TrimSpace(l.Insight) + "\n\n" + strings.TrimSpace(l.Example)))
	if n.Content == "" {
		n.Content = n.Title // the column must not be empty
	}
	tags := terms(l.Tags)
	switch p := lessons.Line(l.Scope.Project); { // there is no column for it
	case l.Scope.Global:
		tags = append(tags, everywhere)
	case p != "" && p != project(w.file):
		tags = append(tags, p, ofProject+p)
	}
	n.Tags = text(pythonList(tags))
	return n
}

// same reports rows that say the same.
func (n noted) same(o noted) bool {
	a := slices.DeleteFunc(list(string(n.Tags)), func(t string) bool { return t == supersedes })
	b := slices.DeleteFunc(list(string(o.Tags)), func(t string) bool { return t == supersedes })
	return lessons.Line(string(n.Title)) == lessons.Line(string(o.Title)) && strings.TrimSpace(string(n.Content)) == strings.TrimSpace(string(o.Content)) && slices.Equal(a, b)
}

// settle adds what brings a lesson up to date.
func (w *appender) settle(l lessons.Lesson, i int) {
	was, known := w.to.Ledger.Of(l.ID)
	at := l.Created
	if at.IsZero() {
		at = w.to.Now
	}
	want := w.row(l, at)
	if i < 0 {
		if l.Status == lessons.Approved {
			w.put(l, want, 0)
		} else if known {
			w.Note(l.ID, nil)
		}
		return
	}
	old := w.memory.rows[i]
	theirs := !known && exchange.ID(CompanionName, CompanionName, old.key()) != l.ID // it only says the same
	switch {
	case l.Status == lessons.Pending && !known: // nobody has decided: it stays theirs
	case l.Status != lessons.Approved && w.past[old.ID]:
		if known {
			w.Note(l.ID, nil)
		}
	case l.Status != lessons.Approved && theirs:
	case l.Status != lessons.Approved:
		title := "Withdrawn: " + string(old.Title)
		w.add(noted{Session: "learnings", Type: old.Type, Title: text(title), Content: text(fmt.Sprintf("Observation %d no longer holds.", old.ID)), Tags: text(pythonList([]string{withdraws})), Create: text(isoformat(w.to.Now))}, old.ID)
		w.Rows = append(w.Rows, fmt.Sprintf("observation: %s (refers to %d)", lessons.Line(title), old.ID))
		w.Note(l.ID, nil)
	case !w.past[old.ID] && (old.same(want) || old.says(l, w.file)):
		w.note(l, old)
	case theirs:
		w.Lose(l.ID, fmt.Sprintf("its wording: observation %d has its own, and stays", old.ID))
	case known && was.Text != old.text():
		w.Lose(l.ID, fmt.Sprintf("its wording: observation %d was changed there, and stays", old.ID))
	default:
		want.Create = text(isoformat(w.to.Now))
		want.Tags = text(pythonList(append(list(string(want.Tags)), supersedes)))
		w.put(l, want, old.ID)
	}
}

// says reports a row that says what a lesson does, as it was read.
func (n noted) says(l lessons.Lesson, file string) bool {
	e := n.entry(file, 0).Lesson
	return e.Content == lessons.Line(l.Content) && e.Insight == strings.TrimSpace(l.Insight) && l.Example == "" && slices.Equal(e.Tags, terms(l.Tags))
}

// text is a row for the ledger.
func (n noted) text() string { return exchange.Quoted([]text{n.Title, n.Content, n.Tags}) }

func (w *appender) note(l lessons.Lesson, n noted) { w.Wrote(l, n.key(), n.text()) }

// put adds the row of a lesson.
func (w *appender) put(l lessons.Lesson, n noted, about int64) {
	w.add(n, about)
	says := "observation: " + string(n.Title)
	if about > 0 {
		says += fmt.Sprintf(" (refers to %d)", about)
	}
	w.Rows = append(w.Rows, says)
	w.note(l, n)
}

func (w *appender) add(n noted, about int64) {
	words := tokens(string(n.Title) + " " + string(n.Content) + " " + string(n.Context))
	w.added = append(w.added, addition{n, text(pythonList(words)), about})
}

// isoformat is a time as Python writes it.
func isoformat(t time.Time) string {
	form := "2006-01-02T15:04:05+00:00"
	if t.Nanosecond() >= 1000 {
		form = "2006-01-02T15:04:05.000000+00:00"
	}
	return t.UTC().Format(form)
}

// pythonList is a JSON list as Python writes it.
func pythonList(all []string) string {
	out := make([]string, len(all))
	for i, s := range all {
		out[i] = exchange.Quoted(s)
	}
	return "[" + strings.Join(out, ", ") + "]"
}
