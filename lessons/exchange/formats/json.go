package formats

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

// records is a JSON array of lessons, or one lesson a line. These files belong to no other
// program; a write replaces them as a whole.
type records struct{ lines bool }

func (f records) name() string {
	if f.lines {
		return "jsonl"
	}
	return "json"
}

// Detect goes by the name of the file.
func (f records) Detect(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext == "."+f.name() || f.lines && ext == ".ndjson"
}

// Read accepts an array of objects, one object, or one object a line. What is not a lesson
// is unread, with its number.
func (f records) Read(_ context.Context, path string) (exchange.Found, error) {
	var out exchange.Found
	data, err := exchange.ReadFile(path)
	if err == nil && data == nil {
		err = fmt.Errorf("%w: there is no file %s", lessons.ErrNotFound, path)
	}
	if err != nil {
		return out, err
	}
	if f.lines {
		n := 0
		for line := range bytes.Lines(data) {
			n++
			if line = bytes.TrimSpace(line); len(line) > 0 {
				f.add(&out, line, path, fmt.Sprintf("%s:%d", path, n), n)
			}
		}
		if len(out.Entries) == 0 && len(out.Unread) > 0 {
			return exchange.Found{}, fmt.Errorf("%w: %w", exchange.ErrFormat, out.Unread[0])
		}
		return out, nil
	}
	var all []json.RawMessage
	if trimmed := bytes.TrimSpace(data); len(trimmed) > 0 && trimmed[0] == '{' {
		all = []json.RawMessage{trimmed}
	} else if err := json.Unmarshal(data, &all); err != nil {
		if bad, ok := err.(*json.SyntaxError); ok {
			err = fmt.Errorf("line %d: %w", 1+bytes.Count(data[:min(int(bad.Offset), len(data))], []byte("\n")), err)
		}
		return out, fmt.Errorf("%w: %w", exchange.ErrFormat, err)
	}
	for i, raw := range all {
		f.add(&out, raw, path, fmt.Sprintf("%s: lesson %d", path, i+1), 0)
	}
	return out, nil
}

func (f records) add(out *exchange.Found, raw []byte, path, place string, line int) {
	var r lessons.Record
	err := json.Unmarshal(raw, &r)
	if err == nil && strings.TrimSpace(r.Content) == "" {
		err = fmt.Errorf("it has no content")
	}
	if err == nil && r.Score == 0 && r.Confidence != "" {
		r.Score, err = lessons.ParseConfidence(r.Confidence)
	}
	if err != nil {
		out.Unread = append(out.Unread, exchange.Unread{Path: place, Err: err})
		return
	}
	l := f.lesson(r)
	if len(l.Evidence) == 0 {
		l.Evidence = []lessons.Evidence{{Agent: f.name(), Path: path, Line: line, From: "import", By: lessons.ByAgent, Quote: l.Content}}
	}
	out.Entries = append(out.Entries, exchange.Entry{Lesson: l, Key: string(l.ID), Place: place, Active: r.Status == lessons.Approved, Aside: aside(r.Status)})
}

func aside(s lessons.Status) bool {
	return s == lessons.Rejected || s == lessons.Merged || s == lessons.Archived
}

// lesson makes a proposal of a record as --json prints it. Only content is required; the
// rest has defaults.
func (f records) lesson(r lessons.Record) lessons.Lesson {
	l := lessons.Lesson{
		ID: r.ID, Status: lessons.Pending, Category: cmp.Or(r.Category, "pattern"),
		Wording: r.Wording, Tags: r.Tags, Triggers: r.Triggers, Scope: r.Scope, Confidence: cmp.Or(r.Score, 0.6), Created: r.Created,
		Origin:   lessons.Origin{Source: r.Source, Extractor: r.Extractor, Rule: r.Rule, Score: r.Origin.Score},
		Evidence: r.Evidence,
	}
	if l.ID == "" {
		l.ID = exchange.ID(f.name(), r.Project+"\x00"+r.Role, r.Content)
	}
	return l
}

// Lacks lists what only makes sense on this machine.
func (records) Lacks(l lessons.Lesson) []string {
	var w exchange.Lacks
	w.If(len(l.Extra) > 0, "fields of other programs in its file")
	return w
}

// Plan replaces the file.
func (f records) Plan(_ context.Context, to exchange.Target, ls []lessons.Lesson) (*exchange.Plan, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	all := make([]lessons.Record, len(ls))
	for i, l := range ls {
		if all[i] = l.Record(); f.lines {
			if err := e.Encode(all[i]); err != nil {
				return nil, err
			}
		}
	}
	if !f.lines {
		e.SetIndent("", "  ")
		if err := e.Encode(all); err != nil {
			return nil, err
		}
	}
	return replace(to, f, ls, b.Bytes())
}

// replace plans to replace the file at to.Path by text.
func replace(to exchange.Target, f exchange.Format, ls []lessons.Lesson, text []byte) (*exchange.Plan, error) {
	before, err := exchange.ReadFile(to.Path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", exchange.ErrFormat, err)
	}
	p := exchange.NewPlan(to, f, ls)
	p.File(to.Path, before, text)
	return p, nil
}
