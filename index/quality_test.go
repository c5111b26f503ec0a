package index_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"learnings/index"
	"learnings/lessons"
)

// The sets of ../shared/bench. Each has a README with the task; the floors below
// are what we reached, less the noise that the README names.
const benchDir = "../../shared/bench"

type benchDoc struct {
	ID    string `json:"_id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

func readDocs(t testing.TB, name string) []benchDoc {
	t.Helper()
	f, err := os.Open(filepath.Join(benchDir, name))
	if err != nil {
		t.Skipf("no benchmark data here: %v", err)
	}
	defer f.Close()
	var out []benchDoc
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

func readQrels(t testing.TB, name string) map[string]map[string]bool {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(benchDir, name))
	if err != nil {
		t.Skipf("no benchmark data here: %v", err)
	}
	out := map[string]map[string]bool{}
	for _, line := range strings.Split(string(b), "\n")[1:] {
		f := strings.Split(line, "\t")
		if len(f) < 3 {
			continue
		}
		if out[f[0]] == nil {
			out[f[0]] = map[string]bool{}
		}
		out[f[0]][f[1]] = true
	}
	return out
}

// A benchIndex is an index of documents that keep their own names.
type benchIndex struct {
	*index.Index
	names map[lessons.ID]string
}

func indexDocs(t testing.TB, docs []benchDoc, triggers map[string][]string) benchIndex {
	t.Helper()
	b := benchIndex{index.At(filepath.Join(t.TempDir(), "index")), map[lessons.ID]string{}}
	var ls []lessons.Lesson
	for i, d := range docs {
		l := lesson(fmt.Sprintf("d%06d", i), d.Text)
		if d.Title != "" {
			l.Content, l.Insight = d.Title, d.Text
		}
		l.Triggers = triggers[d.ID]
		b.names[l.ID] = d.ID
		ls = append(ls, l)
	}
	update(t, b.Index, newLog(ls...))
	return b
}

type measured struct {
	n                 int
	ndcg, r1, r5, r10 float64
}

func (b benchIndex) measure(t testing.TB, queries []benchDoc, qrels map[string]map[string]bool) measured {
	t.Helper()
	var m measured
	for _, q := range queries {
		rel := qrels[q.ID]
		if len(rel) == 0 {
			continue
		}
		query := index.Text(q.Text)
		query.Limit, query.Sort = 11, index.Relevance
		p, err := b.Search(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		m.n++
		var dcg, ideal float64
		rank := 0
		for _, h := range p.Hits {
			name := b.names[h.Lesson.ID]
			if name == q.ID || rank == 10 {
				continue
			}
			rank++
			if !rel[name] {
				continue
			}
			dcg += 1 / math.Log2(float64(rank)+1)
			share := 1 / float64(len(rel))
			if rank == 1 {
				m.r1 += share
			}
			if rank <= 5 {
				m.r5 += share
			}
			m.r10 += share
		}
		for i := range min(len(rel), 10) {
			ideal += 1 / math.Log2(float64(i)+2)
		}
		m.ndcg += dcg / ideal
	}
	n := float64(m.n)
	m.ndcg, m.r1, m.r5, m.r10 = m.ndcg/n, m.r1/n, m.r5/n, m.r10/n
	return m
}

func (m measured) String() string {
	return fmt.Sprintf("n=%d nDCG@10 %.3f R@1 %.3f R@5 %.3f R@10 %.3f", m.n, m.ndcg, m.r1, m.r5, m.r10)
}

func TestRetrieval(t *testing.T) {
	for _, tt := range []struct {
		name, corpus, queries, qrels string
		every                        int // so many-th query is asked; 1 for all, as for the figures in the README
		ndcg, r5                     float64
	}{
		{"lessons, whole", "agent-lessons/corpus.jsonl", "agent-lessons/queries.jsonl", "agent-lessons/qrels.tsv", 1, 0.76, 0.86},
		{"lessons, short", "agent-lessons/corpus_short.jsonl", "agent-lessons/queries.jsonl", "agent-lessons/qrels.tsv", 1, 0.62, 0.69},
		{"commands", "nl2bash-paraphrase/corpus.jsonl", "nl2bash-paraphrase/queries.jsonl", "nl2bash-paraphrase/qrels.tsv", 10, 0.38, 0.42},
		{"commands, hard", "nl2bash-paraphrase/corpus.jsonl", "nl2bash-paraphrase/queries_hard.jsonl", "nl2bash-paraphrase/qrels_hard.tsv", 10, 0.17, 0.21},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if testing.Short() && tt.every > 1 {
				t.Skip("left out with -short: takes some seconds of searching")
			}
			var queries []benchDoc
			for i, q := range readDocs(t, tt.queries) {
				if i%tt.every == 0 {
					queries = append(queries, q)
				}
			}
			m := indexDocs(t, readDocs(t, tt.corpus), nil).measure(t, queries, readQrels(t, tt.qrels))
			t.Log(m)
			if m.ndcg < tt.ndcg || m.r5 < tt.r5 {
				t.Errorf("%v; the floor is nDCG@10 %.2f, R@5 %.2f", m, tt.ndcg, tt.r5)
			}
		})
	}
}

// TestTriggers measures what triggers are worth: each phrase is searched for in
// an index of lessons that have their other phrases only.
func TestTriggers(t *testing.T) {
	qrels := readQrels(t, "agent-lessons/qrels.tsv")
	queries := readDocs(t, "agent-lessons/queries.jsonl")
	docs := readDocs(t, "agent-lessons/corpus_short.jsonl")
	const folds = 5
	var sum measured
	for fold := range folds {
		triggers := map[string][]string{}
		var asked []benchDoc
		for i, q := range queries {
			if i%folds == fold {
				asked = append(asked, q)
				continue
			}
			for doc := range qrels[q.ID] {
				triggers[doc] = append(triggers[doc], q.Text)
			}
		}
		m := indexDocs(t, docs, triggers).measure(t, asked, qrels)
		n := float64(m.n)
		sum.n += m.n
		sum.ndcg += m.ndcg * n
		sum.r1 += m.r1 * n
		sum.r5 += m.r5 * n
		sum.r10 += m.r10 * n
	}
	n := float64(sum.n)
	sum.ndcg, sum.r1, sum.r5, sum.r10 = sum.ndcg/n, sum.r1/n, sum.r5/n, sum.r10/n
	t.Log(sum)
	if sum.ndcg < 0.69 || sum.r5 < 0.78 {
		t.Errorf("%v; the floor is nDCG@10 0.69, R@5 0.78", sum)
	}
}
