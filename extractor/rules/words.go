package rules

import (
	"embed"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"learnings/lessons"
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
	return sync.OnceValue(func() map[string]bool { return lessons.WordSet(lists()[name]) })
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

// mostBetween is what "…" stands for in a language written without spaces between words.
const mostBetween = ".{0,8}"

// A pack is a language other than English: its phrases by the name of the form, as
// languages/README.md describes them.
type pack struct {
	language string
	phrases  map[string][]string         // "not" holds phrases that rule a lesson out, "asks" endings of questions
	together map[string]*regexp.Regexp   // the same of a language without spaces; nil for others
	closed   map[string]map[string][]int // the sections strong, weak and against of a language with them; 1 marks phrases of several words
	common   map[string]bool
}

// packs are all languages other than English, sorted by name.
var packs = sync.OnceValue(func() (out []pack) {
	files, err := texts.ReadDir("languages")
	if err != nil {
		panic(err) // it is built in
	}
	for _, f := range files {
		name := strings.TrimSuffix(f.Name(), ".txt")
		p := pack{language: name, phrases: map[string][]string{}, closed: map[string]map[string][]int{}}
		for _, s := range sectionsOf(path.Join("languages", f.Name())) {
			p.phrases[s.name] = strings.Split(strings.TrimSpace(s.text), "\n")
		}
		if slices.Contains([]string{"chinese", "japanese", "korean"}, name) {
			p.together = map[string]*regexp.Regexp{}
			for _, form := range append(formNames, "not") {
				p.together[form] = regexp.MustCompile(strings.ReplaceAll(strings.Join(p.phrases[form], "|"), "…", mostBetween))
			}
		}
		p.common = lessons.SetOf(strings.Split(strings.Join(p.phrases["common"], "|"), "|"))
		for _, name := range []string{"strong", "weak", "against"} {
			p.closed[name] = map[string][]int{}
			for _, line := range p.phrases[name] {
				for _, phrase := range expand(strings.Fields(line)) {
					addPhrase(p.closed[name], phrase, min(strings.Count(phrase, " "), 1))
				}
			}
		}
		out = append(out, p)
	}
	return out
})

// packOf is the language written without spaces in which a text is; nil for none.
func packOf(text string) *pack {
	in := script(text)
	if at := slices.IndexFunc(packs(), func(p pack) bool { return p.language == in }); at >= 0 {
		return &packs()[at]
	}
	return nil
}
