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
	switch {
	case p == "it's" || p == "that's":
	case p != "it" && p != "this" && p != "that", at == 0 && !behindPointer()[next]:
		return "", false
	}
	name := m.antecedent(i)
	if name == "" {
		return "", false
	}
	if strings.HasSuffix(p, "'s") {
		name += " is"
	}
	w[at] = name
	return strings.Join(w, " "), true
}

// antecedent is the one name of code in the sentence before sentence i. The subject of
// that sentence was the wrong one too often.
// What the agent said last is no such sentence: people mean what they look at.
func (m *moment) antecedent(i int) string {
	if i == 0 || strings.HasSuffix(m.all[i-1].text, "?") {
		return ""
	}
	if things := thingsIn(m.all[i-1].text); len(things) == 1 {
		return things[0]
	}
	return ""
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
