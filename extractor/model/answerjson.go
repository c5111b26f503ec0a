package model

import (
	"encoding/json"
	"fmt"
	"strings"
)

// parseJSON reads the JSON value at the start of text: our object, a list of
// lessons, or a single one. ok is false when it is none of them, or breaks off
// before the first lesson. A list without elements is the decision that there is
// nothing to learn. Where the text breaks off, the items that are whole count.
func parseJSON(text string) (a answer, ok bool) {
	a.form = FormJSON
	dec := json.NewDecoder(strings.NewReader(text))
	start, err := dec.Token()
	if err != nil {
		return answer{}, false
	}
	switch start {
	case json.Delim('['):
		a.list(dec)
		return a, a.says()
	case json.Delim('{'):
	default:
		return answer{}, false
	}
	single := make(map[string]json.RawMessage)
	for dec.More() {
		key, err := dec.Token()
		name, isKey := key.(string)
		if err != nil || !isKey {
			a.partial = true
			break
		}
		if name == "lessons" {
			if open, err := dec.Token(); err != nil || open != json.Delim('[') {
				a.partial = err != nil
				break
			}
			if a.list(dec); a.partial {
				break
			}
			continue
		}
		var v json.RawMessage
		if err := dec.Decode(&v); err != nil {
			a.partial = true
			break
		}
		if name == "decision" && strings.EqualFold(strings.TrimSpace(text1(v)), "NONE") {
			a.none = true
		}
		single[name] = v
	}
	if !a.says() && !a.partial {
		if p, ok := item(single); ok {
			a.items = append(a.items, p)
		}
	}
	a.reason = text1(single["reason"])
	if a.none {
		a.items = nil
	}
	return a, a.says()
}

// list reads the elements of a list whose opening has been read.
func (a *answer) list(dec *json.Decoder) {
	empty := true
	for ; dec.More(); empty = false {
		var v json.RawMessage
		if dec.Decode(&v) != nil {
			a.partial = true
			return
		}
		var fields map[string]json.RawMessage
		if json.Unmarshal(v, &fields) != nil {
			continue
		}
		if p, ok := item(fields); ok && len(a.items) < maxItems {
			a.items = append(a.items, p)
		}
	}
	_, err := dec.Token()
	a.partial = err != nil
	a.none = a.none || empty && err == nil
}

// item reads one lesson, whatever types its fields have. It is one when it has
// content.
func item(f map[string]json.RawMessage) (proposal, bool) {
	get := func(names ...string) string {
		for _, n := range names {
			if s := strings.TrimSpace(text1(f[n])); s != "" {
				return s
			}
		}
		return ""
	}
	p := proposal{
		content: get("content", "lesson", "text"), why: get("why", "insight", "reason"), example: get("example"),
		handle: get("handle"), category: get("category", "type"), supersedes: get("supersedes"),
		global: strings.EqualFold(get("scope"), "global"), tags: texts(f["tags"]), triggers: texts(f["triggers"]),
		level: levelOf(get("confidence", "level")),
	}
	if q := get("quote", "evidence"); q != "" {
		p.quotes = []string{q}
	}
	return p, p.content != ""
}

// text1 is a value as text: a string, a number, or the first of a list.
func text1(v json.RawMessage) string {
	var value any
	if len(v) == 0 || json.Unmarshal(v, &value) != nil {
		return ""
	}
	switch x := value.(type) {
	case string:
		return x
	case float64:
		return fmt.Sprint(x)
	case []any:
		if len(x) > 0 {
			if s, ok := x[0].(string); ok {
				return s
			}
		}
	}
	return ""
}

// texts is a value as a list of words: a list of strings, or a string with
// commas.
func texts(v json.RawMessage) []string {
	var list []any
	if json.Unmarshal(v, &list) != nil {
		return words(text1(v))
	}
	var out []string
	for _, x := range list {
		if s, ok := x.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

func words(s string) []string {
	var out []string
	for w := range strings.SplitSeq(s, ",") {
		if w = strings.TrimSpace(w); w != "" {
			out = append(out, w)
		}
	}
	return out
}
