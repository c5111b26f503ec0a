package plain

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

// CSV is a table with a line of names, as RFC 4180 has it. Cells that a spreadsheet
// would take for a formula begin with an apostrophe, which is taken off again.
type CSV struct{}

// columns are the names of the table and how a cell of each is made and read.
var columns = []struct {
	name string
	get  func(lessons.Lesson) string
	set  func(*lessons.Record, string) error
}{
	{"id", func(l lessons.Lesson) string { return string(l.ID) }, func(r *lessons.Record, s string) error { r.ID = lessons.ID(s); return nil }},
	{"status", func(l lessons.Lesson) string { return string(l.Status) }, func(r *lessons.Record, s string) error { r.Status = lessons.Status(s); return nil }},
	{"category", func(l lessons.Lesson) string { return string(l.Category) }, func(r *lessons.Record, s string) error { r.Category = lessons.Category(s); return nil }},
	{"project", func(l lessons.Lesson) string { return l.Scope.Project }, func(r *lessons.Record, s string) error { r.Project = s; return nil }},
	{"role", func(l lessons.Lesson) string { return l.Scope.Role }, func(r *lessons.Record, s string) error { r.Role = s; return nil }},
	{"global", func(l lessons.Lesson) string { return yes(l.Scope.Global) }, func(r *lessons.Record, s string) error { r.Global = s == "yes"; return nil }},
	{"score", func(l lessons.Lesson) string { return l.Confidence.String() }, func(r *lessons.Record, s string) (err error) { r.Score, err = score(s); return err }},
	{"content", func(l lessons.Lesson) string { return l.Content }, func(r *lessons.Record, s string) error { r.Content = s; return nil }},
	{"insight", func(l lessons.Lesson) string { return l.Insight }, func(r *lessons.Record, s string) error { r.Insight = s; return nil }},
	{"example", func(l lessons.Lesson) string { return l.Example }, func(r *lessons.Record, s string) error { r.Example = s; return nil }},
	{"tags", func(l lessons.Lesson) string { return strings.Join(l.Tags, ", ") }, func(r *lessons.Record, s string) error { r.Tags = list(s); return nil }},
	{"triggers", func(l lessons.Lesson) string { return strings.Join(l.Triggers, ", ") }, func(r *lessons.Record, s string) error { r.Triggers = list(s); return nil }},
	{"source", func(l lessons.Lesson) string { return l.Origin.Source }, func(r *lessons.Record, s string) error { r.Source = s; return nil }},
	{"created", func(l lessons.Lesson) string { return stamp(l.Created) }, func(r *lessons.Record, s string) (err error) {
		if s != "" {
			r.Created, err = time.Parse(time.RFC3339, s)
		}
		return err
	}},
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

func score(s string) (lessons.Confidence, error) {
	if s == "" {
		return 0, nil
	}
	return lessons.ParseConfidence(s)
}

func list(s string) (out []string) {
	for w := range strings.SplitSeq(s, ",") {
		if w = strings.TrimSpace(w); w != "" {
			out = append(out, w)
		}
	}
	return out
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// formula are the first characters of a cell that spreadsheets run.
const formula = "=+-@\t\r"

func guarded(s string) string {
	if s != "" && strings.ContainsRune(formula+"'", rune(s[0])) {
		return "'" + s
	}
	return s
}

func unguarded(s string) string {
	if len(s) > 1 && s[0] == '\'' && strings.ContainsRune(formula+"'", rune(s[1])) {
		return s[1:]
	}
	return s
}

// Detect goes by the name of the file.
func (CSV) Detect(path string) bool { return ends(path, ".csv") }

// Read takes a table with a column content; the other columns may be missing or
// stand in any order, and further ones are passed over.
func (CSV) Read(_ context.Context, path string) (exchange.Found, error) {
	data, err := text(path)
	if err != nil {
		return exchange.Found{}, err
	}
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	r.FieldsPerRecord = -1
	head, err := r.Read()
	if err != nil {
		return exchange.Found{}, fmt.Errorf("%w: %w", exchange.ErrFormat, err)
	}
	setters := make([]func(*lessons.Record, string) error, len(head))
	found := false
	for i, name := range head {
		for _, c := range columns {
			if strings.EqualFold(strings.TrimSpace(name), c.name) {
				setters[i], found = c.set, found || c.name == "content"
			}
		}
	}
	if !found {
		return exchange.Found{}, fmt.Errorf("%w: the first line of %s names no column content", exchange.ErrFormat, path)
	}
	var out exchange.Found
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return out, fmt.Errorf("%w: %w", exchange.ErrFormat, err)
		}
		line, _ := r.FieldPos(0)
		if e, err := row(cells, setters, path, line); err != nil {
			out.Unread = append(out.Unread, exchange.Unread{Path: path, Line: line, Err: err})
		} else {
			out.Entries = append(out.Entries, e)
		}
	}
}

func row(cells []string, setters []func(*lessons.Record, string) error, path string, line int) (exchange.Entry, error) {
	var rec lessons.Record
	for i, cell := range cells {
		if i >= len(setters) || setters[i] == nil {
			continue
		}
		if err := setters[i](&rec, unguarded(cell)); err != nil {
			return exchange.Entry{}, err
		}
	}
	if strings.TrimSpace(rec.Content) == "" {
		return exchange.Entry{}, errors.New("it has no content")
	}
	l, err := lesson(rec, "csv")
	l.Evidence = []lessons.Evidence{{Agent: "csv", Path: path, Line: line, From: "import", By: lessons.ByAgent, Quote: l.Content}}
	return exchange.Entry{Lesson: l, Key: string(l.ID), Place: fmt.Sprintf("%s:%d", path, line), Active: rec.Status == lessons.Approved}, err
}

// Lacks names what has no column.
func (CSV) Lacks(l lessons.Lesson) (out []string) {
	if len(l.Evidence) > 0 {
		out = append(out, "its evidence")
	}
	if l.Use != (lessons.Use{}) || l.Proof != (lessons.Proof{}) {
		out = append(out, "how it proved")
	}
	return append(out, lacks(l)...)
}

// Plan replaces the file by a table of the lessons.
func (f CSV) Plan(_ context.Context, to exchange.Target, ls []lessons.Lesson) (*exchange.Plan, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.name
	}
	rows := [][]string{names}
	for _, l := range ls {
		cells := make([]string, len(columns))
		for i, c := range columns {
			cells[i] = guarded(c.get(l))
		}
		rows = append(rows, cells)
	}
	if err := w.WriteAll(rows); err != nil {
		return nil, err
	}
	return replace(to, f, ls, b.Bytes())
}
