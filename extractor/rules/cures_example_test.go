package rules_test

import (
	"fmt"

	"learnings/extractor/rules"
	"learnings/extractor/transcript"
)

// A test run fails at the root of a project and works in a folder.
func ExampleCures() {
	first := &transcript.ToolCall{Name: "Bash", Command: "pnpm test"}
	then := &transcript.ToolCall{Name: "Bash", Command: "cd web && pnpm test"}
	var w rules.Cures
	for i, t := range []transcript.Turn{
		{Kind: transcript.Call, Tool: first},
		{Kind: transcript.Result, Tool: first, Failed: true, Text: "No package.json was found."},
		{Kind: transcript.Call, Tool: then},
		{Kind: transcript.Result, Tool: then, Text: "12 passed"},
	} {
		if c, ok := w.Watch("/src/shop", i, &t); ok {
			fmt.Println(c.Says)
			fmt.Println(c.Insight())
			fmt.Println(c.Example)
		}
	}
	// Output:
	// If `pnpm test` says "No package.json was found", run it from `web/`.
	// Otherwise it fails: No package.json was found.
	// pnpm test -> cd web && pnpm test
}
