package recall_test

import (
	"fmt"
	"strings"
	"testing"

	"learnings/index/recall"
	"learnings/lessons"
)

// BenchmarkPick is what a choice takes in corpora of the sizes that people have, in 27
// projects, the index opened for each as hooks open it.
func BenchmarkPick(b *testing.B) {
	lines := readDocs(b, "nl2bash-paraphrase/corpus.jsonl")
	for _, n := range []int{14_391, 200_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			all := make([]lessons.Lesson, n)
			for i := range all {
				said := lines[i%len(lines)].Text + ". " + lines[(i*7+i/len(lines))%len(lines)].Text
				all[i] = lesson(fmt.Sprintf("l%06d", i), said, project(fmt.Sprintf("p%d", i%27)))
				if i%50 == 0 {
					all[i].Scope.Global = true
				}
			}
			x := indexed(b, all)
			for _, s := range []struct {
				name string
				recall.Situation
			}{
				{"prompt", recall.Situation{Prompt: "Find all log files older than three days and compress them.", OnlySubject: true}},
				{"long prompt", recall.Situation{Prompt: "The backup fails on the server since Monday. Find all log files older than three days and compress them. " +
					"Then count the lines of each file that has an error, print the ten largest directories and write the names to a file. Please run the tests before you commit.", OnlySubject: true}},
				{"5,000 words", recall.Situation{Prompt: plan(lines, 5000), OnlySubject: true}},
				{"inject", recall.Situation{Prompt: "Find all log files older than three days and compress them."}},
				{"start", recall.Situation{}},
			} {
				b.Run(s.name, func(b *testing.B) {
					s.Project, s.Role, s.Now = "p5", "developer", now
					for b.Loop() {
						if _, err := recall.Pick(b.Context(), x, nil, s.Situation, recall.Budget{}); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		})
	}
}

// plan is a prompt of so many words, as long plans are that people paste.
func plan(lines []benchDoc, words int) string {
	var b strings.Builder
	for i := 0; words > 0; i++ {
		line := lines[(i*13+5)%len(lines)].Text
		b.WriteString(line + ".\n")
		words -= len(strings.Fields(line))
	}
	return b.String()
}
