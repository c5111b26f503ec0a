package past

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"learnings/lessons"
	"learnings/lessons/proof"
)

// leastPrecision is how many of the outcomes that are told must be right.
const leastPrecision = 0.85

// TestLabelled compares what is told of real sessions with what a person who read them
// says: of one half on which the rules were tuned, and of one that was labelled before
// they were run and not looked at.
func TestLabelled(t *testing.T) {
	all := map[lessons.ID]lessons.Lesson{}
	for _, x := range teachings(t) {
		all[x.ID] = x.lesson()
	}
	for _, half := range []string{"tuned", "heldout"} {
		t.Run(half, func(t *testing.T) {
			labels := map[string]map[lessons.ID][]proof.Kind{}
			data, err := os.ReadFile(filepath.Join("testdata", half+".json"))
			if err == nil {
				err = json.Unmarshal(data, &labels)
			}
			if err != nil {
				t.Fatal(err)
			}
			right, told, wanted := map[proof.Kind]int{}, map[proof.Kind]int{}, map[proof.Kind]int{}
			pairs := 0
			for _, s := range labelled(t, half) {
				label, ok := labels[s.Name]
				if !ok {
					t.Fatalf("%s has no label", s.Name)
				}
				var subjects []Subject
				for _, id := range s.Given {
					subjects = append(subjects, Subject{Lesson: all[id]})
				}
				pairs += len(subjects)
				j := newJudge(subjects)
				for x, err := range s.each {
					if err != nil {
						t.Fatal(err)
					}
					j.turn(&x, "")
				}
				for _, f := range j.found {
					told[f.Kind]++
					if slices.Contains(label[f.Lesson], f.Kind) {
						right[f.Kind]++
					} else {
						t.Logf("wrong: %s %s %s, line %d: %s", s.Name, f.Lesson, f.Kind, f.Line, f.Shows)
					}
				}
				for id, kinds := range label {
					for _, k := range kinds {
						wanted[k]++
						if !slices.ContainsFunc(j.found, func(f Finding) bool { return f.Lesson == id && f.Kind == k }) {
							t.Logf("missed: %s %s %s", s.Name, id, k)
						}
					}
				}
			}
			t.Logf("%s: %d sessions with %d lessons", half, len(labels), pairs)
			for _, k := range []proof.Kind{Followed, Contradicted, CameBack} {
				precision := float64(right[k]) / float64(max(told[k], 1))
				t.Logf("%-12s precision %.2f (%d of %d)  recall %.2f (%d of %d)", k, precision, right[k], told[k], float64(right[k])/float64(max(wanted[k], 1)), right[k], wanted[k])
				if precision < leastPrecision {
					t.Errorf("%s: %s", k, fmt.Sprintf("precision %.2f, want %.2f", precision, leastPrecision))
				}
			}
		})
	}
}
