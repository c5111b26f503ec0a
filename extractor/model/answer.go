package model

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"learnings/lessons"
)

// ErrAnswer means that an answer holds neither lessons nor the decision that there are
// none.
var ErrAnswer = errors.New("the answer holds neither lessons nor the decision that there are none")

// How much of an answer is read and shown.
const (
	maxAnswerText = 4 << 20
	maxItems      = 200
	maxStarts     = 50  // places that could be the start of the answer
	previewed     = 200 // bytes
)

// A proposal is one lesson as the model gave it, before anything is checked.
type proposal struct {
	content, why, example string
	quote, handle         string
	category              string
	level                 level
	global                bool
	tags, triggers        []string
	supersedes            string // "L3"
}

// An answer is what could be read of a model's text.
type answer struct {
	none    bool   // decided that there is nothing to learn
	reason  string // of the decision, where it was asked for
	partial bool   // it breaks off; items has the complete ones
	items   []proposal
}

// says reports whether an answer holds lessons, or the decision that there are none.
func (a answer) says() bool { return a.none || len(a.items) > 0 }

// parseAnswer parses an answer, in a code fence or with prose around it, and the
// complete part of one that was cut off. It skips what a model thinks aloud first.
func parseAnswer(text string) (answer, error) {
	text = strings.TrimSpace(text[:min(len(text), maxAnswerText)])
	for _, tag := range []string{"think", "thinking", "reasoning"} {
		if _, rest, ok := strings.Cut(text, "</"+tag+">"); ok && strings.HasPrefix(text, "<"+tag+">") {
			text = rest
		}
	}
	for rest, tries := text, 0; tries < maxStarts; tries++ {
		i := strings.IndexAny(rest, "{[")
		if i < 0 {
			break
		}
		first := strings.Trim(rest[:i], "`json \r\n") == "" && tries == 0
		// An empty list inside something else, such as an error, decides nothing.
		if a, ok := parseJSON(rest[i:]); ok && (first || rest[i] == '{' || len(a.items) > 0) {
			return a, nil
		}
		rest = rest[i+1:]
	}
	if text = lessons.Line(text); text == "" {
		return answer{}, fmt.Errorf("%w: it is empty", ErrAnswer)
	}
	return answer{}, fmt.Errorf("%w: it is prose: %s", ErrAnswer, head(text, previewed))
}

// parseJSON parses the JSON value at the start of text: our object, a list of lessons,
// or a single one. ok is false for anything else, and if the text breaks off before the
// first lesson ends. An empty list is the decision that there is nothing to learn. If
// the text breaks off later, the complete items count.
func parseJSON(text string) (a answer, ok bool) {
	dec := json.NewDecoder(strings.NewReader(text))
	start, err := dec.Token()
	switch {
	case err != nil:
		return answer{}, false
	case start == json.Delim('['):
		a.list(dec)
		return a, a.says()
	case start != json.Delim('{'):
		return answer{}, false
	}
	fields := make(map[string]json.RawMessage)
	for dec.More() && !a.partial {
		key, err := dec.Token()
		name, _ := key.(string)
		var v json.RawMessage
		switch {
		case err != nil || name == "":
			a.partial = true
		case name == "lessons":
			if open, err := dec.Token(); open == json.Delim('[') {
				a.list(dec)
			} else if err != nil {
				a.partial = true
			}
		default:
			a.partial = dec.Decode(&v) != nil
			fields[name] = v
		}
	}
	a.none = a.none || strings.EqualFold(strings.TrimSpace(text1(fields["decision"])), "NONE")
	if !a.says() && !a.partial {
		a.add(fields)
	}
	a.reason = text1(fields["reason"])
	if a.none {
		a.items = nil
	}
	return a, a.says()
}

// list parses the elements of a list after its opening.
func (a *answer) list(dec *json.Decoder) {
	empty := true
	for ; dec.More(); empty = false {
		var v json.RawMessage
		if dec.Decode(&v) != nil {
			a.partial = true
			return
		}
		var fields map[string]json.RawMessage
		if json.Unmarshal(v, &fields) == nil && len(a.items) < maxItems {
			a.add(fields)
		}
	}
	_, err := dec.Token()
	a.partial = err != nil
	a.none = a.none || empty && err == nil
}

// add adds a lesson with fields of any type, if it has content.
func (a *answer) add(f map[string]json.RawMessage) {
	get := func(names ...string) (s string) {
		for _, n := range names {
			s = cmp.Or(s, strings.TrimSpace(text1(f[n])))
		}
		return s
	}
	p := proposal{
		content: get("content", "lesson", "text"), why: get("why", "insight", "reason"), example: get("example"),
		quote: get("quote", "evidence"), handle: get("handle"), category: get("category", "type"), supersedes: get("supersedes"),
		global: strings.EqualFold(get("scope"), "global"), tags: texts(f["tags"]), triggers: texts(f["triggers"]),
		level: levelOf(get("confidence", "level")),
	}
	if p.content != "" {
		a.items = append(a.items, p)
	}
}

// text1 returns a value as text: a string, a number, or the first element of a list.
func text1(v json.RawMessage) string {
	var value any
	if len(v) == 0 || json.Unmarshal(v, &value) != nil {
		return ""
	}
	if list, ok := value.([]any); ok && len(list) > 0 {
		value = list[0]
	}
	switch value.(type) {
	case string, float64:
		return fmt.Sprint(value)
	}
	return ""
}

// texts returns a value as a list of words: a list of strings, or a string with commas.
func texts(v json.RawMessage) (out []string) {
	var list []any
	if json.Unmarshal(v, &list) != nil {
		for w := range strings.SplitSeq(text1(v), ",") {
			list = append(list, w)
		}
	}
	for _, x := range list {
		if s, ok := x.(string); ok && strings.TrimSpace(s) != "" {
			out = append(out, strings.TrimSpace(s))
		}
	}
	return out
}
