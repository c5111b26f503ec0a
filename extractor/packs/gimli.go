package packs

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// The expressions of Gimli's documents, in their order. The first of a list that
// matches counts.
var (
	corrections = []func() *regexp.Regexp{
		ignoringCase(`(?:actually|no,?\s*)?i\s*(?:meant|want(?:ed)?|need(?:ed)?)\s+(.+)`),
		ignoringCase(`(?:that's\s*)?not\s*(?:what\s*i\s*(?:meant|wanted|asked))`),
		ignoringCase(`(?:please\s*)?(?:don't|do\s*not)\s+(.+)`),
	}
	wishes = []func() *regexp.Regexp{
		ignoringCase(`i\s*(?:prefer|like|want)\s+(.+)`),
		ignoringCase(`(?:always|usually)\s+(?:use|do|want)\s+(.+)`),
		ignoringCase(`(?:never|don't\s*ever)\s+(.+)`),
	}
	successes = []func() *regexp.Regexp{
		ignoringCase(`perfect!?`),
		ignoringCase(`exactly\s*(?:what\s*i\s*(?:wanted|needed))?`),
		ignoringCase(`great!?\s*(?:job|work)?`),
		ignoringCase(`that'?s?\s*(?:it|right|correct)`),
	}
	emphatic = ignoringCase(`\b(always|never|must|important)\b`)
)

// Limits that its documents name.
const (
	leastMessage = 10  // units of a message
	mostOfTurn   = 3   // lessons
	mostContent  = 150 // units of a lesson
)

// A Match is what one expression found: the whole, and its group where it has one that
// took part.
type Match struct {
	Match string  `json:"match"`
	Group *string `json:"group1"`
	at    int
}

// matches gives what each expression of a list finds in a message; nil for nothing.
func matches(list []func() *regexp.Regexp, message string) []*Match {
	out := make([]*Match, len(list))
	for i, re := range list {
		m := re().FindStringSubmatchIndex(message)
		if m == nil {
			continue
		}
		out[i] = &Match{Match: message[m[0]:m[1]], at: m[0]}
		if len(m) > 2 && m[2] >= 0 {
			g := message[m[2]:m[3]]
			out[i].Group = &g
		}
	}
	return out
}

// first is the first that found something, and its number from 1.
func first(ms []*Match) (*Match, int) {
	i := slices.IndexFunc(ms, func(m *Match) bool { return m != nil })
	if i < 0 {
		return nil, 0
	}
	return ms[i], i + 1
}

// gimli proposes by the expressions of its documents.
func gimli(r *reading) {
	for k, i := range r.said {
		text := r.turns[i].Text
		if units(text) < leastMessage {
			continue
		}
		n := 0
		propose := func(p proposal) {
			if n < mostOfTurn && r.propose(p) {
				n++
			}
		}
		if m, no := first(matches(corrections, text)); m != nil {
			propose(said(i, text, m, "correction", lessons.High, fmt.Sprintf("correction %d", no)))
		}
		if m, no := first(matches(wishes, text)); m != nil {
			word := lessons.Medium
			if emphatic().MatchString(text) {
				word = lessons.High
			}
			propose(said(i, text, m, "preference", word, fmt.Sprintf("preference %d", no)))
		}
		if m, no := first(matches(successes, text)); m != nil && k > 0 {
			if what := way(r, r.said[k-1], i); what != "" {
				propose(proposal{
					category: "pattern", content: what, confidence: confidence(lessons.Medium), rule: fmt.Sprintf("success %d, praised", no),
					at: []int{i}, quotes: []string{lineAround(text, m.at)},
				})
			}
		}
	}
}

// said is what a person said, as a proposal: what an expression matched, or the line
// where it took nothing out of it.
func said(at int, text string, m *Match, category lessons.Category, word, rule string) proposal {
	line := lineAround(text, m.at)
	content := m.Match
	if m.Group == nil {
		content = line
	}
	if units(content) > mostContent {
		content = trim(slice(content, mostContent-1)) + "…"
	}
	return proposal{category: category, content: content, confidence: confidence(word), rule: rule, at: []int{at}, quotes: []string{line}}
}

const (
	mostTask  = 60 // units of what was asked for
	mostSteps = 6
)

// way tells what an agent did between a request and the praise for it; "" for nothing.
func way(r *reading, request, praise int) string {
	var steps []string
	for _, t := range r.turns[request+1 : praise] {
		if t.Sidechain || t.Kind != transcript.Call || t.Tool == nil {
			continue
		}
		step, file := "", path.Base(strings.ReplaceAll(t.Tool.Path, `\`, "/"))
		switch c := t.Tool; {
		case strings.TrimSpace(c.Command) != "":
			words := strings.Fields(cutBytes(c.Command, mostQuote))
			step = "ran " + path.Base(words[0])
		case c.Path != "" && (c.Old != "" || c.New != ""):
			step = "edited " + file
		case c.Path != "":
			step = "read " + file
		default:
			continue
		}
		if !slices.Contains(steps, step) {
			steps = append(steps, step)
		}
	}
	task := strings.Join(strings.Fields(r.turns[request].Text), " ")
	if len(steps) == 0 || len(steps) > mostSteps || task == "" {
		return ""
	}
	if units(task) > mostTask {
		task = slice(task, mostTask-1) + "…"
	}
	return fmt.Sprintf("For %q: %s", task, strings.Join(steps, ", "))
}

// The expressions of Gimli's public code.
var (
	publicWish       = ignoringCase(`\b(prefer|like|want|always|never)\b`)
	publicCorrection = ignoringCase(`\b(no|wrong|incorrect|actually|instead)\b`)
)

// Limits of its public code.
const (
	leastPublic   = 20  // units of a message
	mostPublic    = 200 // units of a lesson
	mostOfSession = 50  // messages of which something is kept
)

// A Learning is what Gimli's public code keeps of a message.
type Learning struct {
	Content    string `json:"content"`
	Category   string `json:"category"`
	Confidence string `json:"confidence"`
	Source     string `json:"source"`
}

// fromMessage gives what Gimli's public code keeps of a message.
func fromMessage(message string) []Learning {
	var out []Learning
	content := slice(message, mostPublic)
	if publicWish().MatchString(message) {
		out = append(out, Learning{content, "preference", lessons.Medium, "user_message"})
	}
	if publicCorrection().MatchString(message) {
		out = append(out, Learning{content, "correction", lessons.High, "user_message"})
	}
	return out
}

// public proposes by the two expressions of its public code.
func public(r *reading) {
	kept := 0
	for _, i := range r.said {
		text := r.turns[i].Text
		if units(text) < leastPublic || kept >= mostOfSession {
			continue
		}
		ls := fromMessage(text)
		for _, l := range ls {
			r.propose(proposal{category: lessons.Category(l.Category), content: l.Content, confidence: confidence(l.Confidence), rule: l.Category, at: []int{i}, quotes: []string{trim(cutBytes(text, mostQuote))}})
		}
		if len(ls) > 0 {
			kept++
		}
	}
}
