package index

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"learnings/lessons"
)

// A Unit is a word of a text, or a name with its words.
type Unit struct {
	Name  string   // a whole identifier or file name; "" for a plain word
	Words []string // the words of the name, or the one word
	Text  string   // as written
}

// Units returns the words and names of a text, in order and with repetitions. It leaves out
// stop words, chatter, and the hosts of addresses together with the owner of a repository
// there.
func Units(text string) []Unit {
	if strings.Contains(text, "://") || strings.Contains(text, "www.") || strings.Contains(text, ".com/") || strings.Contains(text, ".org/") {
		text = host().ReplaceAllString(text, " ")
	}
	var out []Unit
	var ends []int // the beginning of each
	for _, w := range split(text, root) {
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

var host = lessons.LazyRegexp(`(?i)(?:https?://)?(?:www\.)?\b(?:github|gitlab|bitbucket)\.(?:com|org)/[^\s/]+/|https?://[^\s/]+/?|\bwww\.[^\s/]+/?`)

// identifier reports whether a compound is a name in code or of a file, rather than a word
// with a hyphen.
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

// A Sharing is what lessons have in common with a text, by word.
type Sharing struct {
	Of      int              // lessons that meet the conditions
	With    map[string]int   // how many of them have a word
	Lessons []lessons.Lesson // those that share most, the most first
}

// Shared finds at most the given number of lessons that meet the conditions of q and share
// most with the words. A lesson's share is the sum of the worth of its words; worth is
// called with the number of lessons that have the word, and of all. Shared ignores terms,
// order and page of q.
//
// The errors to decide on are those of [Index.Search].
func (x *Index) Shared(ctx context.Context, q Query, words []string, most int, worth func(word string, with, of int) float64) (Sharing, error) {
	out := Sharing{With: map[string]int{}}
	q.Terms, q.Sort = nil, Created
	return out, x.view(ctx, func(r *reader) error {
		a, err := r.among(q.parsed())
		if err != nil {
			return err
		}
		out.Of = len(a.of)
		sums := make([]float64, len(a.of))
		for _, word := range words {
			with, err := a.having(word)
			if err != nil {
				return err
			}
			out.With[word] = len(with)
			w := max(worth(word, len(with), out.Of), 0)
			for _, p := range with {
				sums[p.at] += w
			}
		}
		var best []match
		for i, sum := range sums {
			if sum > 0 {
				best = append(best, match{doc: a.of[i], score: sum})
			}
		}
		slices.SortStableFunc(best, func(a, b match) int { return cmp.Compare(b.score, a.score) })
		out.Lessons, err = decoded[lessons.Lesson](r, docsOf(best[:min(len(best), most)]), lessonField)
		return err
	})
}
