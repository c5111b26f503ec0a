package rules

import (
	"embed"
	"path"
	"slices"
	"strings"
	"sync"
)

//go:embed languages/*.txt
var packFiles embed.FS

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
var packs = sync.OnceValue(func() []pack {
	entries, err := packFiles.ReadDir("languages")
	if err != nil {
		panic(err) // it is built in
	}
	var out []pack
	for _, e := range entries {
		text, err := packFiles.ReadFile(path.Join("languages", e.Name()))
		if err != nil {
			panic(err)
		}
		name := strings.TrimSuffix(e.Name(), ".txt")
		out = append(out, pack{name, slices.Contains(unspaced, name), sections(string(text))})
	}
	return out
})

// sections divides a text at its lines of the form [name].
func sections(text string) map[string]string {
	out := map[string]string{}
	name := ""
	for line := range strings.Lines(text) {
		if s := strings.TrimSpace(line); strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") {
			name = strings.Trim(s, "[]")
		} else if s != "" {
			out[name] += line
		}
	}
	return out
}
