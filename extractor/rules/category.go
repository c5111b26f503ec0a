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
	f := featureList(append(m.sentenceFeatures(i, nil), m.follows()...))
	f = append(f, "bias", "kind "+string(m.kind))
	f.is("agent stopped", m.interrupted)
	f.is("agent silent", m.first)
	f.is("agent working", m.agentWorked())
	f.is("said again", m.again)
	f.is("denied", m.conceded() && (s.has("denies") || s.has("meant")))
	count := func(name string, of map[string]bool) {
		n := 0
		for _, w := range s.words {
			if of[w] {
				n++
			}
		}
		f.is(name+" "+step(n, 0, 1), true)
	}
	count("flow", workflowWords())
	count("tool", toolWords())
	count("taste", tasteWords())
	count("code", codeWords())
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
