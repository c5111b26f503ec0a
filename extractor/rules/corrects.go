package rules

import (
	"slices"
	"strings"

	"learnings/extractor/transcript"
)

const (
	correctsIn   = 2  // of the first sentences of a turn: what comes later is another subject
	correctsMost = 60 // words; who writes more gives a task
)

// correcting are the signs of a sentence that speaks against what the agent did.
var correcting = []string{"wrong", "instead", "forbids", "unwanted"}

var soothing = wordSet("soothing")

// Corrects reports whether a turn of a person speaks against what the agent has just
// done: a call refused with words, or a short message that says so. It is a count for
// many sessions, quick and not exact; what is proposed is judged by more. Before the
// agent has done anything there is nothing to correct, and the caller knows that.
func Corrects(t *transcript.Turn) bool {
	switch {
	case t.Speaker != transcript.Person || t.Sidechain || t.Scripted:
		return false
	case t.Kind == transcript.Rejection:
		return t.Text != ""
	case t.Kind != transcript.Message && t.Kind != transcript.Steering:
		return false
	}
	if len(t.Text) > 10*correctsMost {
		return false
	}
	text, pasted := cleaned(t.Text)
	all := sentences(text)
	n := 0
	for i := range all {
		n += len(all[i].words)
	}
	if pasted || n > correctsMost {
		return false
	}
	for i := range all[:min(len(all), correctsIn)] {
		s := &all[i]
		if strings.HasSuffix(s.text, "?") || strings.HasSuffix(s.text, "？") || len(s.words) > 1 && s.words[0] == "no" && soothing()[s.words[1]] {
			continue
		}
		if slices.ContainsFunc(s.signs, func(k int) bool { return slices.Contains(correcting, signs()[k].name) }) {
			return true
		}
		if slices.ContainsFunc(foreignForms(s), func(name string) bool { return name == "again" || name == "wrong" || name == "instead" }) {
			return true
		}
	}
	return false
}
