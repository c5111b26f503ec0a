package mcpserver

import (
	"fmt"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"learnings/lessons"
)

// BenchmarkSearch measures a search as a client sees it, over a corpus of the size that
// people have: words of which some are in most lessons, and terms that must all be there.
func BenchmarkSearch(b *testing.B) {
	words := []string{"generate", "deploy", "commit", "review", "format", "migrate", "restart", "upload"}
	things := []string{"proto", "schema", "gateway", "index", "journal", "parser", "worker", "cache", "ledger", "router", "token"}
	ls := make([]lessons.Lesson, 14_391)
	for i := range ls {
		ls[i] = lesson(fmt.Sprintf("l%07d", i), fmt.Sprintf("Always %s the %s file before the %s of module%d is built", words[i%8], things[i%11], things[i/11%11], i%500))
		ls[i].Insight = "It was stale once, and the file of the build was wrong."
		ls[i].Created = noon.Add(-time.Duration(i) * time.Minute)
	}
	w := newWorld(b, ls...)
	w.lib.Store = w.lib.Store.Trusting(time.Hour) // as a look in the background keeps it
	cs := w.connect("bench")
	for name, query := range map[string]any{"words": "generate proto file", "one": "module77", "common": "file", "terms": []string{"generate", "proto", "module77"}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				res, err := cs.CallTool(b.Context(), &mcp.CallToolParams{Name: "search", Arguments: m{"query": query}})
				if err != nil || res.IsError {
					b.Fatal(res, err)
				}
			}
		})
	}
}
