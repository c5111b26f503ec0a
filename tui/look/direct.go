package look

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// mark is the left-to-right mark, which takes no cell.
const mark = "\u200e"

// Direct ends right-to-left text at the end of its column. A terminal with bidirectional
// layout would otherwise swap it with the next column. Other lines are unchanged.
func Direct(line string) string {
	if !mayTurn(line) {
		return line
	}
	var b strings.Builder
	done, end := 0, 0      // bytes written, and the end of the last right-to-left letter
	open, gap := false, "" // inside right-to-left text, and what followed its last letter
	for i := 0; i < len(line); {
		if line[i] == 0x1b { // an escape sequence
			k := strings.IndexByte(line[i:], 'm')
			if k < 0 {
				break
			}
			i += k + 1
			continue
		}
		r, n := utf8.DecodeRuneInString(line[i:])
		i += n
		switch {
		case leftward(r):
			open, gap, end = true, "", i
		case !open:
		case unicode.Is(unicode.M, r) && gap == "":
			end = i
		case unicode.IsLetter(r):
			open = false // the terminal sees that the text has ended
		case r == ' ' && gap == " ", r == '·', r >= 0x2500 && r <= 0x25ff:
			b.WriteString(line[done:end] + mark)
			done, open = end, false
		default:
			gap = string(r)
		}
	}
	if done == 0 {
		return line
	}
	return b.String() + line[done:]
}

// mayTurn reports whether a line may have right-to-left letters, judging by lead bytes.
func mayTurn(line string) bool {
	for i := range len(line) {
		if c := line[i]; c >= 0xd6 && c <= 0xe0 || c == 0xef || c == 0xf0 {
			return true
		}
	}
	return false
}

// leftward reports whether r belongs to a right-to-left script.
func leftward(r rune) bool {
	switch {
	case r < 0x590:
		return false
	case r <= 0x8ff, r >= 0xfb1d && r <= 0xfdff, r >= 0xfe70 && r <= 0xfefc, r >= 0x10800 && r <= 0x10fff, r >= 0x1e800 && r <= 0x1efff:
		return unicode.IsLetter(r)
	}
	return false
}
