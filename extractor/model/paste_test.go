package model

import (
	"strings"
	"testing"

	"learnings/extractor/transcript"
)

func TestTyped(t *testing.T) {
	log := "12:00:01 GET /v1/x 200 12ms, from the pool of workers that the service has\n"
	for name, c := range map[string]struct {
		said       []string
		keep, gone []string
	}{
		"a log": {
			[]string{"it fails:\n" + strings.Repeat(log, 20) + "Error: cannot reach the pool\n" + strings.Repeat(log, 20) + "always restart the worker first"},
			[]string{"it fails:", "12:00:01", "cannot reach the pool", "always restart the worker first", "characters left out"}, []string{strings.Repeat(log, 3)},
		},
		"a rule between logs": {
			[]string{strings.Repeat(log, 8) + "never use kill for that\n" + strings.Repeat(log, 8)},
			[]string{"never use kill for that"}, nil,
		},
		"a warning of React": {
			[]string{"why?\nWarning: Each child in a list should have a unique key\n    at Row (http://localhost/Row.jsx:12:3)\n    at tbody\n    at Table (http://localhost/Table.jsx:40:7)\n    at App (http://localhost/App.jsx:1:1)\n    at main"},
			[]string{"why?", "Each child"}, []string{"Table.jsx"},
		},
		"a short example": {
			[]string{"use this:\n```\nmake x\n```\nfor all"},
			[]string{"make x", "for all"}, []string{"left out"},
		},
		"a list of rules": {
			[]string{"Rules:\n- run the tests\n- write small commits\n- say what was not done\n- ask before you push\n- no new dependencies\n- keep the changelog"},
			[]string{"- no new dependencies", "- keep the changelog"}, []string{"left out"},
		},
		"a prompt that comes again": {
			[]string{"Coordinate the workers and write no code of the features yourself.\nKeep the tracker and the pull requests in step with one another.", "Coordinate the workers and write no code of the features yourself.\nKeep the tracker and the pull requests in step with one another.\nToday: the release."},
			[]string{"Today: the release."}, []string{"Coordinate"},
		},
		"a review": {
			[]string{"pr feedback:\n" + strings.Repeat("The handler should check what it gets, and the caller should be told.\nOne could use a map there, which is simpler to read.\n", 12) + "do the first one"},
			[]string{"pr feedback:", "do the first one"}, []string{"a map there, which is simpler to read.\nThe handler"},
		},
	} {
		y, got := typist{}, ""
		for _, s := range c.said {
			got = y.typed(s)
		}
		for _, w := range c.keep {
			if !strings.Contains(got, w) {
				t.Errorf("%s: %q is gone from %q", name, w, got)
			}
		}
		for _, w := range c.gone {
			if strings.Contains(got, w) {
				t.Errorf("%s: %q is in %q", name, w, got)
			}
		}
	}
}

// What a program says "should" be is no sign of a person's rule.
func TestPastedWordsCountForNothing(t *testing.T) {
	for text, want := range map[string]int{
		"look\nWarning: Each child in a list should have a unique key": valuePlain,
		"look\nEach helper should have a test":                         valueStrong,
	} {
		d := digestOf(transcript.Turn{Speaker: transcript.Person, Kind: transcript.Message, Text: text})
		if ps := d.gather(nil); len(ps) != 1 || ps[0].value != want {
			t.Errorf("%q: value %d, want %d", text, ps[0].value, want)
		}
	}
}
