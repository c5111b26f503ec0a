package hook

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"learnings/index"
	"learnings/index/recall"
	"learnings/lessons"
	"learnings/lessons/store"
)

func preview(t testing.TB, ls ...lessons.Lesson) (*Preview, *store.Store) {
	t.Helper()
	dir := t.TempDir()
	s, err := store.Open(filepath.Join(dir, "corpus"), store.Options{State: filepath.Join(dir, "state")})
	if err != nil {
		t.Fatal(err)
	}
	p := &Preview{Index: index.At(filepath.Join(dir, "state", "index")), Reread: s.Reread, Budget: recall.Budget{Lessons: 5}}
	put(t, p, s, ls...)
	return p, s
}

func put(t testing.TB, p *Preview, s *store.Store, ls ...lessons.Lesson) {
	t.Helper()
	if _, err := s.Put(store.Write{Op: lessons.OpAdd, By: "test"}, ls...); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Index.Sync(t.Context(), s); err != nil {
		t.Fatal(err)
	}
}

func lessonOf(id, project, content string) lessons.Lesson {
	return lessons.Lesson{
		ID: lessons.ID(id), Status: lessons.Approved, Category: "workflow", Wording: lessons.Wording{Content: content},
		Scope: lessons.Scope{Project: project}, Confidence: 0.9, Created: noon.Add(-time.Hour),
	}
}

func TestPreviewFollowsTheCorpus(t *testing.T) {
	p, s := preview(t, lessonOf("aaaa", "octofs", "Run make generate after editing a proto file"))
	situation := recall.Situation{Project: "octofs", Now: noon}
	for _, task := range []string{"", "the prices", "the prices of the checkout page"} {
		situation.Prompt = task
		got, err := p.Ahead(t.Context(), "claude", situation)
		if err != nil || len(got.Told) != 2 || !slices.Equal(recall.IDs(got.Told[0].Choices), []lessons.ID{"aaaa"}) {
			t.Fatalf("%q: %+v, %v", task, got, err)
		}
	}
	put(t, p, s, lessonOf("bbbb", "octofs", "The checkout page keeps prices in cents"))
	got, err := p.Ahead(t.Context(), "claude", situation)
	if err != nil || len(recall.IDs(got.Told[0].Choices)) != 2 {
		t.Errorf("after a change %+v, %v", got, err)
	}
	names, err := p.Projects(t.Context())
	if err != nil || !slices.Equal(names, []string{"octofs"}) {
		t.Errorf("projects %q, %v", names, err)
	}
	p.Budget.Lessons = 0
	if got, err := p.Ahead(t.Context(), "claude", situation); err != nil || len(got.Told) != 0 {
		t.Errorf("with none allowed %+v, %v", got, err)
	}
}

// BenchmarkAhead is what a key of a task costs, of 14,391 lessons in 27 projects.
func BenchmarkAhead(b *testing.B) {
	var ls []lessons.Lesson
	for i := range 14391 {
		ls = append(ls, lessonOf(fmt.Sprintf("b%07d", i), fmt.Sprintf("project%d", i%27), fmt.Sprintf("When the %d. run of suite %d fails after an update, look at the log of step %d first", i, i%97, i%31)))
	}
	p, _ := preview(b, ls...)
	s := recall.Situation{Project: "project3", Prompt: "the suite fails after an update: look at the log of the step", Now: time.Now()}
	for b.Loop() {
		s.Now = time.Now()
		if _, err := p.Ahead(b.Context(), "claude", s); err != nil {
			b.Fatal(err)
		}
	}
}
