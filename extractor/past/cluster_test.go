package past

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func lists(texts ...string) [][]string {
	out := make([][]string, len(texts))
	for i, s := range texts {
		out[i] = strings.Fields(s)
	}
	return out
}

func TestLeaders(t *testing.T) {
	texts := lists(
		"cart.go undefined openrepository typecheck", "string replace not found file", "cart.go undefined closerepository typecheck",
		"pytest command not found", "permission denied publickey git", "pay.go undefined openrepository typecheck", "",
	)
	if got, want := leaders(texts, 0.5), []int{0, 1, 0, 3, 4, 0, 6}; !slices.Equal(got, want) {
		t.Errorf("leaders %v, want %v", got, want)
	}
}

// TestLeadersAgainstAll: the result is that of comparing each text with all leaders.
func TestLeadersAgainstAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 40).Draw(t, "n")
		texts := make([][]string, n)
		for i := range texts {
			texts[i] = rapid.SliceOfNDistinct(rapid.SampledFrom(strings.Split("abcdefghijklmnop", "")), 0, 8, rapid.ID).Draw(t, "words")
		}
		idf := idfs(texts)
		least := rapid.Float64Range(0.1, 0.95).Draw(t, "least")
		want := make([]int, n)
		for i := range texts {
			want[i] = i
			most := least
			for k := range i {
				if c := cosine(idf, texts[i], texts[k]); want[k] == k && (c > most || c == most && want[i] == i) {
					want[i], most = k, c
				}
			}
		}
		if got := leaders(texts, least); !slices.Equal(got, want) {
			t.Fatalf("leaders %v, want %v of %v", got, want, texts)
		}
	})
}

func cosine(idf map[string]float64, a, b []string) float64 {
	var dot, x, y float64
	for _, w := range a {
		x += idf[w] * idf[w]
	}
	for _, w := range b {
		y += idf[w] * idf[w]
		if slices.Contains(a, w) {
			dot += idf[w] * idf[w]
		}
	}
	return dot / (math.Sqrt(x) * math.Sqrt(y))
}
