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

// A pack is a language other than English: its phrases, one a line, by the name
// of the form, as languages/README.md describes them.
type pack struct {
	language string
	together bool
	phrases  map[string]string // "not" holds phrases that rule a lesson out, "asks" endings of questions
}

// packs are all languages other than English, sorted by name.
var packs = sync.OnceValue(func() (out []pack) {
	files, err := texts.ReadDir("languages")
	if err != nil {
		panic(err) // it is built in
	}
	for _, f := range files {
		name := strings.TrimSuffix(f.Name(), ".txt")
		p := pack{name, slices.Contains(unspaced, name), map[string]string{}}
		for _, s := range sectionsOf(path.Join("languages", f.Name())) {
			p.phrases[s.name] += s.text
		}
		out = append(out, p)
	}
	return out
})
