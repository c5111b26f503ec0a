package packs

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"
)

// JavaScript and Go agree on which of several matches an expression has. They differ
// in what these stand for, without the flags u and s:
//
//   - . is anything but \n, \r, U+2028 and U+2029; in Go it is anything but \n.
//   - \s is white space of all of Unicode; in Go that of ASCII.
//   - With the flag i, k and s do not match the Kelvin sign and the long s.
const (
	jsSpace = `\t\n\v\f\r \x{00a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
	jsDot   = `[^\n\r\x{2028}\x{2029}]`
)

// ignoringCase gives an expression of JavaScript, which has the flag i, when it is
// first asked for. Of classes it knows those of letters, blanks and signs.
func ignoringCase(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(translated(expr)) })
}

func translated(expr string) string {
	var b strings.Builder
	class := false
	for i := 0; i < len(expr); i++ {
		c := expr[i]
		switch {
		case c == '\\' && i+1 < len(expr):
			i++
			switch {
			case expr[i] == 's' && class:
				b.WriteString(jsSpace)
			case expr[i] == 's':
				b.WriteString("[" + jsSpace + "]")
			default:
				b.WriteString(expr[i-1 : i+1])
			}
		case class && i+2 < len(expr) && expr[i+1] == '-' && letter(c) && letter(expr[i+2]):
			b.WriteString(both(c, expr[i+2]))
			i += 2
		case c == '[' || c == ']':
			class = c == '['
			b.WriteByte(c)
		case class && letter(c):
			b.WriteString(string(lower(c)) + string(upper(c)))
		case letter(c):
			b.WriteString("[" + string(lower(c)) + string(upper(c)) + "]")
		case c == '.' && !class:
			b.WriteString(jsDot)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// both is a range of letters in both cases.
func both(from, to byte) string {
	return string(lower(from)) + "-" + string(lower(to)) + string(upper(from)) + "-" + string(upper(to))
}

func letter(c byte) bool { return lower(c) >= 'a' && lower(c) <= 'z' }
func lower(c byte) byte  { return c | 0x20 }
func upper(c byte) byte  { return c &^ 0x20 }

// units is the length of a text in JavaScript.
func units(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// slice is the first n units of a text. Half a character is left out.
func slice(s string, n int) string {
	for i, r := range s {
		if n -= utf16.RuneLen(r); n < 0 {
			return s[:i]
		}
	}
	return s
}

// trim takes away what JavaScript takes for white space.
func trim(s string) string { return strings.TrimFunc(s, isSpace) }

func isSpace(r rune) bool {
	switch {
	case r >= '\t' && r <= '\r', r == ' ', r == 0xa0, r == 0x1680, r >= 0x2000 && r <= 0x200a, r == 0x2028, r == 0x2029, r == 0x202f, r == 0x205f, r == 0x3000, r == 0xfeff:
		return true
	}
	return false
}

// lineAround is the line of a text in which a part of it begins.
func lineAround(s string, at int) string {
	end := func(r rune) bool { return r == '\n' || r == '\r' || r == 0x2028 || r == 0x2029 }
	from, to := strings.LastIndexFunc(s[:at], end), strings.IndexFunc(s[at:], end)
	if from >= 0 {
		_, n := utf8.DecodeRuneInString(s[from:])
		from += n
	} else {
		from = 0
	}
	if to < 0 {
		return trim(s[from:])
	}
	return trim(s[from : at+to])
}
