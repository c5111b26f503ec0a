package index

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2"

	"learnings/lessons"
	"learnings/lessons/lazy"
)

// A Unit is a word of a text, or a name with the words that it is made of.
type Unit struct {
	Name  string   // an identifier or a file name as a whole; "" for a plain word
	Words []string // the words of the name, or the one word
	Text  string   // as it is written
}

// Units are the words and names of a text, in their order and as often as they
// come. Stop words, chatter, and the hosts of addresses with
// who owns a repository there, are left out.
func Units(text string) []Unit {
	if strings.Contains(text, "://") || strings.Contains(text, "www.") || strings.Contains(text, ".com/") || strings.Contains(text, ".org/") {
		text = host().ReplaceAllString(text, " ")
	}
	var out []Unit
	var ends []int // where each of them begins
	for _, w := range split(text) {
		if !w.whole {
			if !chatter()[w.term] {
				out, ends = append(out, Unit{Words: []string{w.term}, Text: text[w.start:w.end]}), append(ends, w.start)
			}
			continue
		}
		if !identifier(text[w.start:w.end]) {
			continue
		}
		parts := len(out) // a whole follows its parts
		for parts > 0 && ends[parts-1] >= w.start {
			parts--
		}
		u := Unit{Name: w.term, Text: text[w.start:w.end]}
		for _, p := range out[parts:] {
			u.Words = append(u.Words, p.Words...)
		}
		out, ends = append(out[:parts], u), append(ends[:parts], w.start)
	}
	return out
}

var host = lazy.Regexp(`(?i)(?:https?://)?(?:www\.)?\b(?:github|gitlab|bitbucket)\.(?:com|org)/[^\s/]+/|https?://[^\s/]+/?|\bwww\.[^\s/]+/?`)

// identifier reports whether a compound is a name in code or of a file, and no
// word with a hyphen.
func identifier(s string) bool {
	if strings.ContainsAny(s, "_.") {
		return strings.IndexFunc(s, unicode.IsLetter) >= 0
	}
	var last rune
	for _, r := range s {
		if unicode.IsUpper(r) && unicode.IsLower(last) {
			return true
		}
		last = r
	}
	return false
}

// A Sharing is what lessons have in common with a text, word by word.
type Sharing struct {
	Of      int              // lessons that meet the conditions
	With    map[string]int   // how many of them have a word
	Lessons []lessons.Lesson // those that share most, the most first
}

// A Judge says what sharing words with a text is worth.
type Judge struct {
	// Worth is told in how many of how many lessons a word is. A word that is worth
	// nothing is passed over.
	Worth func(word string, with, of int) float64
	// Reads decides, by the words that a lesson shares, whether it is read; nil reads all.
	Reads func(shared []string, sharing Sharing) bool
}

// Shared finds the lessons that meet the conditions of a query and share most with
// some words, at most so many. A lesson shares the sum of what its words are worth.
// Terms, order and page of the query do not count.
//
// The errors to decide on are those of [Index.Search].
func (x *Index) Shared(ctx context.Context, q Query, words []string, most int, judge Judge) (Sharing, error) {
	out := Sharing{With: map[string]int{}}
	q.Terms, q.Sort = nil, Created
	err := x.view(ctx, func(b bleve.Index) error {
		snap, done, err := snapshot(b)
		if err != nil {
			return searchError(ctx, err)
		}
		defer done()
		w := newSets(ctx, b, snap)
		docs, err := w.find(q.request())
		if err != nil {
			return searchError(ctx, err)
		}
		out.Of = sizeOf(docs)
		sums, having, err := w.sums(docs, words, func(word string, with int) float64 {
			out.With[word] = with
			return judge.Worth(word, with, out.Of)
		})
		if err != nil {
			return searchError(ctx, err)
		}
		numbers := make([]uint64, 0, most)
		for _, s := range sums[:min(len(sums), most)] {
			if judge.Reads == nil || judge.Reads(having(s.doc), out) {
				numbers = append(numbers, s.doc)
			}
		}
		out.Lessons = make([]lessons.Lesson, len(numbers))
		err = readAll(snap, numbers, lessonField, func(i int, value []byte) error {
			return json.Unmarshal(value, &out.Lessons[i])
		})
		if err != nil {
			return searchError(ctx, err)
		}
		return nil
	})
	return out, err
}

// sums adds up for each document of some sets what its words are worth, and gives
// those that have any, the most first, and the words of each.
func (w sets) sums(docs []*roaring.Bitmap, words []string, worth func(word string, with int) float64) ([]match, func(doc uint64) []string, error) {
	at := map[uint64]float64{}
	having := make([][]*roaring.Bitmap, len(words))
	for n, word := range words {
		having[n] = w.none()
		for i := range docs {
			list, err := w.list(i, textField, word)
			if err != nil {
				return nil, nil, err
			}
			if l, ok := list.(interface{ OrInto(*roaring.Bitmap) }); ok {
				l.OrInto(having[n][i])
				having[n][i].And(docs[i])
			}
		}
		v := worth(word, sizeOf(having[n]))
		if v <= 0 {
			continue
		}
		for _, doc := range w.numbers(having[n], 0) {
			at[doc] += v
		}
	}
	out := make([]match, 0, len(at))
	for doc, sum := range at {
		out = append(out, match{doc: doc, score: sum})
	}
	slices.SortFunc(out, func(a, b match) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.doc, b.doc)) })
	return out, func(doc uint64) (its []string) {
		one := inFiles(w.snap, []uint64{doc})
		for n, word := range words {
			for i, in := range one {
				if in.Intersects(having[n][i]) {
					its = append(its, word)
				}
			}
		}
		return its
	}, nil
}
