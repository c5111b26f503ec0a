package rules

import (
	_ "embed" // for signs.txt
	"math/bits"
	"strings"
	"sync"
)

// A sign is a way in which people word a rule, a wish, a correction or a plain
// request. Signs are lists of phrases over the words that [words] returns: words
// in a row, "a|b" for either of two, "x?" for an optional one, "^" for the start
// of the sentence and "$" for its end. No sign contains the vocabulary of a
// particular project.

// signs are those of signs.txt, in the order of the file. What it says is of lists that
// speak for a lesson.
var signs = sync.OnceValue(func() []section { return sectionsOf("signs.txt") })

// phrases maps each phrase to the numbers of the signs that contain it. It is
// built on first use, since hooks start this program too.
var phrases = sync.OnceValue(func() map[string][]int {
	lists := make([]string, len(signs()))
	for i, s := range signs() {
		lists[i] = s.text
	}
	return byPhrase(lists)
})

// byPhrase maps each phrase to the numbers of the lists that contain it, and each
// beginning of one.
func byPhrase(lists []string) map[string][]int {
	m := make(map[string][]int, 4096)
	for i, list := range lists {
		for line := range strings.Lines(list) {
			for _, p := range expand(strings.Fields(line)) {
				if p != "" {
					addPhrase(m, p, i)
				}
			}
		}
	}
	return m
}

// addPhrase adds a number to those of a phrase. What begins a phrase and is none has
// no numbers, but is there: where a row of words is not, no phrase goes on from it.
func addPhrase(m map[string][]int, phrase string, n int) {
	for i := range len(phrase) {
		if begins := phrase[:i]; phrase[i] == ' ' && m[begins] == nil {
			m[begins] = nil
		}
	}
	m[phrase] = append(m[phrase], n)
}

// expand returns every phrase that a line of a sign stands for.
func expand(line []string) []string {
	out := []string{""}
	for _, item := range line {
		optional := len(item) > 1 && strings.HasSuffix(item, "?")
		alternatives := strings.Split(strings.TrimSuffix(item, "?"), "|")
		if item == "?" {
			alternatives = []string{"?"}
		}
		var next []string
		for _, head := range out {
			if optional {
				next = append(next, head)
			}
			for _, a := range alternatives {
				next = append(next, strings.TrimLeft(head+" "+a, " "))
			}
		}
		out = next
	}
	return out
}

// maxPhrase is the largest number of words in a phrase.
const maxPhrase = 5

// found returns the numbers of the signs in a row of words, sorted, without
// repetition.
func found(w []string) []int { return lookUp(phrases(), w) }

// lookUp returns the numbers of the lists whose phrases occur in a row of words,
// sorted, without repetition. There must be fewer than 64 lists.
func lookUp(phrases map[string][]int, w []string) (out []int) {
	var has uint64
	eachPhrase(phrases, w, func(k int) { has |= 1 << k })
	for ; has != 0; has &= has - 1 {
		out = append(out, bits.TrailingZeros64(has))
	}
	return out
}

// eachPhrase calls f for the numbers of each phrase that occurs in a row of words.
func eachPhrase(phrases map[string][]int, w []string, f func(int)) {
	row := make([]string, 0, len(w)+2)
	row = append(append(append(row, "^"), w...), "$")
	var b []byte
	for i := range row {
		b = b[:0]
		for n := 0; n < maxPhrase && i+n < len(row); n++ {
			if n > 0 {
				b = append(b, ' ')
			}
			b = append(b, row[i+n]...)
			numbers, begins := phrases[string(b)]
			if !begins {
				break
			}
			for _, k := range numbers {
				f(k)
			}
		}
	}
}
