package model

import (
	"strings"
	"testing"

	"learnings/extractor/transcript"
)

func TestQuotesAreFoundNearly(t *testing.T) {
	turns := []transcript.Turn{
		{Line: 1, Speaker: transcript.Person, Kind: transcript.Message, Text: "ok so we should alwyas run  the Linter, and then push — never to main without asking me first!"},
		{Line: 2, Speaker: transcript.Person, Kind: transcript.Message, Text: "Use spaces."},
	}
	d := digestOf(turns...)
	for _, c := range []struct{ handle, quote, want string }{
		{"M1", "we should always run the linter and then push", "we should alwyas run  the Linter, and then push"}, // sign, case, typo
		{"M1", "Push: NEVER to main without asking me first.", "push — never to main without asking me first"},
		{"M1", "we should alwyas run the linter then push", "we should alwyas run  the Linter, and then push"},
		{"M1", "Never to main, without asking", "never to main without asking"},
		{"M1", "to main without asking me first please now thanks", ""},
		{"M1", "and then push to main without asking me first", ""},     // denies less
		{"M1", "we should not always run the linter and then push", ""}, // denies more
		{"M2", "we should always run the linter and then push", ""},     // of another entry
		{"M1", "run the tests", ""},        // too short to be wrong in a word
		{"M2", "use spaces", "Use spaces"}, // short, and all of it is there
		{"M9", "never to main without asking me first", "never to main without asking me first"},
		{"M1", "", ""},
	} {
		at, why := d.locate(c.handle, c.quote)
		if at.quote != c.want || (why == "") != (c.want != "") {
			t.Errorf("%s %q: %q, %s; want %q", c.handle, c.quote, at.quote, why, c.want)
		}
	}
}

// Whatever is quoted, what is kept stands in the turn.
func FuzzNearly(f *testing.F) {
	f.Add("never push to main", "Never, push to main")
	f.Add("a b c d e f g", "a b x d e f g")
	f.Fuzz(func(t *testing.T, text, quote string) {
		d := digestOf(transcript.Turn{Speaker: transcript.Person, Kind: transcript.Message, Text: text})
		if at, ok := d.nearly(0, quote); ok && (!strings.Contains(d.readable(0), at.quote) || at.quote == "") {
			t.Fatalf("%q is not in %q", at.quote, text)
		}
	})
}
