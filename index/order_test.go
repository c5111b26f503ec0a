package index

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"learnings/lessons"
)

// TestOrder: the order of words is read as it was kept.
func TestOrder(t *testing.T) {
	for _, text := range []string{"", "a", "run the tests", "parseQuery in go.mod is not a.b.c.d", "日本語 and 語", "the the the the x", strings.Repeat("of ", 300) + "end"} {
		words := apart(apart(nil, text, root), text, root)
		var f folder
		salt, got, ok := unfold(nil, f.fold(words))
		if !ok || len(got) != len(words) {
			t.Fatalf("%q: %d words, not %d", text, len(got), len(words))
		}
		for i, w := range words {
			if got[i].pos != w.pos || got[i].hash != hashOf(w.term, salt) {
				t.Errorf("%q: word %d is %+v, not %+v", text, i, got[i], w)
			}
		}
	}
	for _, broken := range [][]byte{{}, {0, 1}, {0, 0, 0x80}, {0, 0, 0x80, 0x80}, {0, 1, 0, 1}, {unsalted + 1}} {
		if _, words, ok := unfold(nil, broken); ok {
			t.Errorf("%v is %v", broken, words)
		}
	}
}

func FuzzOrder(f *testing.F) {
	f.Add("parseQuery in the go.mod", "go.mod", []byte{1, 0x80, 6})
	f.Add("日本語 and a_b.c-d", "語 and", []byte{})
	f.Fuzz(func(t *testing.T, text, asked string, raw []byte) {
		_, _, _ = unfold(nil, raw)
		words := apart(apart(nil, text, root), asked, root)
		p := phraseOf(asked)
		if !p.in(words) {
			t.Errorf("%q is not found where it stands", asked)
		}
		var f folder
		salt, hashes, ok := unfold(nil, f.fold(words))
		if !ok || salt == unsalted && len(words) < 100 {
			t.Fatalf("%q has the salt %d", text, salt)
		}
		of := p.hashes()[salt]
		if !p.fits(len(hashes), func(i int) int { return hashes[i].pos }, func(place, i int) bool { return slices.Contains(of[place], hashes[i].hash) }) {
			t.Errorf("%q is ruled out where it stands", asked)
		}
	})
}

// TestPhraseOfIdentifiers: the parts of the longest identifier and what is around it are
// found, in each place.
func TestPhraseOfIdentifiers(t *testing.T) {
	long := strings.TrimSuffix(strings.Repeat("b.", maxWord/2), ".")
	text := "start " + long + " middle " + long + " end"
	words := split(text)
	for phrase, want := range map[string]bool{
		text: true, "start " + long: true, long + " end": true, "b b middle b b": true, "b end": true, "start b": true,
		"start middle": false, "b start": false, "end b": false, "middle " + long + " middle": false,
	} {
		if got := phraseOf(phrase).in(words); got != want {
			t.Errorf("%q is in the text: %v", phrase, got)
		}
	}
}

// TestPhraseOfAnotherHash: a lesson that lacks one of the words that will do at a place of a
// phrase, and has another with the same hash there, has not the phrase.
func TestPhraseOfAnotherHash(t *testing.T) {
	like := ""
	for i := 0; like == ""; i++ {
		if s := fmt.Sprintf("x%d", i); hashOf(s, 0) == hashOf("go.mod", 0) {
			like = s
		}
	}
	for content, want := range map[string]int{like + " mod file and go": 0, "the go.mod file": 1, "go mod file": 1} {
		x := At(t.TempDir())
		log := oneLesson{lessons.Lesson{ID: "a", Wording: lessons.Wording{Content: content}, Status: lessons.Approved, Created: time.Unix(0, 0)}}
		if _, err := x.Sync(t.Context(), log); err != nil {
			t.Fatal(err)
		}
		page, err := x.Search(t.Context(), Query{Terms: []Term{{Text: "go.mod file", Phrase: true}}})
		if err != nil || page.Total != want {
			t.Errorf("%q: %d lessons have the phrase, %v", content, page.Total, err)
		}
	}
}
