package extractor_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"learnings/extractor"
	"learnings/extractor/rules"
	"learnings/extractor/transcript"
)

// The rules propose lessons of a transcript. Nothing is stored: see the package
// extractor/intake for that.
func ExampleExtract() {
	dir, err := os.MkdirTemp("", "extractor")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "session.jsonl")
	const session = `{"type":"user","userType":"external","uuid":"u1","sessionId":"s1","cwd":"/src/octofs","version":"2.1.0","timestamp":"2026-04-05T14:00:00Z","message":{"role":"user","content":"add a test for the parser"}}
{"type":"assistant","uuid":"u2","sessionId":"s1","cwd":"/src/octofs","timestamp":"2026-04-05T14:00:09Z","message":{"role":"assistant","content":[{"type":"text","text":"Done: I ran npm install and added the test."}]}}
{"type":"user","userType":"external","uuid":"u3","sessionId":"s1","cwd":"/src/octofs","timestamp":"2026-04-05T14:01:00Z","message":{"role":"user","content":"No, never use npm in this repository."}}
`
	if err := os.WriteFile(path, []byte(session), 0o600); err != nil {
		log.Fatal(err)
	}
	batch, err := extractor.Extract(context.Background(), transcript.File{Path: path}, extractor.Mark{}, extractor.Options{
		Proposers: []extractor.Proposer{rules.Rules{}}, Project: filepath.Base,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, l := range batch.Lessons {
		fmt.Println(l.ID, l.Status, l.Category, l.Scope.Project, "|", l.Content)
		fmt.Println("line", l.Evidence[0].Line, "by a", l.Evidence[0].By, "|", l.Evidence[0].Quote)
	}
	// Output:
	// iikeiepp pending tool-usage octofs | Never use npm in this repository.
	// line 3 by a person | No, never use npm in this repository.
}
