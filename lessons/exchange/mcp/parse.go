package mcp

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

// A memory is what a server returns of one memory.
type memory struct {
	ID, Title, Content string
	Type, Source       string
	Project, Role      string
	Tags               []string
	Confidence         lessons.Confidence
	Created            time.Time
}

// memoriesOf reads the answer of a tool: its structured content if that holds memories, or
// else its text.
func memoriesOf(res *sdk.CallToolResult) []memory {
	if ms, ok := fromJSON(res.StructuredContent); ok {
		return ms
	}
	blocks := blocksOf(res)
	if ms, ok := fromBlocks(blocks); ok {
		return ms
	}
	return parse(strings.Join(blocks, "\n"))
}

// fromBlocks reads blocks of JSON: some servers return each element of a list as a block.
func fromBlocks(blocks []string) (out []memory, ok bool) {
	for _, b := range blocks {
		ms, ok := fromText(b)
		if !ok {
			return nil, false
		}
		out = append(out, ms...)
	}
	return out, len(blocks) > 0
}

// parse reads the text of an answer: JSON, octobrain's listing, or else a memory per line.
func parse(text string) []memory {
	if ms, ok := fromText(text); ok {
		return ms
	}
	if ms, ok := fromListing(text); ok || nothing(text) {
		return ms
	}
	var out []memory
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, memory{Content: line, Confidence: inferred})
		}
	}
	return out
}

// nothing reports whether a text says that there is no memory.
func nothing(text string) bool { return nothingFound().MatchString(text) }

var nothingFound = lessons.LazyRegexp(`(?i)^\s*no (?:relevant )?(?:matching )?(?:memories|results)[^\n]*\s*$`)

func fromText(text string) ([]memory, bool) {
	var v any
	err := json.Unmarshal([]byte(text), &v)
	ms, ok := fromJSON(v)
	return ms, ok && err == nil
}

// fromJSON reads an array of memories, at the top or under the key memories, results or
// data, or one memory.
func fromJSON(v any) ([]memory, bool) {
	switch v := v.(type) {
	case []any:
		out := []memory{}
		for _, item := range v {
			m, ok := one(item)
			if !ok {
				return nil, false
			}
			out = append(out, m)
		}
		return out, true
	case map[string]any:
		for _, key := range []string{"memories", "results", "data"} {
			if list, ok := v[key].([]any); ok {
				return fromJSON(list)
			}
		}
	}
	m, ok := one(v)
	return []memory{m}, ok
}

// one reads a memory from a JSON object. Only the content is required; other members are
// taken if they can be read.
func one(v any) (memory, bool) {
	object, _ := v.(map[string]any)
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

// The confidence of memories that a person confirmed on the server, and that an agent
// inferred.
const (
	confirmed lessons.Confidence = 0.9
	imported  lessons.Confidence = 0.75
	inferred  lessons.Confidence = 0.6
)

// trust returns the confidence of a memory by its source.
func trust(source string) lessons.Confidence {
	switch strings.ToLower(source) {
	case "user_confirmed", "confirmed":
		return confirmed
	case "imported":
		return imported
	}
	return inferred
}

// tier returns the source that Octomind gives a lesson: a person if the confidence is high.
func tier(c lessons.Confidence) string {
	if c.Word() == lessons.High {
		return "user_confirmed"
	}
	return "agent_inferred"
}

// session returns the session that taught a memory; the source may also be a tier of trust.
func (m memory) session() string {
	switch m.Source {
	case "user_confirmed", "agent_inferred", "imported", "auto_linked":
		return ""
	}
	return lessons.Line(m.Source)
}

// category returns the memory's type, unless it only says that it was learned.
func (m memory) category() lessons.Category {
	if c, err := lessons.ParseCategory(m.Type); err == nil && m.Type != "learning" {
		return c
	}
	return lessons.Category(lessons.Other)
}

// listed matches the head of a memory in a listing: its number, score, title, metadata and
// id. Without a type on the next line it is content.
var listed = lessons.LazyRegexp(`(?ms)^(\d+)\. \[([^\]\n]*)\] ([^\n]*) \| Score: [^\n]*\n(Type: .*?)^ID: ([^\n]+)$`)

// fromListing reads octobrain's listing of memories. Each must have its number, type and
// id, and there must be as many as the first line says.
func fromListing(text string) (out []memory, ok bool) {
	text = strings.TrimLeft(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	var n int
	if got, err := fmt.Sscanf(text, "MEMORIES (%d found)", &n); err != nil || got != 1 || n < 0 {
		return nil, false
	}
	var heads [][]int
	for _, m := range listed().FindAllStringSubmatchIndex(text, -1) {
		if text[m[2]:m[3]] == strconv.Itoa(len(heads)+1) {
			heads = append(heads, m)
		}
	}
	out = []memory{}
	for i, m := range heads {
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		part := func(k int) string { return text[m[2*k]:m[2*k+1]] }
		body := strings.TrimSpace(text[m[1]:end])
		if at := strings.LastIndexByte(body, '\n'); at >= 0 && strings.HasPrefix(body[at:], "\nWhy: ") { // the reason it was chosen
			body = strings.TrimSpace(body[:at])
		}
		x := memory{ID: strings.TrimSpace(part(5)), Title: part(3), Content: cmp.Or(body, part(3)), Confidence: trust(part(2))}
		for pair := range strings.SplitSeq(strings.ReplaceAll(part(4), "\n", " | "), " | ") {
			switch key, value, _ := strings.Cut(pair, ": "); key {
			case "Type":
				x.Type = value
			case "Created":
				x.Created = exchange.Moment(value)
			case "Tags":
				x.Tags = strings.FieldsFunc(value, func(r rune) bool { return r == ',' })
			}
		}
		for i, t := range x.Tags {
			x.Tags[i] = strings.TrimSpace(t)
		}
		out = append(out, x)
	}
	return out, len(out) == n
}

// idOf returns the id that a server gave to what it stored; "" if it returned none.
func idOf(res *sdk.CallToolResult) string {
	text := strings.TrimSpace(textOf(res))
	var object map[string]any
	if json.Unmarshal([]byte(text), &object) == nil {
		id, _ := cmp.Or(object["id"], object["memory_id"]).(string)
		return lessons.Line(id)
	}
	_, rest, _ := strings.Cut(text, ": ")
	id, _, _ := strings.Cut(rest, "\n")
	id, _, _ = strings.Cut(strings.TrimSpace(id), " ")
	return lessons.Line(id)
}
