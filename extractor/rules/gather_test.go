package rules

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// This file makes what the learning reads, testdata/turns.gz, of the labelled
// turns and their transcripts. These hold what people said, and are not in the
// repository: ../shared/eval/turns-train.jsonl (one labelled turn a line) and
// ../shared/transcripts beside the checkout. Of a turn the file has the label
// and those features that enough turns of enough projects share to be learned.

var gather = flag.Bool("gather", false, "make testdata/turns.gz anew of ../shared/eval/turns-train.jsonl and ../shared/transcripts")

// shared is where the labelled data are, when they are.
var shared = filepath.Join("..", "..", "..", "shared")

const gatheredFile = "testdata/turns.gz"

// TestGather checks that the examples of the repository are what the labelled
// turns give, or writes them.
func TestGather(t *testing.T) {
	data := packExamples(t, examples(t))
	if *gather {
		if err := os.WriteFile(gatheredFile, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have := unpack(t, gatheredFile); !bytes.Equal(have, gunzip(t, bytes.NewReader(data))) {
		t.Error("the features of the labelled turns are not those of " + gatheredFile + ": run this test with -gather, then go generate")
	}
}

// A packed is an example with the numbers of its features.
type packed struct {
	Group     string
	Session   int
	Label     string
	Weight    float64 `json:",omitempty"`
	Copied    bool    `json:",omitempty"`
	Turn      []int
	Sentences [][]int
	Stated    []bool
	Shelf     lessons.Category `json:",omitempty"`
	ShelvedBy []int            `json:",omitempty"`
	Follows   []string         `json:",omitempty"`
	Hints     [][]string
	Force     [][]int
	Form      []ruleForm
}

// packExamples writes the names of all features that are learned from, and then
// the examples.
func packExamples(t testing.TB, ex []example) []byte {
	work := slices.DeleteFunc(slices.Clone(ex), idle)
	m, force := fitWords(ex), fitForce(ex)
	var names []string
	for _, l := range append(slices.Collect(maps.Values(fitShelves(work))), m.turn, m.sentence, force) {
		for f := range l {
			names = append(names, f)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	number := map[string]int{}
	for i, f := range names {
		number[f] = i
	}
	numbers := func(feats []string) []int {
		out := []int{}
		for _, f := range feats {
			if n, ok := number[f]; ok {
				out = append(out, n)
			}
		}
		slices.Sort(out) // not the order in which things were said
		return out
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	enc := json.NewEncoder(z)
	if err := enc.Encode(names); err != nil {
		t.Fatal(err)
	}
	for _, e := range ex {
		p := packed{Group: e.group, Session: e.session, Label: e.label, Weight: e.weight, Copied: e.copied, Turn: numbers(e.view.turn), Stated: e.stated, Shelf: e.shelf, ShelvedBy: numbers(e.shelvedBy), Follows: e.view.follows, Hints: e.view.hints}
		for i, s := range e.view.sentences {
			p.Sentences = append(p.Sentences, numbers(s))
			p.Force = append(p.Force, numbers(e.view.force(i)))
			p.Form = append(p.Form, e.view.form(i))
		}
		if err := enc.Encode(p); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// readExamples reads what packExamples wrote.
func readExamples(t testing.TB) []example {
	dec := json.NewDecoder(bytes.NewReader(unpack(t, gatheredFile)))
	var names []string
	if err := dec.Decode(&names); err != nil {
		t.Fatal(err)
	}
	named := func(numbers []int) []string {
		out := make([]string, len(numbers))
		for i, n := range numbers {
			out[i] = names[n]
		}
		return out
	}
	var out []example
	for dec.More() {
		var p packed
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		e := example{group: p.Group, session: p.Session, label: p.Label, weight: p.Weight, copied: p.Copied, stated: p.Stated, shelf: p.Shelf, shelvedBy: named(p.ShelvedBy), view: view{turn: named(p.Turn), follows: p.Follows, hints: p.Hints, form: func(i int) ruleForm { return p.Form[i] }}}
		force := make([][]string, len(p.Force))
		for i, f := range p.Force {
			force[i] = named(f)
		}
		e.view.force = func(i int) []string { return force[i] }
		for _, s := range p.Sentences {
			e.view.sentences = append(e.view.sentences, named(s))
		}
		out = append(out, e)
	}
	return out
}

func unpack(t testing.TB, path string) []byte {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return gunzip(t, f)
}

func gunzip(t testing.TB, r io.Reader) []byte {
	z, err := gzip.NewReader(r)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// tenth puts a session into one of ten parts.
func tenth(file string) int {
	h := 0
	for _, c := range filepath.Base(file) {
		h = (h*31 + int(c)) % 1000003
	}
	return h % 10
}

// A row is one labelled turn.
type row struct {
	File, Kind, Before, Text, Label string
	Line, Turn                      int
	Lessons                         []struct{ Quote, Lesson, Category, Scope, Confidence string }
}

// groups joins the projects with few labelled turns, so that each group has
// enough to be tested on.
func group(project string) string {
	switch project {
	case "entireio__cli", "EntityProcess__agentv", "specstoryai__getspecstory":
		return project
	}
	return "others"
}

func loadRows(t testing.TB) []row {
	f, err := os.Open(filepath.Join(shared, "eval", "turns-train.jsonl"))
	if err != nil {
		t.Skip("the labelled turns are not at hand: ", err)
	}
	defer f.Close()
	var out []row
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<24)
	for sc.Scan() {
		var r row
		if err := json.Unmarshal(sc.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

// loadTurns reads a session of the shared transcripts.
func loadTurns(t testing.TB, path string) (transcript.Session, []transcript.Turn) {
	f, file, err := transcript.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := transcript.NewReader(f, file.Format, transcript.Options{Path: path})
	var turns []transcript.Turn
	for turn, err := range r.Turns() {
		if err == nil {
			turns = append(turns, turn)
		}
	}
	return r.Session(), turns
}

// moment makes what it can of the row alone: what the agent said before is
// known, what it did after is not.
func (r row) moment() moment {
	m := moment{kind: transcript.Message}
	m.read(r.Text)
	switch {
	case strings.HasPrefix(r.Kind, "queued"):
		m.kind = transcript.Steering
	case r.Kind == "rejection":
		m.kind = transcript.Rejection
	}
	b := strings.Trim(strings.ReplaceAll(strings.ReplaceAll(r.Before, `\n`, "\n"), `\`, ""), "'\" ")
	switch {
	case strings.HasPrefix(b, "TOOL"), strings.Contains(b, `"workdir"`), strings.Contains(b, "yield_time_ms"):
		b = ""
	case b == "" && m.kind == transcript.Message:
		m.first = true
	}
	m.before = b
	return m
}

// examples pairs each labelled turn with its moment: the real one where the
// session is at hand, one made of the row otherwise.
func examples(t testing.TB) []example {
	rows := loadRows(t)
	real := map[string][]moment{}
	lines := map[string][]transcript.Turn{}
	seen := map[string]bool{}
	var out []example
	for _, r := range rows {
		path := filepath.Join(shared, "transcripts", r.File)
		if _, ok := real[path]; !ok && strings.HasSuffix(path, ".jsonl") {
			real[path] = nil
			if _, err := os.Stat(path); err == nil {
				_, turns := loadTurns(t, path)
				real[path], lines[path] = moments(turns), turns
			}
		}
		m := r.moment()
		for _, c := range real[path] {
			if lines[path][c.at].Line == r.Line && (c.text == m.text || len(real[path]) > 0 && strings.HasPrefix(c.text, head(m.text, 40))) {
				m = c
				break
			}
		}
		if gated(&m) || strings.HasPrefix(strings.TrimSpace(r.Text), "<task-notification") {
			continue
		}
		e := example{group: group(projectOf(r.File)), session: tenth(r.File), label: r.Label, copied: seen[r.Text], view: m.view(), stated: make([]bool, len(m.all))}
		seen[r.Text] = true
		if len(r.Lessons) > 0 {
			e.shelf = lessons.Category(r.Lessons[0].Category)
		}
		for i, s := range m.all {
			for _, q := range r.Lessons {
				e.stated[i] = e.stated[i] || overlaps(s.text, q.Quote)
			}
		}
		if e.shelf != "" && len(m.all) > 0 {
			e.shelvedBy = m.shelfFeatures(max(slices.Index(e.stated, true), 0))
		}
		out = append(out, e)
	}
	return slices.Concat(out, otherProjects(t), plainTalk(t))
}

// otherProjects gives the turns of ../shared/eval/other, whose labels are lessons and
// near misses by file and line; a turn that is not listed teaches nothing.
func otherProjects(t testing.TB) []example {
	dir := t.TempDir()
	labels := filepath.Join(shared, "eval", "other")
	if out, err := exec.Command("tar", "-xJf", filepath.Join(labels, "transcripts.tar.xz"), "-C", dir).CombinedOutput(); err != nil {
		t.Skipf("the sessions of other projects are not at hand: %v: %s", err, out)
	}
	f, err := os.Open(filepath.Join(labels, "gold-other.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	gold := map[string][]*goldRow{}
	for dec := json.NewDecoder(f); dec.More(); {
		g := new(goldRow)
		if err := dec.Decode(g); err != nil {
			t.Fatal(err)
		}
		gold[g.File] = append(gold[g.File], g)
	}
	var out []example
	seen := map[string]bool{}
	for _, file := range slices.Sorted(maps.Keys(gold)) {
		_, turns := loadTurns(t, filepath.Join(dir, file))
		ms := moments(turns)
		for i := range ms {
			m := &ms[i]
			if gated(m) {
				continue
			}
			e := example{group: "five more", session: tenth(file), label: "none", copied: seen[m.text], view: m.view(), stated: make([]bool, len(m.all))}
			seen[m.text] = true
			for _, g := range gold[file] {
				if g.Line != turns[m.at].Line || !g.stated() || g.Category == "none" {
					continue
				}
				if g.Confidence == "low" && e.label == "none" {
					e.label = "arguable"
				} else if g.Confidence != "low" {
					e.label = "lesson"
				}
				for j := range m.all {
					e.stated[j] = e.stated[j] || overlaps(m.all[j].text, g.Quote)
				}
				if e.shelf = lessons.Category(g.Category); !slices.Contains(shelves, e.shelf) {
					e.shelf = ""
				}
			}
			if e.shelf != "" {
				e.shelvedBy = m.shelfFeatures(max(slices.Index(e.stated, true), 0))
			}
			out = append(out, e)
		}
	}
	return out
}

// overlaps reports whether a sentence is, in the main, what a quote says.
func overlaps(s, quote string) bool {
	a, b := strings.Join(words(s), " "), strings.Join(words(straight.Replace(quote)), " ")
	if len(a) < 8 || len(b) < 8 {
		return a == b
	}
	if strings.Contains(a, b) || strings.Contains(b, a) {
		return true
	}
	in := wordsOf(a)
	n, hit := 0, 0
	for _, w := range strings.Fields(b) {
		n++
		if in[w] {
			hit++
		}
	}
	return hit*10 >= 8*n && n > 4
}
