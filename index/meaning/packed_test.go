package meaning_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"learnings/index/meaning"
)

// What is packed is measured as what is stored, whatever the lesson and the question.
func TestPacked(t *testing.T) {
	words := strings.Fields("install build test cache retry timeout database branch merge commit never always before after " +
		"package module deploy server client xyzzyx token . : \n 7 café")
	rnd := rand.New(rand.NewPCG(1, 2))
	text := func(n int) string {
		var out []string
		for range n {
			out = append(out, words[rnd.IntN(len(words))])
		}
		return strings.Join(out, " ")
	}
	for range 500 {
		content, triggers, rest := text(rnd.IntN(30)), []string{text(rnd.IntN(4)), text(3)}[:rnd.IntN(3)], text(rnd.IntN(40))
		vectors := meaning.Words().Lesson(content, triggers, rest)
		packed, err := meaning.Pack(vectors)
		if err != nil {
			t.Fatal(err)
		}
		asked := meaning.Words().Of(text(rnd.IntN(6)))
		near, ok := asked.NearPacked()(packed)
		if want := asked.Near(vectors); !ok || near != want {
			t.Errorf("%v to %q: %v, %v; want %v", asked, content, near, ok, want)
		}
	}
}

func TestPackedBroken(t *testing.T) {
	packed, err := meaning.Pack(meaning.Words().Lesson("Run the tests before each commit", nil, ""))
	if err != nil {
		t.Fatal(err)
	}
	near := meaning.Words().Of("testing").NearPacked()
	for _, broken := range [][]byte{nil, packed[:5], packed[:len(packed)-1]} {
		if _, ok := near(broken); ok {
			t.Errorf("%d bytes of %d are taken for whole", len(broken), len(packed))
		}
	}
	if _, err := meaning.Pack([]byte("1234567")); err == nil {
		t.Error("what is no vector is packed")
	}
}
