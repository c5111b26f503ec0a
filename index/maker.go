package index

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/document"

	"learnings/index/meaning"
	"learnings/lessons"
)

// mostKnown is of how many words a maker remembers something: most of them come soon
// again, or never.
const mostKnown = 1 << 15

// A maker makes documents of many lessons. It remembers what it has found out about
// words, because most lessons have the same ones. It is not safe for concurrent use.
type maker struct {
	roots   map[string]string // what words are indexed under
	codes   map[bareWord]code
	vectors *meaning.Table

	words []word // of the lesson that is being read
	ends  []int  // where those of each of its texts end
}

func newMaker() *maker {
	return &maker{roots: map[string]string{}, codes: map[bareWord]code{}, vectors: meaning.Words().Remembering()}
}

// remember notes something unless there is too much of it.
func remember[K comparable, V any](m map[K]V, k K, v V) V {
	if len(m) >= mostKnown {
		clear(m)
	}
	m[k] = v
	return v
}

// Tokens are words that are cut already.
type tokens analysis.TokenStream

func (t tokens) Analyze([]byte) analysis.TokenStream { return analysis.TokenStream(t) }

// document is what the index keeps of a lesson.
func (m *maker) document(l lessons.Lesson) (*document.Document, error) {
	whole, err := stored(l)
	if err != nil {
		return nil, fmt.Errorf("encoding lesson %s: %w", l.ID, err)
	}
	brief, err := json.Marshal(l.Outline())
	if err != nil {
		return nil, fmt.Errorf("encoding the outline of lesson %s: %w", l.ID, err)
	}
	d := document.NewDocument(string(l.ID))
	d.AddField(document.NewTextFieldCustom(textField, nil, nil, worded, m.text(l)))
	for _, k := range keysOf(l) {
		var terms tokens
		for _, t := range k.terms {
			if t != "" {
				terms = append(terms, &analysis.Token{Term: []byte(t), Position: 1})
			}
		}
		options := exact
		if k.values {
			options = counted
		}
		if len(terms) > 0 {
			d.AddField(document.NewTextFieldCustom(k.field, nil, nil, options, terms))
		}
	}
	keep := func(name string, value []byte) { d.AddField(document.NewTextFieldCustom(name, nil, value, kept, nil)) }
	keep(outlineField, brief)
	keep(meaningField, m.vectors.Lesson(l.Content, l.Triggers, l.Insight))
	keep(phrasesField, m.phrases(l))
	keep(lessonField, whole)
	return d, nil
}

// text are the words of a lesson, those that count double twice.
func (m *maker) text(l lessons.Lesson) tokens {
	m.words, m.ends = m.words[:0], m.ends[:0]
	var out tokens
	for text, weight := range textsOf(l) {
		from := len(m.words)
		m.words = apart(m.words, text, m.root)
		m.ends = append(m.ends, len(m.words))
		for _, w := range m.words[from:] {
			t := &analysis.Token{Term: []byte(w.term), Position: w.pos}
			for range weight {
				out = append(out, t)
			}
		}
	}
	return out
}

// root is what [root] says, remembered.
func (m *maker) root(w string) string {
	if r, ok := m.roots[w]; ok {
		return r
	}
	w = strings.Clone(w)
	return remember(m.roots, w, root(w))
}

func (m *maker) code(w bareWord) code {
	if c, ok := m.codes[w]; ok {
		return c
	}
	w.text = strings.Clone(w.text)
	return remember(m.codes, w, codeOf(w))
}
