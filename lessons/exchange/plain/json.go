package plain

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

// JSON is an array of lessons.
type JSON struct{}

// JSONL is one lesson a line.
type JSONL struct{}

// Detect goes by the name of the file.
func (JSON) Detect(path string) bool { return ends(path, ".json") }

// Detect goes by the name of the file.
func (JSONL) Detect(path string) bool { return ends(path, ".jsonl", ".ndjson") }

func ends(path string, suffixes ...string) bool {
	for _, s := range suffixes {
		if strings.EqualFold(filepath.Ext(path), s) {
			return true
		}
	}
	return false
}

// Read takes an array of objects, or one object. One that is no lesson is unread,
// with its number.
func (JSON) Read(_ context.Context, path string) (exchange.Found, error) {
	data, err := text(path)
	if err != nil {
		return exchange.Found{}, err
	}
	var all []json.RawMessage
	if trimmed := bytes.TrimSpace(data); len(trimmed) > 0 && trimmed[0] == '{' {
		all = []json.RawMessage{trimmed}
	} else if err := json.Unmarshal(data, &all); err != nil {
		return exchange.Found{}, fmt.Errorf("%w: %w", exchange.ErrFormat, at(data, err))
	}
	var out exchange.Found
	for i, raw := range all {
		add(&out, raw, "json", path, fmt.Sprintf("%s: lesson %d", path, i+1), 0)
	}
	return out, nil
}

// Read takes one object a line. A line that is no lesson is unread.
func (JSONL) Read(_ context.Context, path string) (exchange.Found, error) {
	data, err := text(path)
	if err != nil {
		return exchange.Found{}, err
	}
	var out exchange.Found
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if line = bytes.TrimSpace(line); len(line) > 0 {
			add(&out, line, "jsonl", path, fmt.Sprintf("%s:%d", path, n), n)
		}
	}
	if len(out.Entries) == 0 && len(out.Unread) > 0 {
		return exchange.Found{}, fmt.Errorf("%w: %w", exchange.ErrFormat, out.Unread[0])
	}
	return out, nil
}

func add(out *exchange.Found, raw []byte, name, path, place string, line int) {
	var r lessons.Record
	err := json.Unmarshal(raw, &r)
	if err == nil && strings.TrimSpace(r.Content) == "" {
		err = fmt.Errorf("it has no content")
	}
	var l lessons.Lesson
	if err == nil {
		l, err = lesson(r, name)
	}
	if err != nil {
		out.Unread = append(out.Unread, exchange.Unread{Path: place, Err: err})
		return
	}
	if len(l.Evidence) == 0 {
		l.Evidence = []lessons.Evidence{{Agent: name, Path: path, Line: line, From: "import", By: lessons.ByAgent, Quote: l.Content}}
	}
	out.Entries = append(out.Entries, exchange.Entry{Lesson: l, Key: string(l.ID), Place: place, Active: r.Status == lessons.Approved})
}

// text reads a file that must be there.
func text(path string) ([]byte, error) {
	data, err := exchange.ReadFile(path)
	if err == nil && data == nil {
		err = fmt.Errorf("%w: there is no file %s", lessons.ErrNotFound, path)
	}
	return data, err
}

// at adds to an error of JSON the line where it is.
func at(data []byte, err error) error {
	if bad, ok := err.(*json.SyntaxError); ok {
		return fmt.Errorf("line %d: %w", 1+bytes.Count(data[:min(int(bad.Offset), len(data))], []byte("\n")), err)
	}
	return err
}

// Lacks tells what is of this machine alone.
func (JSON) Lacks(l lessons.Lesson) []string { return lacks(l) }

// Lacks is that of JSON.
func (JSONL) Lacks(l lessons.Lesson) []string { return lacks(l) }

func lacks(l lessons.Lesson) (out []string) {
	if len(l.Extra) > 0 {
		out = append(out, "fields of other programs in its file")
	}
	return out
}

// Plan replaces the file by an array of the lessons.
func (f JSON) Plan(_ context.Context, to exchange.Target, ls []lessons.Lesson) (*exchange.Plan, error) {
	all := make([]lessons.Record, len(ls))
	for i, l := range ls {
		all[i] = l.Record()
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(all); err != nil {
		return nil, err
	}
	return replace(to, f, ls, b.Bytes())
}

// Plan replaces the file by one line for each lesson.
func (f JSONL) Plan(_ context.Context, to exchange.Target, ls []lessons.Lesson) (*exchange.Plan, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, l := range ls {
		if err := e.Encode(l.Record()); err != nil {
			return nil, err
		}
	}
	return replace(to, f, ls, b.Bytes())
}
