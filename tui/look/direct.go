package look

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// mark tells a terminal that goes by the direction of writing that text goes on from left
// to right. It takes no cell, and is not seen.
const mark = "\u200e"

// Direct ends what is written from right to left in a line of the screen where its column
// ends: a terminal that lays such text out would otherwise take the next column for a part
// of it, and swap the two. Lines without such text stay as they are.
func Direct(line string) string {
	if !mayTurn(line) {
		return line
	}
	var b strings.Builder
	done, end := 0, 0      // how much is written, and where the last such letter ends
	open, gap := false, "" // such text has begun, and what came since
	for i := 0; i < len(line); {
		if line[i] == 0x1b { // a look
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
			open = false // the terminal sees for itself that it is over
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

// mayTurn reports whether a line may have such letters, by the bytes that they begin with.
func mayTurn(line string) bool {
	for i := range len(line) {
		if c := line[i]; c >= 0xd6 && c <= 0xe0 || c == 0xef || c == 0xf0 {
			return true
		}
	}
	return false
}

// leftward reports whether a letter is of a script that is written from right to left.
func leftward(r rune) bool {
	switch {
	case r < 0x590:
		return false
	case r <= 0x8ff, r >= 0xfb1d && r <= 0xfdff, r >= 0xfe70 && r <= 0xfefc, r >= 0x10800 && r <= 0x10fff, r >= 0x1e800 && r <= 0x1efff:
		return unicode.IsLetter(r)
	}
	return false
}
