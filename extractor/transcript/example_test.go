package transcript_test

import (
	"fmt"
	"log"
	"strings"

	"learnings/extractor/transcript"
)

// A session is read turn by turn. What it tells of itself is known behind that.
func ExampleReader() {
	const session = `{"type":"user","userType":"external","uuid":"u1","sessionId":"s1","cwd":"/src/octofs","version":"2.1.0","timestamp":"2026-04-05T14:00:00Z","message":{"role":"user","content":"run the tests"}}
{"type":"assistant","uuid":"u2","sessionId":"s1","cwd":"/src/octofs","timestamp":"2026-04-05T14:00:09Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"go test ./..."}}]}}
`
	r := transcript.NewReader(strings.NewReader(session), transcript.ClaudeCode, transcript.Options{})
	for turn, err := range r.Turns() {
		if err != nil {
			log.Fatal(err) // a *transcript.LineError is one bad line: reading goes on behind it
		}
		fmt.Println(turn.Line, turn.Speaker, turn.Kind, "|", turn.Brief(nil))
	}
	fmt.Println(r.Session().ID, r.Session().Dir)
	// Output:
	// 1 person message | person: run the tests
	// 2 agent call | agent, Bash: go test ./...
	// s1 /src/octofs
}
