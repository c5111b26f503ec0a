package pairs

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"learnings/lessons"
)

// TestPairsShared judges the labelled pairs of ../shared: what changed, and what did not.
func TestPairsShared(t *testing.T) {
	root := filepath.Join("..", "..", "..", "shared", "outside", "pairs")
	f, err := os.Open(filepath.Join(root, "pairs.jsonl"))
	if err != nil {
		t.Skip("no ../shared beside this clone")
	}
	defer f.Close()
	pair := func(a, b string) (Judgement, bool) {
		x, y := said(a), said(b)
		x.ID, y.ID = "a", "b"
		x.Created, y.Created = time.Unix(1, 0), time.Unix(2, 0)
		j := Judge(x, y)
		return j, j.Opposed()
	}
	n, found := map[string]int{}, map[string]int{}
	alarms, all := 0, 0
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var p struct{ ID, Source, Label, Older, Newer string }
		if err := json.Unmarshal(in.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		c, ok := pair(p.Older, p.Newer)
		change := p.Label == "supersedes" || p.Label == "opposite"
		key := p.Label
		if p.Source[:4] == "hist" {
			n["history "+key]++
			if ok {
				found["history "+key]++
			}
		}
		if n[key]++; ok {
			found[key]++
			all++
		}
		if ok && !change {
			alarms++
		}
		if *list && ok != change {
			t.Logf("%s %s %v %s\n   - %s\n   + %s\n   %s", p.ID, p.Label, ok, c.Ground, p.Older, p.Newer, c.Why)
		}
	}
	t.Logf("n %v", n)
	t.Logf("found %v; precision %.3f", found, 1-float64(alarms)/float64(all))
	files, err := os.Open(filepath.Join(root, "files.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	in = bufio.NewScanner(files)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var p struct {
			File      string
			Sentences []string
		}
		if err := json.Unmarshal(in.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		var ss []Reading
		for i, s := range p.Sentences {
			l := said(s)
			l.ID, l.Created = lessons.ID(rune('a'+i)), time.Unix(int64(i), 0)
			ss = append(ss, Read(l))
		}
		apart, together := 0, 0
		for i := range ss {
			for j := i + 1; j < len(ss); j++ {
				if c := ss[i].Against(ss[j]); c.Opposed() {
					apart++
					if *list {
						t.Logf("%s %s\n   - %s\n   + %s\n   %s", p.File, c.Ground, p.Sentences[i], p.Sentences[j], c.Why)
					}
				}
				ss[i].told, ss[j].told = []string{"x"}, []string{"x"}
				if ss[i].Against(ss[j]).Opposed() {
					together++
				}
				ss[i].told, ss[j].told = nil, nil
			}
		}
		t.Logf("%s: %d sentences, %d alarms, %d told together", p.File, len(ss), apart, together)
	}
}
