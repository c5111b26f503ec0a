package model

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"learnings/extractor"
	"learnings/extractor/model/llm"
	"learnings/extractor/transcript"
	"learnings/lessons"
)

// A model is told what the session restates, however old it is, and in the prompts of
// later calls what this run has found.
func TestToldWhatIsNearAndFound(t *testing.T) {
	var all []lessons.Lesson
	for i := range 60 {
		all = append(all, lessons.Lesson{ID: lessons.ID(fmt.Sprintf("l%d", i)), Status: lessons.Approved, Wording: lessons.Wording{Content: fmt.Sprintf("The module number %d has an owner, who reviews each change of it.", i)}})
	}
	all[57].Content = "Deploys of the staging cluster go through the button of the release board."
	all[59].Content = "Migrations are squashed on the first day of a quarter."
	dir, keep := t.TempDir(), newCorpus(t)
	var files []transcript.File
	for i := range 2 * atOnce { // each too long to share a call
		files = append(files, session(t, dir, fmt.Sprintf("s%d", i), fmt.Sprintf("always test%d", i), strings.Repeat("we should squash the migrations before we deploy to staging, should we not? ", 20)))
	}
	var sent []string
	p := proposer(t, asks(func(r llm.Request) (llm.Response, error) {
		sent = append(sent, r.User)
		return obedient(r)
	}), func(c *Config, o *Options) {
		c.Budget = minBudget
		o.Known = func(context.Context, transcript.Session) (Known, error) {
			return Known{Project: "shop", Lessons: all}, nil
		}
	})
	for i := range files {
		if err := p.Extract(t.Context(), files[i:i+1], keep.marks, extractor.Options{}, keep.take); err != nil {
			t.Fatal(err)
		}
	}
	for i, text := range sent {
		known, _, _ := strings.Cut(text, "</learnings-known>")
		for _, want := range []string{all[57].Content, all[59].Content} {
			if !strings.Contains(known, want) {
				t.Errorf("call %d is not told %q", i, want)
			}
		}
		if n := strings.Count(known, "One should always test"); n != i {
			t.Errorf("call %d is told %d lessons of this run, want %d", i, n, i)
		}
		if n := strings.Count(known, "The module number"); n > farMost {
			t.Errorf("call %d is told %d lessons that have nothing to do with it", i, n)
		}
	}
}
