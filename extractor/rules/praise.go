package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// A way of working that a person praised may be worth keeping: "For 'fix the
// test': ran vitest, read the error, edited user.ts, then ran vitest". It seldom
// is: of 2,091 labelled turns 3 are praise, and none of them teaches. So it is
// proposed only if its steps are few and plain, and as [lessons.Maybe].

const (
	sureOfPraise = 0.5
	leastSteps   = 3
	mostSteps    = 6
	longPraise   = 8 // words; longer turns say something else as well
)

var praises = []string{
	"perfect", "great", "awesome", "excellent", "excellent work", "nice", "nice work", "great work", "good job", "great job", "well done", "works", "it works", "works now", "it works now", "that works", "works perfectly",
	"works great", "love it", "exactly", "exactly what wanted", "exactly what needed", "that's it", "thats it", "that's right", "thats right",
	"that's correct", "thats correct", "great work on that", // words of one letter are left out
	"looks great", "looks perfect", "amazing", "fantastic", "brilliant", "thanks that works", "that did it", "that fixed it",
}

// praised reports whether a turn is nothing but clear praise.
func praised(m *moment) bool {
	var w []string
	for i := range m.all {
		if strings.HasSuffix(m.all[i].text, "?") {
			return false
		}
		for _, x := range m.all[i].words {
			if len(x) > 1 {
				w = append(w, x)
			}
		}
	}
	if len(w) == 0 || len(w) > longPraise || m.first || slices.Contains(w, "but") || slices.Contains(w, "now") && !slices.Contains(w, "works") {
		return false
	}
	text := strings.TrimPrefix(strings.TrimPrefix(strings.Join(w, " "), "ok "), "yes ")
	return slices.ContainsFunc(praises, func(p string) bool {
		rest, ok := strings.CutPrefix(text, p)
		return ok && (rest == "" || rest == " thanks" || rest == " thank you" || slices.Contains(praises, strings.TrimSpace(rest)))
	})
}

// successes proposes what the agent did between a request and the praise for it,
// if it took several steps and the last one did not fail.
func successes(s transcript.Session, turns []transcript.Turn, ms []moment) []lessons.Lesson {
	var out []lessons.Lesson
	for i := 1; i < len(ms); i++ {
		if !praised(&ms[i]) {
			continue
		}
		task := taskOf(&ms[i-1])
		steps, ok := stepsOf(turns[ms[i-1].at+1 : ms[i].at])
		if task == "" || !ok {
			continue
		}
		t := &turns[ms[i].at]
		said := sentence{text: task, words: words(task)}
		content := fmt.Sprintf("For '%s': %s, then %s.", task, strings.Join(steps[:len(steps)-1], ", "), steps[len(steps)-1])
		out = append(out, finish(s, lessons.Lesson{
			Status: lessons.Pending, Category: "pattern", Wording: lessons.Wording{Content: content},
			Tags: tags(&said), Triggers: showsOf(s, turns, ms[i].at, content), Scope: lessons.Scope{Role: s.Role},
			Confidence: sureOfPraise, Created: t.At,
			Origin: lessons.Origin{Source: sessionOf(s, t), Extractor: Name, Rule: "praised what was done in several steps"},
			Evidence: []lessons.Evidence{{
				Agent: string(s.Agent), Session: sessionOf(s, t), UUID: t.UUID, Line: t.Line, By: lessons.ByPerson, From: t.Kind.From(),
				At: t.At, Quote: head(ms[i].all[0].text, maxQuote), Before: transcript.Around(turns, ms[i].at, -1, nil), After: transcript.Around(turns, ms[i].at, +1, nil),
			}},
		}))
	}
	return out
}

// taskOf returns a request in its own words if it is short enough to serve as a
// name, "" otherwise.
func taskOf(m *moment) string {
	if len(m.all) == 0 || len(m.all) > 2 {
		return ""
	}
	task := strings.TrimRight(unadorned(m.all[0].text), ".!")
	if n := len(words(task)); n < 2 || n > 12 || strings.HasSuffix(task, "?") {
		return ""
	}
	return strings.ReplaceAll(task, "'", "’")
}

// stepsOf describes the steps of an agent, equal ones in a row once; false if they
// are too few or too many, edit nothing, or end in a failure.
func stepsOf(turns []transcript.Turn) ([]string, bool) {
	var steps []string
	add := func(step string) {
		if len(steps) == 0 || steps[len(steps)-1] != step {
			steps = append(steps, step)
		}
	}
	edited, failed := false, false
	for i := range turns {
		t := &turns[i]
		switch {
		case t.Sidechain || t.Tool == nil:
		case t.Kind == transcript.Result && t.Tool.Command != "":
			if failed = t.Failed; failed {
				add("read the error")
			}
		case t.Kind != transcript.Call:
		case changes(t.Tool):
			edited = true
			add("edited " + fileOf(t.Tool))
		case reads(t.Tool):
			add("read " + fileOf(t.Tool))
		case t.Tool.Command != "":
			command := strings.Fields(head(t.Tool.Command, 400))
			add("ran " + strings.TrimSpace(path.Base(program(command))+" "+subcommand(command)))
		}
	}
	if !edited || failed || len(steps) < leastSteps || len(steps) > mostSteps {
		return nil, false
	}
	return steps, true
}

func fileOf(c *transcript.ToolCall) string {
	if c.Path == "" {
		return "a file"
	}
	return path.Base(strings.ReplaceAll(c.Path, `\`, "/"))
}
