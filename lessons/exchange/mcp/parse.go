package mcp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

// A memory is what a server holds, as far as it says.
type memory struct {
	ID, Title, Content string
	Type, Source       string
	Project, Role      string
	Tags               []string
	Confidence         lessons.Confidence
	Created            time.Time
}

// memoriesOf reads the answer of a tool: its structured content when that holds
// memories, or else its text.
func memoriesOf(res *sdk.CallToolResult) []memory {
	if res.StructuredContent != nil {
		if data, err := json.Marshal(res.StructuredContent); err == nil {
			if ms, ok := fromJSON(data); ok {
				return ms
			}
		}
	}
	blocks := blocksOf(res)
	if ms, ok := fromBlocks(blocks); ok {
		return ms
	}
	return parse(strings.Join(blocks, "\n"))
}

// fromBlocks reads blocks of which each is JSON: servers that give a list may make a
// block of each of its items.
func fromBlocks(blocks []string) (out []memory, ok bool) {
	for _, b := range blocks {
		ms, ok := fromJSON([]byte(b))
		if !ok {
			var m memory
			if m, ok = one([]byte(b)); !ok {
				return nil, false
			}
			ms = []memory{m}
		}
		out = append(out, ms...)
	}
	return out, len(blocks) > 0
}

// parse reads the text of an answer: a JSON array of memories, an object that holds
// one, the listing of octobrain, or else a memory on each line.
func parse(text string) []memory {
	if ms, ok := fromJSON([]byte(text)); ok {
		return ms
	}
	if ms, ok := fromListing(text); ok {
		return ms
	}
	if nothing(text) {
		return nil
	}
	var out []memory
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, memory{Content: line, Confidence: inferred})
		}
	}
	return out
}

// nothing reports that a text says that there is no memory.
func nothing(text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	if strings.Contains(text, "\n") || !strings.HasPrefix(text, "no ") {
		return false
	}
	rest := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(text, "no "), "relevant "), "matching ")
	return strings.HasPrefix(rest, "memories") || strings.HasPrefix(rest, "results")
}

// fromJSON reads an array of memories, or one below the key memories, results or data.
func fromJSON(data []byte) ([]memory, bool) {
	if ms, ok := array(data); ok {
		return ms, true
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(data, &object) != nil {
		return nil, false
	}
	for _, key := range []string{"memories", "results", "data"} {
		if ms, ok := array(object[key]); ok {
			return ms, true
		}
	}
	return nil, false
}

// array reads a JSON array of which each element is a memory.
func array(data []byte) ([]memory, bool) {
	var items []json.RawMessage
	if len(data) == 0 || data[0] == 'n' || json.Unmarshal(data, &items) != nil {
		return nil, false
	}
	out := []memory{}
	for _, item := range items {
		m, ok := one(item)
		if !ok {
			return nil, false
		}
		out = append(out, m)
	}
	return out, true
}

// one reads a memory that is a JSON object. It must have a content; what else it has
// is taken where it can be read.
func one(data []byte) (memory, bool) {
	var object map[string]any
	if json.Unmarshal(data, &object) != nil {
		return memory{}, false
	}
	text := func(keys ...string) string {
		for _, k := range keys {
			if s, ok := object[k].(string); ok && s != "" {
				return s
			}
		}
		return ""
	}
	m := memory{
		ID: text("id", "memory_id", "key"), Title: text("title"), Content: text("content"), Type: text("memory_type", "type"),
		Source: text("source"), Project: text("project", "scope"), Role: text("role"), Confidence: inferred,
	}
	if m.Project == "global" || m.Project == "scoped" {
		m.Project = text("project")
	}
	if tags, ok := object["tags"].([]any); ok {
		for _, t := range tags {
			if s, ok := t.(string); ok && strings.TrimSpace(s) != "" {
				m.Tags = append(m.Tags, lessons.Line(s))
			}
		}
	}
	m.Confidence = trust(m.Source)
	for _, k := range []string{"confidence", "importance"} {
		if object[k] == nil {
			continue
		}
		if c, err := lessons.ParseConfidence(fmt.Sprint(object[k])); err == nil {
			m.Confidence = c
			break
		}
	}
	m.Created = exchange.Moment(text("created", "created_at"))
	return m, strings.TrimSpace(m.Content) != ""
}

// The confidences of what a person confirmed there, and of what an agent concluded.
const (
	confirmed lessons.Confidence = 0.9
	imported  lessons.Confidence = 0.75
	inferred  lessons.Confidence = 0.6
)

// trust is how sure a server is of a memory, by who it says is its source.
func trust(source string) lessons.Confidence {
	switch strings.ToLower(source) {
	case "user_confirmed", "confirmed":
		return confirmed
	case "imported":
		return imported
	}
	return inferred
}

// tier is the source that Octomind names for a lesson: a person where it is sure.
func tier(c lessons.Confidence) string {
	if c.Word() == lessons.High {
		return "user_confirmed"
	}
	return "agent_inferred"
}

// session is the session that taught a memory; its source may also be a tier of trust.
func (m memory) session() string {
	switch m.Source {
	case "user_confirmed", "agent_inferred", "imported", "auto_linked":
		return ""
	}
	return lessons.Line(m.Source)
}

// category is the memory's type, where it says more than that it was learned.
func (m memory) category() lessons.Category {
	if c, err := lessons.ParseCategory(m.Type); err == nil && m.Type != "learning" {
		return c
	}
	return lessons.Category(lessons.Other)
}

// fromListing reads the text in which octobrain lists memories. It is one only when
// each of them has its number, its type and its id, as many as the first line says.
func fromListing(text string) ([]memory, bool) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	first, rest, _ := strings.Cut(strings.TrimLeft(text, "\n"), "\n")
	var n int
	if got, err := fmt.Sscanf(strings.TrimSpace(first), "MEMORIES (%d found)", &n); err != nil || got != 1 || n < 0 {
		return nil, false
	}
	lines := strings.Split(rest, "\n")
	var starts []int
	for i := range lines {
		if _, _, ok := heading(lines, i, len(starts)+1); ok {
			starts = append(starts, i)
		}
	}
	if len(starts) != n {
		return nil, false
	}
	out := []memory{}
	for i, start := range starts {
		end := len(lines)
		if i+1 < n {
			end = starts[i+1]
		}
		m, ok := listed(lines[start:end], i+1)
		if !ok {
			return nil, false
		}
		out = append(out, m)
	}
	return out, true
}

// heading reads the line that begins the memory of a number: a text that looks like
// one and is not followed by a type is content.
func heading(lines []string, i, number int) (label, title string, ok bool) {
	rest, ok := strings.CutPrefix(lines[i], strconv.Itoa(number)+". [")
	if !ok || i+1 >= len(lines) || !strings.HasPrefix(lines[i+1], "Type: ") {
		return "", "", false
	}
	label, rest, ok = strings.Cut(rest, "] ")
	at := strings.LastIndex(rest, " | Score: ")
	if !ok || at < 0 {
		return "", "", false
	}
	return label, rest[:at], true
}

// listed reads one memory of a listing.
func listed(lines []string, number int) (memory, bool) {
	label, title, ok := heading(lines, 0, number)
	if !ok {
		return memory{}, false
	}
	m := memory{Title: title, Confidence: trust(label)}
	at := slices.IndexFunc(lines, func(s string) bool { return strings.HasPrefix(s, "ID: ") })
	if at < 0 {
		return memory{}, false
	}
	m.ID = strings.TrimSpace(strings.TrimPrefix(lines[at], "ID: "))
	for _, line := range lines[1:at] {
		if tags, ok := strings.CutPrefix(line, "Tags: "); ok {
			for t := range strings.SplitSeq(tags, ", ") {
				if t = strings.TrimSpace(t); t != "" {
					m.Tags = append(m.Tags, t)
				}
			}
			continue
		}
		for pair := range strings.SplitSeq(line, " | ") {
			switch key, value, _ := strings.Cut(pair, ": "); key {
			case "Type":
				m.Type = value
			case "Created":
				m.Created = exchange.Moment(value)
			}
		}
	}
	body := lines[at+1:]
	for len(body) > 0 && strings.TrimSpace(body[len(body)-1]) == "" {
		body = body[:len(body)-1]
	}
	if n := len(body); n > 1 && strings.HasPrefix(body[n-1], "Why: ") { // why it was chosen
		body = body[:n-1]
	}
	m.Content = strings.TrimSpace(strings.Join(body, "\n"))
	if m.Content == "" {
		m.Content = title
	}
	return m, m.ID != "" && m.Content != ""
}

// idOf finds the id that a server gave to what it stored; "" when it tells none.
func idOf(res *sdk.CallToolResult) string {
	text := strings.TrimSpace(textOf(res))
	var object map[string]any
	if json.Unmarshal([]byte(text), &object) == nil {
		for _, key := range []string{"id", "memory_id"} {
			if s, ok := object[key].(string); ok {
				return lessons.Line(s)
			}
		}
		return ""
	}
	_, rest, ok := strings.Cut(text, ": ")
	if !ok {
		return ""
	}
	id, _, _ := strings.Cut(rest, "\n")
	id, _, _ = strings.Cut(strings.TrimSpace(id), " ")
	return lessons.Line(id)
}
