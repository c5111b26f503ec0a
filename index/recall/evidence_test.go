package recall_test

import (
	"fmt"
	"strings"
	"testing"

	"learnings/index"
	"learnings/index/recall"
	"learnings/lessons"
)

// incidents is an index of rules on functions, as reviews decide them.
func incidents(t *testing.T) *index.Index {
	t.Helper()
	var all []lessons.Lesson
	for i, text := range []string{
		"downtime_minutes (report/outage.py): merge overlapping windows before they are added up",
		"slugify (boltons/strutils.py): an ampersand becomes the word and",
		"parse_header (net/http1.py): names are compared without their case",
		"retry_after (net/client.py): a date in the past counts as zero seconds",
		"Invoices are numbered by year and never renumbered",
		"Commit messages follow Conventional Commits",
		"Run make generate after editing a proto file",
		"Ask before you delete a branch of somebody else",
		"The staging cluster is restored every night from the last backup",
		"Write table tests for the parser",
	} {
		all = append(all, lesson(fmt.Sprintf("l%d", i), text))
	}
	return indexed(t, all)
}

func brings(t *testing.T, x *index.Index, prompt string) []recall.Choice {
	t.Helper()
	var cs recall.Picker = func(s recall.Situation, b recall.Budget, _ bool) ([]recall.Choice, error) {
		return recall.Pick(t.Context(), x, nil, s, b)
	}
	choices, err := cs.About(recall.Situation{Project: "octofs", Now: now}, prompt, nil, 5)
	if err != nil {
		t.Fatal(err)
	}
	return choices
}

// A lesson is found anywhere in a prompt, with any amount of text around its subject.
func TestEvidenceAnywhere(t *testing.T) {
	x := incidents(t)
	talk := strings.Repeat("Yesterday the team looked at the dashboard together. Most of the numbers were as usual, and some were not. Nobody could say why that was so. ", 6)
	var logs strings.Builder
	for i := range 20 {
		fmt.Fprintf(&logs, "2026-11-19T08:%02d:11Z INFO worker-%d handled request %04x in %d ms\n", i, i%4, i*7919, 20+i)
	}
	for name, prompt := range map[string]string{
		"alone":             "downtime_minutes returns too much",
		"in the last of 25": talk + "Please look at downtime_minutes, it counts two windows twice.",
		"in the first":      "Please look at downtime_minutes, it counts two windows twice. " + talk,
		"behind a log":      logs.String() + "\nWhy does downtime_minutes count overlapping windows twice?",
		"before a log":      "Why does downtime_minutes count overlapping windows twice?\n\n" + logs.String(),
	} {
		if got := brings(t, x, prompt); ids(got) != "l0" {
			t.Errorf("%s: given %q", name, ids(got))
		} else if w := got[0].Why; !strings.HasPrefix(w, "names `downtime_minutes`, which no other lesson names; ") || !got[0].Evidence.Enough() {
			t.Errorf("%s: because %q", name, w)
		}
	}
	for name, prompt := range map[string]string{
		"talk": talk, "a log": logs.String(), "another function": "uptime_seconds returns too little",
		"one word":    "The report of last week has a wrong title, please correct it before noon.",
		"usual words": "Please write a short function that takes a file and returns its lines in reverse order.",
	} {
		if got := brings(t, x, prompt); len(recall.IDs(got)) != 0 {
			t.Errorf("%s: given %q because %q", name, ids(got), got[0].Why)
		}
	}
}

// The more is said, and the more lessons there are, the more has to be shared.
func TestEvidenceFollowsTheSize(t *testing.T) {
	x := incidents(t)
	find := func(x *index.Index, prompt string) recall.Evidence {
		t.Helper()
		for _, c := range brings(t, x, prompt) {
			if c.Lesson.ID == "l8" {
				return c.Evidence
			}
		}
		t.Fatalf("%q does not find it", prompt)
		return recall.Evidence{}
	}
	short := find(x, "restore the staging cluster from a backup")
	long := find(x, "restore the staging cluster from a backup, and while that runs have a look at whether somebody has left a note on the page of the team that says when they want to talk with us about what comes next in the new year")
	if short.Nats <= long.Nats || long.Nats <= 0 || short.Words[0] != "restore" && short.Words[0] != "staging" {
		t.Errorf("of a short prompt %+v, of a long one %+v", short, long)
	}
	var all []lessons.Lesson
	for i := range 400 {
		all = append(all, lesson(fmt.Sprintf("m%d", i), fmt.Sprintf("Never let node%03d see view%03d", i, i)))
	}
	all = append(all, lesson("l8", "The staging cluster is restored every night from the last backup"))
	if many := find(indexed(t, all), "restore the staging cluster from a backup"); many.Needs <= short.Needs {
		t.Errorf("of 401 lessons one needs %.1f, of ten %.1f", many.Needs, short.Needs)
	}
}
