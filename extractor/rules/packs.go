package rules

import (
	"path"
	"slices"
	"strings"
	"sync"
)

// unspaced are the languages written without spaces between words, or with
// endings attached to them. Their phrases are matched by character.
var unspaced = []string{"chinese", "japanese", "korean"}

// A pack is a language other than English: its phrases by the name of the form, as
// languages/README.md describes them.
type pack struct {
	language string
	together bool
	phrases  map[string][]string // "not" holds phrases that rule a lesson out, "asks" endings of questions
	closed   map[string][]string // the sections strong, weak and against by phrase, of a language that separates words
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
		p := pack{language: name, together: slices.Contains(unspaced, name), phrases: map[string][]string{}, closed: map[string][]string{}}
		for _, s := range sectionsOf(path.Join("languages", f.Name())) {
			for line := range strings.Lines(s.text) {
				p.phrases[s.name] = append(p.phrases[s.name], strings.TrimSpace(line))
			}
		}
		if !p.together {
			p.common = setOf(strings.Split(strings.Join(p.phrases["common"], "|"), "|"))
			for _, name := range []string{"strong", "weak", "against"} {
				for _, line := range p.phrases[name] {
					for _, phrase := range expand(strings.Fields(line)) {
						p.closed[phrase] = append(p.closed[phrase], name)
					}
				}
			}
		}
		out = append(out, p)
	}
	return out
})

// packOf is the language written without spaces in which a text is; nil for none.
func packOf(text string) *pack {
	for i, p := range packs() {
		if p.together && writtenIn(p.language, text) {
			return &packs()[i]
		}
	}
	return nil
}
