package index

import (
	"bytes"
	"encoding/binary"
	"testing"

	"learnings/lessons"
)

// TestAlike: a phrase that says the same in other words is more alike than one that
// shares a word, and what is kept of a lesson may be cut anywhere.
func TestAlike(t *testing.T) {
	kept := func(content string, triggers ...string) []byte {
		l, m := lessons.Lesson{Wording: lessons.Wording{Content: content}, Triggers: triggers}, newMaker()
		_ = m.text(l)
		return m.phrases(l)
	}
	for _, tt := range []struct{ query, right, wrong string }{
		{"fix failing pytest", "Rerun a flaky test before you blame the code", "Fix spelling in the changelog"},
		{"close the issue", "Reply in the ticket and resolve the bug", "Colours come from the theme"},
	} {
		a := newAlikeness(tt.query)
		a.weigh(nil)
		met, _ := a.to(kept("Something else. Entirely", tt.right))
		other, _ := a.to(kept("Something else. Entirely", tt.wrong))
		if met <= other {
			t.Errorf("%s: %.2f of %q, %.2f of %q", tt.query, met, tt.right, other, tt.wrong)
		}
	}
	a := newAlikeness("which shell")
	a.weigh(nil)
	whole := kept("Scripts are for bash: always", "which shell")
	if met, said := a.to(whole); met < 0.99 || said < 0.99 {
		t.Errorf("its own trigger is alike by %.2f, %.2f", met, said)
	}
	if _, said := a.to(kept("Which shell")); said < clause-0.01 || said > clause+0.01 {
		t.Errorf("its own sentence is alike by %.2f, want %.2f", said, clause)
	}
	for n := range whole {
		if met, said := a.to(whole[:n]); met < 0 || met > 1 || said < 0 || said > 1 {
			t.Errorf("cut at %d: %.2f, %.2f", n, met, said)
		}
	}
	if met, said := newAlikeness("the of").to(whole); met != 0 || said != 0 {
		t.Error("a query without words is alike to something")
	}
}

// TestPhrasesOfWords: what is kept of a lesson is what splitting each of its phrases gives.
func TestPhrasesOfWords(t *testing.T) {
	m := newMaker()
	for _, content := range []string{"", "the", "Run go.mod: parseQuery2 and don't. Then 日本語; end", "One clause. The of", "it's! a_b.c", "Whole", "X\nthe"} {
		l := lessons.Lesson{Wording: lessons.Wording{Content: content}, Triggers: []string{"", "fix go.mod", "in the logs of logs"}}
		_ = m.text(l)
		var want []byte
		for _, text := range append([]string{content, firstClause(content)}, l.Triggers...) {
			words := bareWords(text)
			want = append(want, byte(len(words)))
			for _, w := range words {
				c := codeOf(w)
				want = binary.LittleEndian.AppendUint16(want, c.number)
				want = binary.LittleEndian.AppendUint16(want, c.stem)
			}
		}
		if got := m.phrases(l); !bytes.Equal(got, want) {
			t.Errorf("%q: %v, not %v", content, got, want)
		}
	}
}
