package tui

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/store"
	"learnings/tui/desk"
)

// crowd returns a queue as large as the largest known corpus.
func crowd(n int) []lessons.Lesson {
	some := proposals()
	all := make([]lessons.Lesson, n)
	for i := range all {
		l := some[i%5]
		l.ID = lessons.ID(fmt.Sprintf("c%07d", i))
		l.Content = fmt.Sprintf("%s (%d)", l.Content, i)
		l.Created = noon.Add(-time.Duration(i) * time.Minute)
		all[i] = l
	}
	return all
}

// BenchmarkView draws a frame of a queue of 14,391 proposals, with the turns around the
// evidence on a wide screen.
func BenchmarkView(b *testing.B) {
	c := newCorpus(b, append(crowd(14391), judged(b)...)...)
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			p := playing(b, fxOn(c), size[0], size[1]).press("/").typed("stale client")
			p.press("enter", "j")
			for b.Loop() {
				_ = p.a.View()
			}
		})
	}
}

// BenchmarkKey measures from a key to its frame in a queue of 14,391 proposals.
func BenchmarkKey(b *testing.B) {
	p := playing(b, fxOn(newCorpus(b, crowd(14391)...)), 120, 40)
	keys := []tea.KeyPressMsg{keyOf("j"), keyOf("k")}
	for i := 0; b.Loop(); i++ {
		m, _ := p.a.Update(keys[i%2])
		p.a = m.(app)
		_ = p.a.View()
	}
}

// BenchmarkType measures from a key of a search to the frame with its answer, on a real
// index of 14,391 lessons. It includes all jobs that the key starts, even if the frame
// does not need them. It reports the 95th percentile.
func BenchmarkType(b *testing.B) {
	dir := b.TempDir()
	s, err := store.Open(filepath.Join(dir, "corpus"), store.Options{State: filepath.Join(dir, "state")})
	if err != nil {
		b.Fatal(err)
	}
	all := crowd(14391)
	for i := range all {
		if i%2 == 0 {
			all[i].Status = lessons.Approved
		}
	}
	if _, err := s.Put(store.Write{Op: "import", By: "test"}, all...); err != nil {
		b.Fatal(err)
	}
	fx := newEffects(desk.Config{Corpus: &curate.Corpus{Library: curate.Library{Store: s, Index: index.At(filepath.Join(dir, "index")), Now: time.Now}, By: "Ada"}})
	for name, keys := range map[string][]string{"review": {"/"}, "browse": {"tab", "/"}} {
		b.Run(name, func(b *testing.B) {
			p := playing(b, fx, 120, 40)
			p.send(doneMsg{msg: fx.Sync()(b.Context())})
			p.press(keys...)
			typing := []string{"g", "e", "n", "e", "r", "backspace", "backspace", "backspace", "backspace", "backspace"}
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				begin := time.Now()
				m, cmd := p.a.Update(keyOf(typing[i%len(typing)]))
				p.a = m.(app)
				for _, msg := range messages(cmd) { // not the jobs that follow: the frame is complete
					m, _ = p.a.Update(msg)
					p.a = m.(app)
				}
				_ = p.a.View()
				took = append(took, time.Since(begin))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
		})
	}
}

// BenchmarkTask measures from a key of the task to the frame with the new block.
func BenchmarkTask(b *testing.B) {
	ls := crowd(14391)
	for i := range ls {
		ls[i].Status, ls[i].Scope.Project = lessons.Approved, fmt.Sprintf("project%d", i%27)
	}
	fx := fxTelling(b, ls...)
	fx.Next.Project = "project3"
	p := playing(b, fx, 120, 40).press("alt+5", "/")
	keys := append(slices.Repeat([]string{"p", "n", "p", "m"}, 4), slices.Repeat([]string{"backspace"}, 16)...)
	for i := 0; b.Loop(); i++ {
		p.press(keys[i%len(keys)])
		_ = p.a.View()
	}
}
