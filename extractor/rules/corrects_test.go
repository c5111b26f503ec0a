package rules

import (
	"strings"
	"testing"

	"learnings/extractor/transcript"
)

func TestCorrects(t *testing.T) {
	for text, want := range map[string]bool{
		"No, that's wrong.":                         true,
		"No. Use pnpm instead of npm.":              true,
		"don't touch the generated files":           true,
		"you forgot the tests":                      true,
		"I told you to use tabs":                    true,
		"Nein, das stimmt nicht. Nimm die alte API": true,
		"no problem, go on":                         false,
		"Please add a test for the empty basket.":   false,
		"Is that wrong?":                            false,
		"great, thanks":                             false,
		"":                                          false,
		"Read the design and build all of it. " + strings.Repeat("Each part has a file of its own. ", 12) + "Don't forget the docs.": false,
	} {
		if got := Corrects(&transcript.Turn{Speaker: transcript.Person, Kind: transcript.Message, Text: text}); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
	for _, turn := range []transcript.Turn{
		{Speaker: transcript.Agent, Kind: transcript.Message, Text: "No, that's wrong."},
		{Speaker: transcript.Person, Kind: transcript.Rejection},
		{Speaker: transcript.Person, Kind: transcript.Shell, Text: "no"},
		{Speaker: transcript.Person, Kind: transcript.Message, Text: "No, that's wrong.", Scripted: true},
	} {
		if Corrects(&turn) {
			t.Errorf("%+v corrects", turn)
		}
	}
	if !Corrects(&transcript.Turn{Speaker: transcript.Person, Kind: transcript.Rejection, Text: "later"}) {
		t.Error("a call that is refused with words is not corrected")
	}
}
