package intake_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"learnings/extractor"
	"learnings/extractor/intake"
	"learnings/extractor/rules"
	"learnings/extractor/transcript"
	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/store"
)

// A transcript is read, and what the rules propose of it is stored. Read whole
// once more, it changes nothing: what it teaches is known.
func Example() {
	dir, err := os.MkdirTemp("", "intake")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	session := filepath.Join(dir, "session.jsonl")
	if err := os.WriteFile(session, []byte(said), 0o600); err != nil {
		log.Fatal(err)
	}
	corpus, err := store.Open(filepath.Join(dir, "corpus"), store.Options{State: filepath.Join(dir, "state")})
	if err != nil {
		log.Fatal(err)
	}
	marks, err := extractor.OpenLedger(filepath.Join(dir, "state"))
	if err != nil {
		log.Fatal(err)
	}
	lookup := index.At(filepath.Join(dir, "state", "index"))
	options := extractor.Options{Proposers: []extractor.Proposer{rules.Rules{}}, Project: filepath.Base}

	for range 2 {
		ctx := context.Background()
		if _, err := lookup.Sync(ctx, corpus); err != nil { // so that it knows what is stored
			log.Fatal(err)
		}
		in := intake.New(corpus, lookup)
		for taken, err := range in.Run(ctx, []transcript.File{{Path: session}}, marks, options) {
			if err != nil {
				log.Fatal(err) // for many files: go on when it is a *extractor.FileError
			}
			fmt.Println("stored", len(taken.Stored))
			for _, l := range taken.Stored {
				fmt.Println(l.Status, l.Category, l.Scope.Project, "|", l.Content)
			}
		}
		options.Anew = true // the marks would say that nothing is new
	}
	n := 0
	for _, err := range corpus.Since(lessons.Cursor("")) {
		if err != nil {
			log.Fatal(err)
		}
		n++
	}
	fmt.Println("changes of the corpus:", n)
	// Output:
	// stored 2
	// pending tool-usage octofs | Never use npm in this repository.
	// pending tool-usage octofs | Always use pnpm instead.
	// stored 0
	// changes of the corpus: 2
}

const said = `{"type":"user","userType":"external","uuid":"u1","sessionId":"s1","cwd":"/src/octofs","version":"2.1.0","timestamp":"2026-04-05T14:00:00Z","message":{"role":"user","content":"add a test for the parser"}}
{"type":"assistant","uuid":"u2","sessionId":"s1","cwd":"/src/octofs","timestamp":"2026-04-05T14:00:09Z","message":{"role":"assistant","content":[{"type":"text","text":"Done: I ran npm install and added the test."}]}}
{"type":"user","userType":"external","uuid":"u3","sessionId":"s1","cwd":"/src/octofs","timestamp":"2026-04-05T14:01:00Z","message":{"role":"user","content":"No, never use npm in this repository. Always use pnpm instead."}}
{"type":"assistant","uuid":"u4","sessionId":"s1","cwd":"/src/octofs","timestamp":"2026-04-05T14:01:09Z","message":{"role":"assistant","content":[{"type":"text","text":"You are right, I use pnpm from now on."}]}}
`
