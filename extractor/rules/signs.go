package rules

import (
	_ "embed" // for signs.txt
	"math/bits"
	"strings"
	"sync"
)

// A sign is a way in which people word a rule, a wish, a correction or a mere
// request. Signs are written as phrases over the words that [words] gives:
// words in a row, "a|b" for either, "x?" for one that may be left out, "^" for
// the start of the sentence, "$" for its end. They hold no word of any one
// project.
type sign struct {
	name string
	says string // what it means, in words that a reviewer understands; "" for one that speaks against a lesson or says little
	list string // phrases, one a line
}

//go:embed signs.txt
var signText string

// signs are those of signs.txt, in its order: each begins with a line of its name in
// brackets and what it says.
var signs = sync.OnceValue(func() []sign {
	var out []sign
	for line := range strings.Lines(signText) {
		if head, ok := strings.CutPrefix(line, "["); ok {
			name, says, _ := strings.Cut(head, "]")
			out = append(out, sign{name: name, says: strings.TrimSpace(says)})
		} else {
			out[len(out)-1].list += line
		}
	}
	return out
})

// phrases are the signs by phrase: for each row of words the numbers of the
// signs that it is. They are built on first use: hooks start this program too.
var phrases = sync.OnceValue(func() map[string][]int {
	lists := make([]string, len(signs()))
	for i, s := range signs() {
		lists[i] = s.list
	}
	return byPhrase(lists)
})

// byPhrase gives the numbers of the lists that each phrase is in.
func byPhrase(lists []string) map[string][]int {
	m := make(map[string][]int, 4096)
	for i, list := range lists {
		for line := range strings.Lines(list) {
			for _, p := range expand(strings.Fields(line)) {
				if p != "" {
					m[p] = append(m[p], i)
				}
			}
		}
	}
	return m
}

// expand gives every phrase that a line of a sign stands for.
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

// maxPhrase is the most words in a phrase.
const maxPhrase = 5

// found gives the numbers of the signs in a row of words, each once, in order.
func found(w []string) []int { return lookUp(phrases(), w) }

// lookUp finds the phrases of a row of words, and gives their numbers, each
// once, in order. There are fewer than 64.
func lookUp(phrases map[string][]int, w []string) []int {
	row := make([]string, 0, len(w)+2)
	row = append(append(append(row, "^"), w...), "$")
	var has uint64
	var b []byte
	for i := range row {
		b = b[:0]
		for n := 0; n < maxPhrase && i+n < len(row); n++ {
			if n > 0 {
				b = append(b, ' ')
			}
			b = append(b, row[i+n]...)
			for _, k := range phrases[string(b)] {
				has |= 1 << k
			}
		}
	}
	var out []int
	for ; has != 0; has &= has - 1 {
		out = append(out, bits.TrailingZeros64(has))
	}
	return out
}
