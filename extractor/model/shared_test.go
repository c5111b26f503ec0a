package model

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"learnings/extractor"
	"learnings/extractor/model/llm"
	"learnings/extractor/transcript"
	"learnings/lessons"
)

// shared returns a folder of real transcripts, labels or recorded cases, or
// skips the test.
func shared(tb testing.TB, path string) string {
	tb.Helper()
	p := filepath.Join("..", "..", "..", "shared", filepath.FromSlash(path))
	if _, err := os.Stat(p); err != nil {
		tb.Skipf("not on this machine: %v", err)
	}
	return p
}

func readSession(tb testing.TB, path string) (transcript.Session, []transcript.Turn) {
	tb.Helper()
	f, file, err := transcript.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	r := transcript.NewReader(f, file.Format, transcript.Options{Path: path})
	var turns []transcript.Turn
	for t, err := range r.Turns() {
		if err == nil {
			turns = append(turns, t)
		}
	}
	return r.Session(), turns
}

type goldRow struct {
	File, Quote, Lesson, Category, Confidence, From string
	Line                                            int
}

func gold(tb testing.TB) map[string][]goldRow {
	tb.Helper()
	f, err := os.Open(filepath.Join(shared(tb, "eval"), "gold-dev.jsonl"))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	out := make(map[string][]goldRow)
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var row goldRow
		if err := json.Unmarshal(sc.Bytes(), &row); err != nil {
			tb.Fatal(err)
		}
		out[row.File] = append(out[row.File], row)
	}
	return out
}

// TestDigestHoldsTheEvidence checks on labelled sessions that what a model
// would have to quote is in what it is sent.
func TestDigestHoldsTheEvidence(t *testing.T) {
	root := shared(t, "transcripts")
	quotes, lines, all, errs, allErrs := 0, 0, 0, 0, 0
	for file, rows := range gold(t) {
		_, turns := readSession(t, filepath.Join(root, file))
		d := digestOf(turns...)
		sent := fold(d.String())
		for _, row := range rows {
			switch row.From {
			case "human", "rejection", "queued":
			case "tool-error":
				allErrs++
				if strings.Contains(sent, fold(row.Quote[:min(len(row.Quote), 60)])) {
					errs++
				} else {
					t.Logf("no error: %s:%d %q", file, row.Line, row.Quote)
				}
				continue
			default:
				continue
			}
			all++
			quoted := strings.Contains(sent, fold(row.Quote))
			if quoted {
				quotes++
			}
			if slices.ContainsFunc(d.lines, func(l line) bool { return turns[l.turn].Line == row.Line && strings.HasPrefix(l.label, labelUser) }) {
				lines++
			} else {
				t.Logf("no line: %s:%d %s %q", file, row.Line, row.From, row.Quote)
			}
			if !quoted {
				t.Logf("no quote: %s:%d %s %s %q", file, row.Line, row.From, row.Confidence, row.Quote)
			}
		}
	}
	t.Logf("of %d lessons that a person stated: %d quotes, %d lines in the digest; of %d errors %d", all, quotes, lines, allErrs, errs)
	if quotes*10 < all*9 {
		t.Errorf("only %d of %d quotes are in the digest of their session", quotes, all)
	}
}

// TestLabelledQuotesAreBelieved gives the labelled quotes as a model's answer
// and checks that each becomes a lesson of the person, at the line where the
// label says it was said.
func TestLabelledQuotesAreBelieved(t *testing.T) {
	root := shared(t, "transcripts")
	right, all := 0, 0
	for file, rows := range gold(t) {
		s, turns := readSession(t, filepath.Join(root, file))
		var items []map[string]any
		want := make(map[string]int)
		for i, row := range rows {
			if row.From == "human" || row.From == "rejection" || row.From == "queued" {
				content := fmt.Sprintf("%s (%d)", row.Lesson, i)
				want[lessons.Line(content)] = row.Line
				items = append(items, map[string]any{"content": content, "quote": row.Quote, "category": row.Category, "confidence": "certain"})
			}
		}
		answer, err := json.Marshal(map[string]any{"decision": "LEARN", "lessons": items})
		if err != nil {
			t.Fatal(err)
		}
		p := proposer(t, says(answer))
		p.most = 100
		r, err := ask(t.Context(), p, s, turns)
		if err != nil {
			t.Fatal(err)
		}
		all += len(want)
		for _, l := range r.Lessons {
			if e := l.Evidence[0]; e.Line == want[l.Content] && e.By == lessons.ByPerson {
				right++
			} else {
				t.Logf("%s: line %d (%s), want %d: %q", file, e.Line, e.By, want[l.Content], e.Quote)
			}
		}
		if len(r.Dropped) > 0 {
			t.Logf("%s: dropped %v", file, r.Dropped)
		}
	}
	t.Logf("%d of %d", right, all)
	if right*100 < all*97 {
		t.Errorf("of %d labelled quotes only %d were found where they were said", all, right)
	}
}

// TestDigestIsSmall checks what the sessions of over 1 MB cost.
func TestDigestIsSmall(t *testing.T) {
	root := shared(t, "transcripts")
	var sizes []int
	for _, agent := range []string{"claude-code", "codex"} {
		err := filepath.WalkDir(filepath.Join(root, agent), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || filepath.Ext(path) != ".jsonl" {
				return err
			}
			if info, err := e.Info(); err != nil || info.Size() <= 1<<20 {
				return err
			}
			_, turns := readSession(t, path)
			d := digestOf(turns...)
			sizes = append(sizes, d.tokens)
			if d.tokens > DefaultBudget*101/100 {
				t.Errorf("%s: %d tokens, the budget is %d", path, d.tokens, DefaultBudget)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(sizes)
	median := sizes[len(sizes)/2]
	t.Logf("%d sessions of over 1 MB: median %d tokens, %v", len(sizes), median, sizes)
	if median > 4000 {
		t.Errorf("the median digest has %d tokens", median)
	}
}

// TestSessionCost adds up what runs over all sessions would cost, in calls that they
// share, with answers 0.4
// times as long as the digests: the labelled sessions have a lesson, of about 120
// tokens, for every 300.
func TestSessionCost(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short, which the race detector runs with: about results")
	}
	root := shared(t, "transcripts")
	var files []transcript.File
	for f, err := range transcript.FindKnown(transcript.Places{{Path: root, Named: true}}, nil) {
		if err == nil {
			files = append(files, f)
		}
	}
	const medianDigest = 254 // tokens, of all sessions of people who use agents every day
	all := func(ns []int) (sum int) {
		for _, n := range ns {
			sum += n
		}
		return sum
	}
	for _, name := range []string{"claude-haiku-4-5", "claude-haiku-5-5", "gpt-5.6-luna", "gpt-6-luna"} {
		price, ok := llm.PriceOf(llm.Model{Provider: map[bool]llm.Provider{true: llm.Anthropic, false: llm.OpenAI}[strings.HasPrefix(name, "claude")], Name: name})
		if !ok {
			t.Fatal("no price of ", name)
		}
		var costs []float64
		var tokens []int
		calls, sum := 0, 0.0
		err := proposer(t, nil, func(_ *Config, o *Options) { o.Known = nil }).Show(t.Context(), files, nil, extractor.Options{}, func(c Call) error {
			calls++
			usd := price.Of(llm.Usage{In: Tokens(c.Request.System) + Tokens(c.Request.User) + Tokens(string(c.Request.Schema)), Out: c.Tokens() * 2 / 5}).USD
			sum += usd
			for _, q := range c.questions {
				tokens = append(tokens, q.digest.tokens)
				costs = append(costs, usd*float64(q.digest.tokens)/float64(c.Tokens()))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(costs)
		slices.Sort(tokens)
		median := costs[len(costs)/2]
		t.Logf("%s: %d sessions in %d calls, $%.3f; median %d tokens and $%.5f, nine in ten $%.5f, most $%.4f", name, len(costs), calls, sum, tokens[len(tokens)/2], median, costs[len(costs)*9/10], costs[len(costs)-1])
		if perToken := sum / float64(all(tokens)); perToken*medianDigest > 0.002 {
			t.Errorf("%s: a session of %d tokens costs $%.4f", name, medianDigest, perToken*medianDigest)
		}
	}
}
