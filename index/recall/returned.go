package recall

import (
	"slices"
	"strings"
	"unicode"

	"learnings/lessons"
)

const (
	leastRun  = 0.6 // share of a line's words that a lesson must have in a row
	mostCures = 3   // a line in more lessons than that says nothing
)

// returned returns for each lesson the line of the error that it has in any of its texts;
// "" for none.
func returned(all []lessons.Lesson, lines []string) []string {
	out := make([]string, len(all))
	if len(lines) == 0 {
		return out
	}
	texts := make([][][]string, len(all))
	for i, l := range all {
		texts[i] = kept(l)
	}
	for _, line := range lines {
		words := errorWords(line)
		var in []int
		for i := range all {
			if slices.ContainsFunc(texts[i], func(text []string) bool { return sameError(words, text) }) {
				in = append(in, i)
			}
		}
		if len(in) > mostCures {
			continue
		}
		for _, i := range in {
			if out[i] == "" {
				out[i] = line
			}
		}
	}
	return out
}

// kept returns the texts in which a lesson may keep an error, as words.
func kept(l lessons.Lesson) (out [][]string) {
	texts := []string{l.Content, l.Insight, l.Example, strings.Join(l.Triggers, "\n")}
	for _, e := range l.Evidence {
		texts = append(texts, e.Quote)
	}
	for _, t := range texts {
		for line := range strings.Lines(t[:min(len(t), maxPrompt)]) {
			var words []string
			for w := range strings.FieldsSeq(line) {
				if !passing().MatchString(strings.ToLower(w)) {
					words = append(words, errorWords(w)...)
				}
			}
			if len(words) > 0 {
				out = append(out, words)
			}
		}
	}
	return out
}

// errorWords returns the words of a line of an error, with whole identifiers.
func errorWords(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
}

// sameError reports whether a text has a line of an error: one of its codes, or most of its
// words in a row, including some that not all errors have.
func sameError(line, text []string) bool {
	if slices.ContainsFunc(line, func(w string) bool { return isCode(w) && slices.Contains(text, w) }) {
		return true
	}
	for i := range text {
		for k := range line {
			n, tells := 0, 0
			for i+n < len(text) && k+n < len(line) && strings.EqualFold(text[i+n], line[k+n]) {
				if !ofErrors[strings.ToLower(line[k+n])] {
					tells++
				}
				n++
			}
			if tells >= 2 && n >= 3 && float64(n) >= leastRun*float64(len(line)) {
				return true
			}
		}
	}
	return false
}

// isCode reports whether a word names an error or something in a program: ERESOLVE, E1234,
// TS2304, downtime_minutes.
func isCode(w string) bool {
	if len(w) < 5 || ofErrors[strings.ToLower(w)] {
		return false
	}
	letters, digits, upper := 0, 0, 0
	for _, r := range w {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsUpper(r):
			upper++
			fallthrough
		case unicode.IsLetter(r):
			letters++
		}
	}
	return strings.Contains(strings.Trim(w, "_"), "_") && letters > 3 || upper == letters && letters > 0 && (digits > 2 || letters > 6)
}

// ofErrors are words that errors of all kinds have.
var ofErrors = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`a an and are at be by can cannot could did do does for from has in is it must no not of on or should such
		that the this to was were when with you your line file files directory folder path command exit exited code status process error errors
		err failed failure failures fatal panic exception traceback warning warn find found missing unknown undefined unexpected invalid expected
		got received value type name named module modules package import object null none true false permission denied access refused connection
		connect timeout timed out unable open read write reading resolve syntax argument arguments option options test tests passed recent call last
		assertionerror typeerror valueerror keyerror importerror modulenotfounderror nameerror attributeerror runtimeerror filenotfounderror
		referenceerror syntaxerror enoent eacces eperm econnrefused etimedout eaddrinuse emfile enotempty eexist node_modules site_packages
		npm pnpm yarn python python3 node bash sh zsh git go make cargo stdin stdout stderr trace stack debug info log`) {
		m[w] = true
	}
	return m
}()
