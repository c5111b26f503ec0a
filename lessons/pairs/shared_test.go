package pairs

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// shared are the lessons of ../shared, one of a kind each: those that people
// approved in the labelled sessions, and the rules of bench/agent-lessons.
func sharedLessons(t testing.TB) []string {
	t.Helper()
	root := filepath.Join("..", "..", "..", "shared")
	if _, err := os.Stat(root); err != nil {
		t.Skip("no ../shared beside this clone")
	}
	seen := map[string]bool{}
	var out []string
	for _, file := range []string{"eval/gold-dev.jsonl", "eval/turns-train.jsonl", "bench/agent-lessons/corpus_short.jsonl"} {
		f, err := os.Open(filepath.Join(root, file))
		if err != nil {
			t.Skipf("a file of ../shared is not beside this clone: %v", err)
		}
		in := bufio.NewScanner(f)
		in.Buffer(nil, 1<<20)
		for in.Scan() {
			var row struct {
				Lesson  string
				Lessons []struct{ Lesson string }
				Text    string
			}
			var bare struct{ Lesson struct{ Lesson string } }
			if json.Unmarshal(in.Bytes(), &row) != nil {
				if json.Unmarshal(in.Bytes(), &bare) == nil {
					row.Lesson = bare.Lesson.Lesson
				}
			}
			texts := []string{row.Lesson}
			for _, l := range row.Lessons {
				texts = append(texts, l.Lesson)
			}
			if strings.HasSuffix(file, "corpus_short.jsonl") {
				_, rule, _ := strings.Cut(row.Text, "\n")
				rule, _, _ = strings.Cut(rule, "\n")
				texts = append(texts, rule)
			}
			for _, s := range texts {
				if s = strings.TrimSpace(s); s != "" && !seen[s] {
					seen[s] = true
					out = append(out, s)
				}
			}
		}
		f.Close()
	}
	return out
}

// TestSharedPairs looks at every pair of real lessons as if they were of one
// project. People wrote them over months without meaning to contradict
// themselves: nearly all that is found is an alarm to look at with -list.
func TestSharedPairs(t *testing.T) {
	texts := sharedLessons(t)
	var all []Reading
	for _, s := range texts {
		all = append(all, Read(said(s)))
	}
	alarms := 0
	for i, a := range all {
		for _, b := range all[i+1:] {
			if c := a.Against(b); c.Opposed() {
				alarms++
				if *list {
					t.Logf("%s: %s\n   %s\n   %s", c.Ground, c.Why, a.lesson.Content, b.lesson.Content)
				}
			}
		}
	}
	pairs := len(all) * (len(all) - 1) / 2
	t.Logf("%d lessons, %d pairs, %d found to contradict", len(all), pairs, alarms)
	if alarms > pairs/5000 {
		t.Errorf("%d of %d real pairs are found to contradict: that is noise", alarms, pairs)
	}
}
