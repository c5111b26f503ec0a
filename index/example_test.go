package index_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/store"
)

// The index follows the store, and answers the query language of the desk and of
// `learnings search`. It can be deleted at any time: the next Sync rebuilds it.
func ExampleIndex_Search() {
	dir, err := os.MkdirTemp("", "index")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	corpus, err := store.Open(filepath.Join(dir, "lessons"), store.Options{State: filepath.Join(dir, "state")})
	if err != nil {
		log.Fatal(err)
	}
	about := func(id lessons.ID, c lessons.Category, project, content string) lessons.Lesson {
		return lessons.Lesson{ID: id, Status: lessons.Approved, Category: c, Confidence: 0.8,
			Scope: lessons.Scope{Project: project, Role: "developer"}, Wording: lessons.Wording{Content: content}}
	}
	if _, err := corpus.Put(store.Write{Op: lessons.OpAdd, By: "ada"},
		about("proto", "workflow", "shop", "Run make generate after editing a .proto file."),
		about("heap", "errors", "shop", "Generating the client runs out of memory without NODE_OPTIONS."),
		about("other", "workflow", "ledger", "Generate the fixtures with make fixtures."),
	); err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	x := index.At(filepath.Join(dir, "state", "index"))
	if _, err := x.Sync(ctx, corpus); err != nil {
		log.Fatal(err)
	}
	for _, typed := range []string{`generate project:shop`, `generate -memory sort:created`, `kind:error`} {
		q, err := index.ParseQuery(typed)
		if err != nil {
			log.Fatal(err)
		}
		page, err := x.Search(ctx, q)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Print(typed, ":")
		for _, h := range page.Hits {
			fmt.Print(" ", h.Lesson.ID)
		}
		fmt.Println()
	}
	// Output:
	// generate project:shop: proto heap
	// generate -memory sort:created: other proto
	// kind:error: heap
}
