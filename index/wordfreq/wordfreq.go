// Package wordfreq says how usual a word is in what developers write, so that what
// two texts share can be told from chance.
//
// It knows technical English and what people say to coding agents in general (built
// in), and what the person of this machine has said, in all projects and in each
// ([Learn]). Words are stems, as [learnings/index.Words] gives them.
package wordfreq

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
)

// Usual is how many words the text has for which chances are given.
const Usual = 40

//go:embed words.txt
var words string

// rare is the evidence, in tenths of a nat, of a word that the table lacks: the
// vocabulary of the table ends at one word in a million.
const rare = 101

// most is the highest chance that a word is given.
const most = 0.9

// Chance is how likely a text of [Usual] words is to have a word, by the table
// that is built in.
func Chance(word string) float64 {
	tenths, ok := lookUp(words, word)
	if !ok {
		tenths = rare
	}
	return min(most, math.Exp(-float64(tenths)/10))
}

// lookUp finds the number that stands behind a word in lines sorted by word.
func lookUp(lines, word string) (int, bool) {
	for len(lines) > 0 {
		mid := strings.LastIndexByte(lines[:len(lines)/2], '\n') + 1
		line, rest, _ := strings.Cut(lines[mid:], "\n")
		w, number, _ := strings.Cut(line, " ")
		switch {
		case w == word:
			n, err := strconv.Atoi(number)
			return n, err == nil
		case w < word:
			lines = rest
		default:
			lines = lines[:mid]
		}
	}
	return 0, false
}

// How many prompts the table counts for beside all of the person's, and all of the
// person's beside those of a project.
const (
	tableCounts, allCounts = 100, 20
)

// Chance is how likely a text of [Usual] words is to have a word, by all that is
// known. A nil Known knows the table.
func (k *Known) Chance(word string) float64 {
	p := Chance(word)
	if k == nil {
		return p
	}
	p = max(p, k.all.share(word, p, tableCounts))
	return min(most, max(p, k.own.share(word, p, allCounts)))
}

// share is the part of the prompts that have a word, where before counts for some.
func (c counts) share(word string, before, weight float64) float64 {
	n, _ := lookUp(c.lines, word)
	return (float64(n) + weight*before) / (float64(c.prompts) + weight)
}
