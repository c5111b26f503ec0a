package model

import (
	"context"
	_ "embed"
	"encoding/json"
	"slices"
	"strings"

	"learnings/lessons"
	"learnings/lessons/match"
)

//go:embed summary.md
var summarySystem string

var summarySchema = json.RawMessage(strings.Replace(string(mergeSchema), `"MERGE"`, `"SUMMARY"`, 1))

// TextOf is [Summarize] or [Proposer.MergeText].
func TextOf(ctx context.Context, p *Proposer, ls []lessons.Lesson, summary bool) (MergedText, error) {
	if summary {
		return Summarize(ctx, p, ls)
	}
	return p.MergeText(ctx, ls)
}

// Summarize asks for one sentence that could stand for 2 to [MostMerged] lessons of one
// subject. What it says is held against them as [Proposer.MergeText] does it; of the words
// that none of them has, those that are no literals are listed in Foreign beside the
// wording, to be shown. Errors are those of [Proposer.Propose].
func Summarize(ctx context.Context, p *Proposer, ls []lessons.Lesson) (MergedText, error) {
	u, err := oneText(ctx, p, ls, summarySystem, summarySchema, "a summary of ")
	if u.Wording.Content != "" {
		u.Foreign = added(p, u.Wording, ls)
	}
	return u, err
}

// added are the words of a wording that tell something and that no lesson has.
func added(p *Proposer, w lessons.Wording, ls []lessons.Lesson) (out []string) {
	var said strings.Builder
	for _, l := range ls {
		for _, part := range p.parts(l) {
			said.WriteString(part.Text + "\n")
		}
	}
	known := match.Keywords(said.String())
	for _, word := range strings.Fields(w.Content + "\n" + w.Insight) {
		word = strings.Trim(word, ".,;:!?()\"'`")
		keys := match.Keywords(word)
		if len(keys) == 0 || match.Common(keys[0]) || slices.Contains(out, word) {
			continue
		}
		if !slices.ContainsFunc(keys, func(k string) bool { return slices.Contains(known, k) }) {
			out = append(out, word)
		}
	}
	return out
}
