package recall_test

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"learnings/index"
	"learnings/index/recall"
	"learnings/lessons"
)

// benchDir has labelled questions; each set has a README with the task.
const benchDir = "../../../shared/bench"

type benchDoc struct {
	ID   string `json:"_id"`
	Text string `json:"text"`
}

func readDocs(t testing.TB, name string) (out []benchDoc) {
	t.Helper()
	f, err := os.Open(filepath.Join(benchDir, name))
	if err != nil {
		t.Skipf("no benchmark data here: %v", err)
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var d benchDoc
		if err := json.Unmarshal(sc.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
		out = append(out, d)
	}
	return out
}

// A task is a question with the lessons that answer it.
type task struct {
	text  string
	right map[lessons.ID]bool
}

// folds is into how many parts the tasks are divided where lessons have the phrases of
// the others: so many that hardly any lesson lacks more than the one that is asked for.
const folds = 10

// benchCorpus indexes the lessons of the agents, short or with whole bodies, and gives
// the tasks. With triggers each lesson has those of its phrases that are not in the
// given one of the folds of the tasks, and the tasks are that fold.
func benchCorpus(t testing.TB, full, triggers bool, fold int) (*index.Index, []task) {
	t.Helper()
	bodies := map[string]string{}
	if full {
		for _, d := range readDocs(t, "agent-lessons/corpus.jsonl") {
			bodies[d.ID] = d.Text
		}
	}
	docs := readDocs(t, "agent-lessons/corpus_short.jsonl")
	ids := map[string]int{}
	all := make([]lessons.Lesson, len(docs))
	for i, d := range docs {
		ids[d.ID] = i
		title, rest, _ := strings.Cut(d.Text, "\n")
		c := title + ": " + strings.Join(strings.Fields(rest), " ")
		all[i] = lesson(fmt.Sprintf("l%04d", i), c[:min(len(c), 600)])
		all[i].Insight = bodies[d.ID]
	}
	b, err := os.ReadFile(filepath.Join(benchDir, "agent-lessons/qrels.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	right := map[string]map[lessons.ID]bool{}
	for _, line := range strings.Split(string(b), "\n")[1:] {
		if f := strings.Split(line, "\t"); len(f) == 3 && f[2] != "0" {
			if right[f[0]] == nil {
				right[f[0]] = map[lessons.ID]bool{}
			}
			right[f[0]][all[ids[f[1]]].ID] = true
		}
	}
	var tasks []task
	for i, q := range readDocs(t, "agent-lessons/queries.jsonl") {
		switch {
		case len(right[q.ID]) == 0:
		case !triggers || i%folds == fold:
			tasks = append(tasks, task{q.Text, right[q.ID]})
		default:
			for j := range all {
				if right[q.ID][all[j].ID] {
					all[j].Triggers = append(all[j].Triggers, q.Text)
				}
			}
		}
	}
	return indexed(t, all), tasks
}

// A measure is what tasks got.
type measure struct {
	tasks, given, right, first, kept, off, got int
	ndcg                                       float64
}

func (m *measure) add(t testing.TB, x *index.Index, q task) {
	cs := pickBench(t, x, q.text)
	slices.SortStableFunc(cs, func(a, b recall.Choice) int { return cmp.Compare(b.Rank, a.Rank) })
	m.tasks++
	dcg, ideal := 0.0, 0.0
	for i, c := range cs {
		if c.In {
			m.given++
			if q.right[c.Lesson.ID] {
				m.right++
			}
		}
		if i < 10 && c.Rank > 0 && q.right[c.Lesson.ID] {
			dcg += 1 / math.Log2(float64(i)+2)
		}
	}
	for i := range min(len(q.right), 10) {
		ideal += 1 / math.Log2(float64(i)+2)
	}
	m.ndcg += dcg / ideal
	if len(cs) > 0 && q.right[cs[0].Lesson.ID] {
		m.first++
		if cs[0].In {
			m.kept++
		}
	}
}

func pickBench(t testing.TB, x *index.Index, text string) []recall.Choice {
	cs, err := recall.Pick(t.Context(), x, nil, recall.Situation{Project: "octofs", Prompt: text, All: true, Now: now}, recall.Budget{})
	if err != nil {
		t.Fatal(err)
	}
	return cs
}

func (m measure) String() string {
	return fmt.Sprintf("nDCG@10 %.3f, %.2f of those given are right, %.2f of right first ones are given; %.1f %% of %d other prompts get something",
		m.nDCG(), float64(m.right)/float64(max(m.given, 1)), float64(m.kept)/float64(max(m.first, 1)), 100*float64(m.got)/float64(max(m.off, 1)), m.off)
}

func (m measure) nDCG() float64 { return m.ndcg / float64(m.tasks) }

// TestRightLessons measures what tasks are given on the questions of the benchmarks.
// The floors are what was reached, less the noise.
func TestRightLessons(t *testing.T) {
	others := readDocs(t, "nl2bash-paraphrase/queries.jsonl")
	for _, tt := range []struct {
		name           string
		full, triggers bool
		ndcg, kept     float64
	}{
		{"short", false, false, 0.66, 0.70}, {"short, other triggers", false, true, 0.72, 0.70},
		{"whole", true, false, 0.785, 0.55}, {"whole, other triggers", true, true, 0.80, 0.55},
	} {
		t.Run(tt.name, func(t *testing.T) {
			every := 8 // so many-th of the other prompts is asked
			parts := 1
			if tt.triggers {
				parts = folds
			}
			if testing.Short() {
				every, parts = 200, 1
			}
			var m measure
			for fold := range parts {
				x, tasks := benchCorpus(t, tt.full, tt.triggers, fold)
				for _, q := range tasks {
					m.add(t, x, q)
				}
				for i := 0; fold == parts-1 && i < len(others); i += every {
					m.off++
					if len(recall.IDs(pickBench(t, x, others[i].Text))) > 0 {
						m.got++
					}
				}
			}
			t.Log(m)
			if testing.Short() && tt.triggers {
				t.Skip("a part of the tasks says too little; left out with -short")
			}
			if m.nDCG() < tt.ndcg || float64(m.kept) < tt.kept*float64(m.first) || float64(m.right) < 0.4*float64(m.given) || float64(m.got) > 0.015*float64(m.off) {
				t.Errorf("%v; the floors are nDCG@10 %.3f, 0.40 right, %.2f given, 1.5 %% of others", m, tt.ndcg, tt.kept)
			}
		})
	}
}

// indexed is an index of lessons in a folder of the test.
func indexed(t testing.TB, all []lessons.Lesson) *index.Index {
	t.Helper()
	x := index.At(filepath.Join(t.TempDir(), "index"))
	if _, err := x.Sync(t.Context(), journal(all)); err != nil {
		t.Fatal(err)
	}
	return x
}
