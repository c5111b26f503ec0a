package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// A way of working that a person praised may be worth keeping, as in "For 'fix the
// test': ran vitest, read the error, edited user.ts, then ran vitest." It seldom is: of
// 2,091 labelled turns 3 are praise, and none of them teaches. So it is proposed only
// if its steps are few and plain, and as [lessons.Maybe].

const (
	sureOfPraise          = 0.5
	leastSteps, mostSteps = 3, 6
	leastTask, mostTask   = 2, 12 // words of a request that can serve as a name
)

// successes proposes what the agent did between a request and the praise for it.
func successes(s transcript.Session, turns []transcript.Turn, ms []moment) []lessons.Lesson {
	var out []lessons.Lesson
	for i := 1; i < len(ms); i++ {
		m, asked := &ms[i], &ms[i-1]
		if !m.onlyPraises() {
			continue
		}
		task, steps := asked.task(), stepsOf(turns[asked.at+1:m.at])
		if task == "" || steps == nil {
			continue
		}
		t := &turns[m.at]
		last := len(steps) - 1
		content := fmt.Sprintf("For '%s': %s, then %s.", task, strings.Join(steps[:last], ", "), steps[last])
		names, from := scene{dir: s.Dir, found: map[string]*show{}}, max(0, m.at-showsBefore)
		names.agents(turns, m.at, from)
		out = append(out, finish(s, t, lessons.Lesson{
			Lane: lessons.Maybe, Category: "pattern", Confidence: sureOfPraise, Wording: lessons.Wording{Content: content},
			Triggers: names.best(content, nearFragment, turns[from:min(len(turns), m.at+showsAfter)]),
			Evidence: []lessons.Evidence{evidence(s, turns, m.at, lessons.ByPerson, m.kind.From(), m.all[0].text)},
		}, "praised what was done in several steps", words(task)))
	}
	return out
}

// onlyPraises reports that a turn is nothing but praise, perhaps with thanks.
func (m *moment) onlyPraises() bool {
	var all []string
	for i := range m.all {
		if m.all[i].asks() {
			return false
		}
		for _, w := range m.all[i].words {
			if len(w) > 1 { // neither punctuation nor "I", which the list lacks as well
				all = append(all, w)
			}
		}
	}
	text := strings.TrimPrefix(strings.TrimPrefix(strings.Join(all, " "), "ok "), "yes ")
	return slices.ContainsFunc(praises(), func(p string) bool {
		rest, ok := strings.CutPrefix(text, p)
		return ok && (rest == "" || rest == " thanks" || rest == " thank you" || slices.Contains(praises(), strings.TrimPrefix(rest, " ")))
	})
}

// task is a request in its own words if it is short enough to serve as a name, or "".
func (m *moment) task() string {
	if len(m.all) == 0 || len(m.all) > 2 {
		return ""
	}
	task := strings.TrimRight(unadorned(m.all[0].text), ".!")
	if n := len(words(task)); n < leastTask || n > mostTask || strings.HasSuffix(task, "?") {
		return ""
	}
	return strings.ReplaceAll(task, "'", "’")
}

// stepsOf describes what an agent did, equal steps in a row once. It is nil if the steps
// are too few or too many, edit nothing, or end in a failure.
func stepsOf(turns []transcript.Turn) []string {
	var steps []string
	edited, failed := false, false
	for i := range turns {
		t := &turns[i]
		switch {
		case t.Sidechain || t.Tool == nil:
		case t.Kind == transcript.Result && t.Tool.Command != "":
			if failed = t.Failed; failed {
				steps = append(steps, "read the error")
			}
		case t.Kind != transcript.Call:
		case Edits(t.Tool):
			edited = true
			steps = append(steps, "edited "+fileOf(t.Tool))
		case Reads(t.Tool):
			steps = append(steps, "read "+fileOf(t.Tool))
		case t.Tool.Command != "":
			steps = append(steps, "ran "+Doing(t.Tool))
		}
	}
	if steps = slices.Compact(steps); !edited || failed || len(steps) < leastSteps || len(steps) > mostSteps {
		return nil
	}
	return steps
}

// fileOf names the file of a call.
func fileOf(c *transcript.ToolCall) string {
	if c.Path == "" {
		return "a file"
	}
	return path.Base(strings.ReplaceAll(c.Path, `\`, "/"))
}
