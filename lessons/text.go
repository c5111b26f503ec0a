package lessons

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file makes hostile text safe to show. The rules are:
//
//    - Nothing that a terminal would act on passes: escape sequences are dropped,
//      control characters become a visible sign.
//    - Nothing invisible passes that could make text read differently from what it
//      says: bidi controls, zero-width characters, tag characters.
//    - Letters, marks and emoji of all scripts pass unchanged.

// Line makes text safe to show on one line. White space becomes single blanks.
func Line(s string) string {
	return strings.Join(strings.Fields(Block(s)), " ")
}

// Block makes text safe to show and keeps its lines. Tabs become four blanks, so that the
// measured width is the shown one.
func Block(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	var last rune
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == '\x1b' || r == '\u009b' || r == '\u009d' || r == '\u0090' {
			i += escape(s[i:])
			continue
		}
		i += n
		switch {
		case r == '\n':
			b.WriteByte('\n')
		case r == '\t':
			b.WriteString("    ")
		case r == '\r':
			if !strings.HasPrefix(s[i:], "\n") {
				b.WriteByte('\n')
			}
		case r == '\u2028' || r == '\u2029' || r == '\v' || r == '\f':
			b.WriteByte('\n')
		case r < ' ':
			b.WriteRune('\u2400' + r) // control pictures: ␀ … ␟
		case r == '\x7f':
			b.WriteRune('␡')
		case r == '\u200d':
			// A joiner combines emoji; anywhere else it only hides.
			next, _ := utf8.DecodeRuneInString(s[i:])
			if pictograph(last) && pictograph(next) {
				b.WriteRune(r)
			}
		case hidden(r):
		case r == utf8.RuneError:
			b.WriteRune('\ufffd')
		default:
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

// Hidden reports whether text contains invisible characters that could change how it
// reads, or escape sequences.
func Hidden(s string) bool {
	if plain(s) {
		return false
	}
	var last rune
	for i, r := range s {
		switch {
		case r == '\u200d' && pictograph(last):
			if next, _ := utf8.DecodeRuneInString(s[i+len("\u200d"):]); !pictograph(next) {
				return true
			}
		case r == '\x1b', r != '\n' && r != '\t' && r != '\r' && unicode.IsControl(r), hidden(r) && r != '\ufeff':
			return true
		}
		last = r
	}
	return false
}

// plain reports whether nothing needs to change, the common case.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < ' ' && c != '\n') || c >= 0x7f {
			return false
		}
	}
	return true
}

// hidden reports whether a character is invisible and can change how text reads.
func hidden(r rune) bool {
	switch {
	case r >= 0x80 && r <= 0x9f, // C1 controls
		r >= 0x200b && r <= 0x200f,   // zero width, direction marks
		r >= 0x202a && r <= 0x202e,   // bidi embeddings and overrides
		r >= 0x2060 && r <= 0x206f,   // invisible operators, bidi isolates
		r >= 0xfff9 && r <= 0xfffb,   // interlinear annotation
		r >= 0xe0000 && r <= 0xe0fff: // tags, variation selectors supplement
		return true
	}
	switch r {
	case 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180e, 0x3164, 0xfeff, 0xffa0:
		return true
	}
	return false
}

func pictograph(r rune) bool {
	return r >= 0x1f000 && r <= 0x1faff || r >= 0x2600 && r <= 0x27bf || r == 0xfe0f
}

// escape returns the length of the escape sequence at the start of s: CSI, a short one,
// or a string sequence (OSC, DCS, APC, PM, SOS) up to its end or, if unterminated, to the
// end of the line.
func escape(s string) int {
	r, n := utf8.DecodeRuneInString(s)
	kind := byte(0)
	switch {
	case r == '\u009b':
		kind = '['
	case r == '\u009d' || r == '\u0090':
		kind = ']'
	case len(s) > 1:
		kind = s[1]
		n = 2
	default:
		return 1
	}
	switch kind {
	case '[':
		for n < len(s) && s[n] >= 0x20 && s[n] <= 0x3f {
			n++
		}
		if n < len(s) && s[n] >= 0x40 && s[n] <= 0x7e {
			n++
		}
		return n
	case ']', 'P', '_', '^', 'X':
		for i := n; i < len(s); i++ {
			switch {
			case s[i] == '\a':
				return i + 1
			case s[i] == '\x1b' && i+1 < len(s) && s[i+1] == '\\':
				return i + 2
			case s[i] == '\n':
				return i
			}
		}
		return len(s)
	}
	if kind >= 0x20 && kind <= 0x2f { // ESC ( B and the like
		for n < len(s) && s[n] >= 0x20 && s[n] <= 0x2f {
			n++
		}
		return min(n+1, len(s))
	}
	if kind < 0x20 || kind >= 0x7f {
		return 1
	}
	return n
}
