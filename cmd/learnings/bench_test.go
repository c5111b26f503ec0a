package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"learnings/lessons"
	"learnings/lessons/file"
)

// The size of the corpus is that which a store of observations reports for one
// developer.
const (
	benchLessons  = 14391
	benchProjects = 27
)

// BenchmarkProcess measures whole processes, from start to end, on a corpus of
// 14,391 lessons: the median of the runs is what counts against the budget of
// 60 ms for a search and 40 ms for a hook. The test binary stands for the
// program; it starts some milliseconds slower.
//
//	go test -run '^$' -bench Process -benchtime 25x ./cmd/learnings
func BenchmarkProcess(b *testing.B) {
	m := newMachine(b)
	benchCorpus(b, m.corpus())
	m.must("index")
	m.must("confirm", "--outside", "--yes") // or no session is given any of them
	start := `{"hook_event_name":"SessionStart","cwd":"/src/project03"}`
	for _, bench := range []struct {
		name, stdin string
		args        []string
	}{
		{"version", "", []string{"version"}},
		{"search", "", []string{"search", "archive old files"}},
		{"hook", start, []string{"hook", "session-start"}},
		{"show", "", []string{"show", "errors", "-n", "50"}},
		{"duplicates", "", []string{"duplicates"}},
		{"inject", "", []string{"inject", "--project", "project03", "--task", "compress the log files"}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				cmd := m.command(context.Background(), bench.args...)
				cmd.Stdin = strings.NewReader(bench.stdin)
				start := time.Now()
				out, err := cmd.Output()
				took = append(took, time.Since(start))
				if err != nil || len(out) == 0 {
					b.Fatalf("%v: %s", err, out)
				}
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-median")
		})
	}
}

// benchCorpus writes lessons as files, as another program would.
func benchCorpus(b *testing.B, dir string) {
	b.Helper()
	words := strings.Fields(`archive backup branch build cache certificate client cluster command commit compress config
		container copy database debug delete deploy directory disk docker download error expand export file filter find
		firewall flag format group hash header host image import index install kernel key library link list load lock log
		merge message migrate module monitor mount network node package parse password patch path permission pipe port
		print process profile proxy query queue read record recursive regex release remote rename report request restart
		restore rotate route run schema script search secret server service session shell socket sort source split stream
		string subnet sync table tag target task template test thread token trace transfer update upload user value version
		volume watch worker write`)
	r := rand.New(rand.NewPCG(20261120, 1))
	some := func(n int) string {
		out := make([]string, n)
		for i := range out {
			out[i] = words[r.IntN(len(words))]
		}
		return strings.Join(out, " ")
	}
	start := time.Date(2026, 10, 9, 8, 0, 0, 0, time.UTC)
	contents := make([]string, benchLessons)
	for i := range benchLessons {
		contents[i] = "Always " + some(12)
		if i%10 == 9 { // an earlier one of the same category, with its last word changed
			words := strings.Fields(contents[i-5])
			contents[i] = strings.Join(words[:12], " ") + " " + some(1)
		}
		l := lessons.Lesson{
			ID: lessons.ID(fmt.Sprintf("m%07x", i)), Status: lessons.Approved,
			Category: lessons.Category([]string{"errors", "workflows", "tools", "architecture", "debugging"}[i%5]),
			Wording:  lessons.Wording{Content: contents[i], Insight: some(40), Example: some(8)},
			Tags:     strings.Fields(some(3)), Confidence: lessons.Confidence(0.4 + 0.5*r.Float64()).Round(),
			Scope:   lessons.Scope{Project: fmt.Sprintf("project%02d", i%benchProjects), Role: []string{"developer", "reviewer", "operator"}[i%3]},
			Created: start.Add(time.Duration(i) * 42 * 24 * time.Hour / benchLessons),
		}
		folder := filepath.Join(dir, l.Scope.Project, l.Scope.Role)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			b.Fatal(err)
		}
		text, err := file.Encode(l)
		if err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%s-%d.md", l.Created.Format("20060102150405"), i)), text, 0o600); err != nil {
			b.Fatal(err)
		}
	}
}
