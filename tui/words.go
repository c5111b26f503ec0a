package tui

import (
	"strings"

	"learnings/lessons"
)

// A stretch is neighbouring words of a word diff with the same fate.
type stretch struct {
	sign byte // ' ' in both, '-' only in the old text, '+' only in the new one
	text string
}

// most words of a text that are compared: the table of a comparison grows with
// their product.
const mostWords = 600

// compare tells two texts apart word by word.
func compare(before, after string) []stretch {
	a, b := words(before), words(after)
	// far[i][j] is how many words a[i:] and b[j:] have in common, in order.
	far := make([][]int, len(a)+1)
	for i := range far {
		far[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				far[i][j] = far[i+1][j+1] + 1
			} else {
				far[i][j] = max(far[i+1][j], far[i][j+1])
			}
		}
	}
	var d diff
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			d.add(' ', a[i])
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && far[i+1][j] >= far[i][j+1]:
			d.add('-', a[i])
			i++
		default:
			d.add('+', b[j])
			j++
		}
	}
	return d
}

type diff []stretch

func (d *diff) add(sign byte, word string) {
	if n := len(*d); n > 0 && (*d)[n-1].sign == sign {
		(*d)[n-1].text += " " + word
		return
	}
	*d = append(*d, stretch{sign: sign, text: word})
}

func words(s string) []string {
	w := strings.Fields(lessons.Line(s))
	return w[:min(len(w), mostWords)]
}

// wordDiff is a comparison to look at: [-gone-] and {+added+}, which reads
// without colour too.
func wordDiff(before, after string, st style) string {
	var parts []string
	for _, s := range compare(before, after) {
		switch s.sign {
		case '-':
			parts = append(parts, each("[-"+s.text+"-]", st.bad.Render))
		case '+':
			parts = append(parts, each("{+"+s.text+"+}", st.good.Render))
		default:
			parts = append(parts, s.text)
		}
	}
	return strings.Join(parts, " ")
}

// each styles every word by itself, so that a line can be wrapped between them.
func each(text string, look func(...string) string) string {
	w := strings.Fields(text)
	for i := range w {
		w[i] = look(w[i])
	}
	return strings.Join(w, " ")
}
