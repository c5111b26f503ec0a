package rules

import (
	"math"
	"slices"

	"learnings/lessons"
)

var (
	workflowWords = wordSet("flow")
	toolWords     = wordSet("tool")
	tasteWords    = wordSet("taste")
)

// shelfFeatures is what the category of a sentence is judged by: its own
// features, how the moment went, and of how many things of each kind it speaks.
func (m *moment) shelfFeatures(i int) []string {
	s := &m.all[i]
	f := append(m.sentenceFeatures(i, nil), m.follows()...)
	f = append(f, "bias", "kind "+string(m.kind))
	for _, c := range []struct {
		name string
		is   bool
	}{{"agent stopped", m.interrupted}, {"agent silent", m.first}, {"agent working", !m.first && m.before == ""}, {"said again", m.again}, {"denied", m.conceded() && (s.has("denies") || s.has("meant"))}} {
		if c.is {
			f = append(f, c.name)
		}
	}
	for _, k := range []struct {
		name  string
		words map[string]bool
	}{{"flow", workflowWords()}, {"tool", toolWords()}, {"taste", tasteWords()}, {"code", codeWords()}} {
		n := 0
		for _, w := range s.words {
			if k.words[w] {
				n++
			}
		}
		f = append(f, k.name+" "+step(n, 0, 1))
	}
	return f
}

var codeWords = wordSet("code")

var programs = wordSet("programs")

// shelves are the categories that the rules sort into, in the order in which
// equals are decided.
var shelves = []lessons.Category{"correction", "architecture", "preference", "workflow", "tool-usage"}

// category sorts a sentence of a moment onto a shelf: a guess that a reviewer
// may change. Of the labelled turns, on projects left out, it agrees with 42 in
// 100; what a reader calls a correction is half a matter of taste. Labels of
// tool-usage are too few to learn from, so that what tool to use is a rule.
func (m *model) category(mo *moment, s *sentence) lessons.Category {
	if slices.ContainsFunc(s.words, func(w string) bool { return programs()[w] }) && (opposes(s.words) || slices.Contains(s.words, "use") || slices.Contains(s.words, "only")) {
		return "tool-usage"
	}
	return m.shelve(mo.shelfFeatures(mo.indexOf(s)))
}

func (m *model) shelve(features []string) lessons.Category {
	best, most := shelves[0], math.Inf(-1)
	for _, c := range shelves {
		if x := m.shelves[c].score(features); x > most {
			best, most = c, x
		}
	}
	return best
}
