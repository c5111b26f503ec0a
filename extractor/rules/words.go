package rules

import (
	"embed"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed words.txt phrases.txt signs.txt classes.txt force.txt leads.txt languages/*.txt
var texts embed.FS

// A section is a list in a text file. It begins with a line that holds its name in
// brackets and what it is.
type section struct{ name, says, text string }

// sectionsOf reads a file of lists. Lines before the first are comments.
func sectionsOf(file string) (out []section) {
	text, err := texts.ReadFile(file)
	if err != nil {
		panic(err) // it is built in
	}
	for line := range strings.Lines(string(text)) {
		if name, says, ok := strings.Cut(line, "]"); ok && strings.HasPrefix(name, "[") {
			out = append(out, section{name: name[1:], says: strings.TrimSpace(says)})
		} else if len(out) > 0 && strings.TrimSpace(line) != "" {
			out[len(out)-1].text += line
		}
	}
	return out
}

// lists are those of words.txt, by name. They are read on first use, since hooks start
// this program too and need few of them.
var lists = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, s := range sectionsOf("words.txt") {
		out[s.name] = s.text
	}
	return out
})

// wordSet is the set of words of a list.
func wordSet(name string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool { return setOf(strings.Fields(lists()[name])) })
}

func setOf(words []string) map[string]bool {
	out := make(map[string]bool, len(words))
	for _, w := range words {
		out[w] = true
	}
	return out
}

// lineList is the lines of a list.
func lineList(name string) func() []string {
	return sync.OnceValue(func() []string { return strings.Split(strings.TrimSpace(lists()[name]), "\n") })
}

// wordMap is a list whose lines are a word, a colon and others that stand for it: the one
// that each of them stands for.
func wordMap(name string) func() map[string]string {
	return sync.OnceValue(func() map[string]string {
		out := map[string]string{}
		for line := range strings.Lines(lists()[name]) {
			to, from, _ := strings.Cut(line, ":")
			for w := range strings.FieldsSeq(from) {
				out[w] = to
			}
		}
		return out
	})
}

// A mark is a wording of phrases.txt.
type mark struct {
	name string
	says string  // for the reviewer, where the wording says outright that something should be kept
	sure float64 // how certain that makes it; 0 for others
}

// A phrasebook finds wordings in a row of words.
type phrasebook struct {
	marks []mark
	at    map[string][]int // the marks of each phrase
}

// outright are the wordings of phrases.txt.
var outright = sync.OnceValue(func() phrasebook {
	var b phrasebook
	var lists []string
	for _, s := range sectionsOf("phrases.txt") {
		sure, _ := strconv.ParseFloat(s.name, 64)
		b.marks, lists = append(b.marks, mark{s.name, s.says, sure}), append(lists, s.text)
	}
	b.at = byPhrase(lists)
	return b
})

// marksOf gives the wordings in a row of words.
func marksOf(words []string) (out []*mark) {
	b := outright()
	for _, k := range lookUp(b.at, words) {
		out = append(out, &b.marks[k])
	}
	return out
}

// marked reports whether one of some wordings is of a name.
func marked(in []*mark, name string) bool {
	return slices.ContainsFunc(in, func(m *mark) bool { return m.name == name })
}
