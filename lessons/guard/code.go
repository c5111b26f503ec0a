package guard

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// Code returns the parts of a text that are code, as ranges of bytes in order: what is in
// backticks, programs whose names are not English words with their sub-command and flags,
// paths, addresses, and identifiers. A word that may as well be a word of a language is
// none: it needs a sign that only code has.
func Code(text string) (out [][2]int) {
	command := "" // the program before, whose sub-command or flag may follow
	for at := 0; at < len(text); {
		if text[at] == ' ' || text[at] == '\n' || text[at] == '\t' {
			at++
			continue
		}
		end := at + len(word(text[at:]))
		if open := strings.IndexByte(text[at:end], '`'); open >= 0 {
			at += open
			n := strings.IndexByte(text[at+1:], '`')
			if n < 0 {
				return out
			}
			out, at, command = append(out, [2]int{at, at + n + 2}), at+n+2, ""
			continue
		}
		from, to := at, end
		from += len(text[from:to]) - len(strings.TrimLeft(text[from:to], "\"'([{<“‘*,;"))
		w := strings.TrimRight(text[from:to], "\"'])}>”’*,;:.!?…")
		if w != "" && strings.HasPrefix(text[from+len(w)-1:to], "()") {
			w = text[from : from+len(w)+1]
		}
		ended := from+len(w) < to // punctuation follows
		switch {
		case w == "":
		case command != "" && (slices.Contains(subs[command], w) || dashed(w) && len(w) > 1):
			out[len(out)-1][1] = from + len(w)
		case programs[w] || coded(w):
			out = append(out, [2]int{from, from + len(w)})
			command = w
		default:
			command = ""
		}
		if ended {
			command = ""
		}
		at = end
	}
	return out
}

// word returns the beginning of s up to a blank.
func word(s string) string {
	if i := strings.IndexAny(s, " \n\t"); i >= 0 {
		return s[:i]
	}
	return s
}

// coded reports whether a word is a flag, a path, an address or an identifier.
func coded(w string) bool {
	letters := strings.ContainsFunc(w, unicode.IsLetter)
	switch {
	case !letters || strings.Contains(w, "--") && !strings.HasPrefix(w, "--"):
		return false
	case dashed(w), strings.Contains(w, "://"), strings.HasSuffix(w, "()"), strings.Contains(w, "::"):
		return true
	case strings.HasPrefix(w, "./"), strings.HasPrefix(w, "../"), strings.HasPrefix(w, "~/"), w[0] == '/' && strings.Count(w, "/") > 1:
		return true
	case wellKnown[path.Base(w)], extensions[strings.TrimPrefix(path.Ext(w), ".")]:
		return true
	}
	lower := false // the letter before is a small one
	for i, r := range w {
		inner := i > 0 && i+1 < len(w)
		switch {
		case r == '_' && inner, r == '=' && inner:
			return true
		case r == '.' && inner && lower && dotted(w[:i], w[i+1:]):
			return true
		case unicode.IsUpper(r) && lower && unicode.IsLower(rune(w[0])) && i > 1: // editPrompt, not iPhone
			return true
		}
		lower = unicode.IsLower(r)
	}
	return strings.HasSuffix(w, "/") && len(w) > 2
}

// dotted reports whether a dot joins two names, as in strings.Contains, and not the letters
// of an abbreviation.
func dotted(before, after string) bool {
	before = before[strings.LastIndexAny(before, "./")+1:]
	after = after[:len(after)-len(strings.TrimLeftFunc(after, unicode.IsLetter))]
	return len(before) > 1 && len(after) > 1
}
