package rules

import (
	"slices"
	"strings"
)

var behindPointer = wordSet("behind pointer")

// named puts the name of what was spoken of in the place of the pointer p of a
// text, which is sentence i of the moment; false when that is not safe.
func (m *moment) named(i int, text, p string) (string, bool) {
	w := strings.Fields(text)
	at := slices.IndexFunc(w, func(x string) bool { return strings.EqualFold(strings.Trim(x, ",.;:"), p) })
	if at < 0 || at+1 >= len(w) {
		return "", false
	}
	next := ""
	if f := words(w[at+1]); len(f) > 0 {
		next = f[0]
	}
	plural := p == "they" || p == "these" || p == "those" || p == "them"
	switch {
	case p == "it's" || p == "that's":
	case !slices.Contains([]string{"it", "this", "that", "they", "these", "those"}, p), at == 0 && !behindPointer()[next]:
		return "", false
	}
	name := m.antecedent(i, plural)
	if name == "" {
		return "", false
	}
	if strings.HasSuffix(p, "'s") {
		name += " is"
	}
	w[at] = name
	return strings.Join(w, " "), true
}

// antecedent is the one thing that was named in the sentence before sentence i.
// What the agent said last is no such sentence: people mean what they look at.
func (m *moment) antecedent(i int, plural bool) string {
	if i == 0 || strings.HasSuffix(m.all[i-1].text, "?") {
		return ""
	}
	before := m.all[i-1].text
	if things := thingsIn(before); len(things) > 1 || len(things) == 1 && !plural {
		if len(things) > 1 {
			return ""
		}
		return things[0]
	}
	return subject(before, plural)
}

// thingsIn gives the names of code, files and commands in a text, each once.
func thingsIn(text string) []string {
	var out []string
	for k, part := range strings.Split(text, "`") {
		if k%2 == 1 {
			if part = strings.TrimSpace(part); part != "" && len(part) < 60 && !slices.Contains(out, "`"+part+"`") {
				out = append(out, "`"+part+"`")
			}
			continue
		}
		for _, f := range strings.Fields(part) {
			f = strings.Trim(f, `"'().,;:?!*[]{}`)
			if f == "" || len(f) > 60 {
				continue
			}
			if c := class(f); (c == "<code>" || c == "<path>" || c == "<doc>") && !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	return out
}

// mostOfSubject is how many words a subject has behind its article.
const mostOfSubject = 3

// subject is what a sentence speaks of when that is plain: "the importer" of
// "The importer reads it twice"; "" otherwise.
func subject(text string, plural bool) string {
	w := strings.Fields(stripped(text))
	if len(w) < 3 || !slices.Contains([]string{"the", "our", "all", "every", "each", "a", "an"}, strings.ToLower(w[0])) {
		return ""
	}
	for n := 2; n <= 1+mostOfSubject && n < len(w); n++ {
		if strings.ContainsAny(w[n-1], ",;:.") || stopWords()[strings.ToLower(w[n-1])] {
			return ""
		}
		verb := strings.ToLower(strings.Trim(w[n], ",.;:"))
		if !behindPointer()[verb] || slices.Contains([]string{"also", "always", "never", "only"}, verb) {
			continue
		}
		if many := strings.HasSuffix(w[n-1], "s") && !strings.HasSuffix(w[n-1], "ss"); many != plural {
			return ""
		}
		article := strings.ToLower(w[0])
		if article == "a" || article == "an" {
			article = "the"
		}
		return article + " " + strings.Join(w[1:n], " ")
	}
	return ""
}
