package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
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

// BenchmarkHooks measures session-start as agents run it, through learnings and through
// learnings-hook, beside a Go program that does nothing: all three are built for it, and
// take turns. "each" starts one after the other; "atonce" starts a thousand, twenty of
// them at a time, and its 95th percentile is what counts against the budget of 150 ms.
// Memory is what time(1) says, where that is installed.
//
//	go test -run '^$' -bench Hooks -benchtime 1x ./cmd/learnings
func BenchmarkHooks(b *testing.B) {
	const each, atOnce, together = 100, 1000, 20
	m := newMachine(b)
	benchCorpus(b, m.corpus())
	m.must("index")
	m.must("confirm", "--outside", "--yes") // or no session is given any of them
	m.must("index", "--rebuild")            // as it is after the next merge
	bin := b.TempDir()
	empty := filepath.Join(bin, "empty.go")
	if err := os.WriteFile(empty, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	programs := []string{"empty", "learnings", "learnings-hook"}
	for i, source := range []string{empty, "learnings/cmd/learnings", "learnings/cmd/learnings-hook"} {
		if out, err := exec.Command("go", "build", "-o", filepath.Join(bin, programs[i]), source).CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
	}
	hook := func(wrap []string, program string) ([]byte, time.Duration) {
		cmd := m.command(context.Background())
		cmd.Args = append(wrap, filepath.Join(bin, program), "hook", "session-start")
		cmd.Path = cmd.Args[0]
		stdin, err := written(`{"hook_event_name":"SessionStart","cwd":"/src/project03"}`)
		if err != nil {
			b.Fatal(err)
		}
		defer stdin.Close()
		cmd.Stdin = stdin
		start := time.Now()
		out, err := cmd.CombinedOutput()
		took := time.Since(start)
		if err != nil || len(out) == 0 && program != "empty" {
			b.Fatalf("%s: %v", program, err)
		}
		return out, took
	}
	took := map[string][]time.Duration{}
	for b.Loop() {
		for range each {
			for _, p := range programs {
				_, d := hook(nil, p)
				took[p] = append(took[p], d)
			}
		}
		for _, p := range programs {
			var mu sync.Mutex
			var wg sync.WaitGroup
			for range together {
				wg.Go(func() {
					for range atOnce / together {
						_, d := hook(nil, p)
						mu.Lock()
						took[p+"-atonce"] = append(took[p+"-atonce"], d)
						mu.Unlock()
					}
				})
			}
			wg.Wait()
		}
	}
	at := func(name string, share float64) float64 {
		all := took[name]
		slices.Sort(all)
		return float64(all[int(share*float64(len(all)-1))].Microseconds()) / 1000
	}
	for _, p := range programs {
		b.ReportMetric(at(p, 0.5), p+"-ms-median")
		b.ReportMetric(at(p+"-atonce", 0.95), p+"-atonce-ms-p95")
		if timer, err := exec.LookPath("time"); err == nil {
			out, _ := hook([]string{timer, "-f", "\n%M"}, p)
			kb, err := strconv.Atoi(strings.TrimSpace(string(out[bytes.LastIndexByte(bytes.TrimSpace(out), '\n')+1:])))
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(kb)/1024, p+"-MB")
		}
	}
}

// benchCorpus writes lessons as files, as another program would.
func benchCorpus(b *testing.B, dir string) {
	b.Helper()
	for i, l := range benchLessonsOf(benchLessons) {
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

// benchLessonsOf makes lessons, the same ones every time.
func benchLessonsOf(n int) []lessons.Lesson {
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
	contents, all := make([]string, n), make([]lessons.Lesson, n)
	for i := range all {
		contents[i] = "Always " + some(12)
		if i%10 == 9 { // an earlier one of the same category, with its last word changed
			words := strings.Fields(contents[i-5])
			contents[i] = strings.Join(words[:12], " ") + " " + some(1)
		}
		all[i] = lessons.Lesson{
			ID: lessons.ID(fmt.Sprintf("m%07x", i)), Status: lessons.Approved,
			Category: lessons.Category([]string{"errors", "workflows", "tools", "architecture", "debugging"}[i%5]),
			Wording:  lessons.Wording{Content: contents[i], Insight: some(40), Example: some(8)},
			Tags:     strings.Fields(some(3)), Confidence: lessons.Confidence(0.4 + 0.5*r.Float64()).Round(),
			Scope:   lessons.Scope{Project: fmt.Sprintf("project%02d", i%benchProjects), Role: []string{"developer", "reviewer", "operator"}[i%3]},
			Created: start.Add(time.Duration(i) * 42 * 24 * time.Hour / time.Duration(n)),
		}
	}
	return all
}
