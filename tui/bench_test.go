package tui

import (
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
)

// crowd is a queue of the size of the largest corpus that we know of.
func crowd(n int) []lessons.Lesson {
	some := queue()
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

// BenchmarkView is one frame of a queue of 14,391 proposals.
func BenchmarkView(b *testing.B) {
	p := playing(b, fxOn(newCorpus(crowd(14391)...)), 120, 40)
	p.press("j", "j")
	for b.Loop() {
		_ = p.a.View()
	}
}

// BenchmarkKey is from a key to its frame in a queue of 14,391 proposals.
func BenchmarkKey(b *testing.B) {
	p := playing(b, fxOn(newCorpus(crowd(14391)...)), 120, 40)
	keys := []tea.KeyPressMsg{keyOf("j"), keyOf("k")}
	for i := 0; b.Loop(); i++ {
		m, _ := p.a.Update(keys[i%2])
		p.a = m.(app)
		_ = p.a.View()
	}
}
