package octomind

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"learnings/lessons/file"
)

// A record is a file as Octomind parses it.
type record struct {
	Title      string   `json:"title"`
	Content    string   `json:"content"`
	Type       string   `json:"memory_type"`
	Importance float64  `json:"importance"`
	Confidence string   `json:"confidence"`
	Tags       []string `json:"tags"`
	Source     string   `json:"source"`
	Role       string   `json:"role"`
	Project    string   `json:"project"`
	Scope      string   `json:"scope"`
	Created    string   `json:"created"`
	Related    []string `json:"related"`
	Evidence   []string `json:"evidence"`
	Outcome    string   `json:"outcome"`
	LastUsed   string   `json:"last_used"`
	Uses       uint64   `json:"use_count"`
}

func blank() record {
	return record{Type: learning, Importance: 0.5, Confidence: "medium", Scope: scoped, Outcome: "unknown", Tags: []string{}, Related: []string{}, Evidence: []string{}}
}

const (
	learning = "learning"
	scoped   = "scoped"
	global   = "global"
)

// present parses a file as Octomind does now. It returns false if Octomind skips the file.
func present(text string) (record, bool) { return parse(text, false) }

// first parses a file as the first version of Octomind did: it knew fewer keys, trimmed all
// quotation marks, and did not unescape.
func first(text string) (record, bool) { return parse(text, true) }

func parse(text string, first bool) (record, bool) {
	lines, ok := file.Lines(text)
	r := blank()
	for _, l := range lines {
		value := l.Value
		switch {
		case first && slices.Contains([]string{"title", "scope", "last_used", "related", "evidence", "outcome", "use_count"}, l.Key):
			continue
		case first:
			value = strings.Trim(value, `"`)
		case len(value) > 1 && strings.HasPrefix(value, `"`) && strings.HasSuffix(value, `"`):
			value = value[1 : len(value)-1]
		}
		s := r.text(l.Key)
		switch {
		case s == nil:
			r.set(l.Key, value)
		case !first && quoted(l.Key):
			*s = unescape(value)
		default:
			*s = value
		}
	}
	return r, ok && r.Content != ""
}

// text returns the field for a key with text; nil for other keys.
func (r *record) text(key string) *string {
	return map[string]*string{
		"title": &r.Title, "content": &r.Content, "memory_type": &r.Type, "confidence": &r.Confidence, "source": &r.Source,
		"role": &r.Role, "project": &r.Project, "scope": &r.Scope, "created": &r.Created, "last_used": &r.LastUsed,
	}[key]
}

// quoted reports whether the value of a key is quoted.
func quoted(key string) bool { return key != "memory_type" && key != "confidence" && key != "scope" }

// set sets a field that is not text, as well as its value can be read.
func (r *record) set(key, value string) {
	switch key {
	case "importance":
		var err error
		if r.Importance, err = strconv.ParseFloat(value, 64); err != nil || math.IsNaN(r.Importance) {
			r.Importance = 0.5
		}
	case "tags":
		r.Tags = []string{}
		for t := range strings.SplitSeq(inner(value), ",") {
			if t = strings.TrimSpace(t); t != "" {
				r.Tags = append(r.Tags, t)
			}
		}
	case "related":
		r.Related = stringList(value)
	case "evidence":
		r.Evidence = stringList(value)
	case "outcome":
		if r.Outcome = "unknown"; value == "verified" || value == "failed" {
			r.Outcome = value
		}
	case "use_count":
		r.Uses, _ = strconv.ParseUint(value, 10, 64)
	}
}

func inner(list string) string { return strings.TrimRight(strings.TrimLeft(list, "["), "]") }

// stringList parses a JSON array, or values separated by commas.
func stringList(value string) []string {
	out := []string{}
	if json.Unmarshal([]byte(value), &out) == nil && out != nil {
		return out
	}
	out = []string{}
	for item := range strings.SplitSeq(inner(value), ",") {
		if item = strings.Trim(strings.TrimSpace(item), `"`); item != "" {
			out = append(out, item)
		}
	}
	return out
}

// unescape undoes Octomind's escapes and keeps any other backslash.
var unescape = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n").Replace

// escape escapes a text as Octomind does in quotation marks.
var escape = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace
