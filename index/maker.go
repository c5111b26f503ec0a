package index

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/blevesearch/bleve/v2/document"
	bleveindex "github.com/blevesearch/bleve_index_api"

	"learnings/index/meaning"
	"learnings/lessons"
)

// mostKnown is of how many words a maker remembers something, and mostTerms how many terms
// that are all of a field: most of them come soon again, or never.
const mostKnown, mostTerms = 1 << 15, 1 << 10

// A maker makes documents of many lessons. It remembers what it has found out about
// words, because most lessons have the same ones: making an index is mostly that. It is
// for one goroutine, and so are the documents until they are in an index.
type maker struct {
	roots   map[string]string // what words are indexed under
	codes   map[bareWord]code
	single  map[string]bleveindex.TokenFrequencies // by its only term
	vectors *meaning.Table

	words   []word // of the lesson that is being read
	weights []int  // of each of them
	ends    []int  // where those of each of its texts end
	folder  folder
}

func newMaker() *maker {
	return &maker{
		roots: map[string]string{}, codes: map[bareWord]code{}, single: map[string]bleveindex.TokenFrequencies{},
		vectors: meaning.Words().Remembering(),
	}
}

// remember notes something unless there is too much of it.
func remember[K comparable, V any](m map[K]V, most int, k K, v V) V {
	if len(m) >= most {
		clear(m)
	}
	m[k] = v
	return v
}

// A field is one of a document, analyzed. bleve's own do it when they are asked to, word
// by word, which is much of what a rebuild costs. No document has two of one name, because bleve would then change what is shared.
type field struct {
	name    string
	options bleveindex.FieldIndexingOptions
	value   []byte // if it is stored
	length  int
	terms   bleveindex.TokenFrequencies
}

func (f *field) Name() string                                          { return f.name }
func (f *field) ArrayPositions() []uint64                              { return nil }
func (f *field) Options() bleveindex.FieldIndexingOptions              { return f.options }
func (f *field) Analyze()                                              {}
func (f *field) Value() []byte                                         { return f.value }
func (f *field) NumPlainTextBytes() uint64                             { return uint64(len(f.value)) }
func (f *field) Size() int                                             { return len(f.value) }
func (f *field) EncodedFieldType() byte                                { return 't' }
func (f *field) AnalyzedLength() int                                   { return f.length }
func (f *field) AnalyzedTokenFrequencies() bleveindex.TokenFrequencies { return f.terms }

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
	keys := make([]keyed, 0, 40)
	keysOf(l, func(name, value string, options bleveindex.FieldIndexingOptions) {
		if value == "" {
			return
		}
		for i := range keys {
			if keys[i].name == name {
				keys[i].more = append(keys[i].more, value)
				return
			}
		}
		keys = append(keys, keyed{name: name, value: value, options: options})
	})

	all := make([]field, 0, len(keys)+6)
	all = append(all, m.text(l))
	order := m.folder.fold(m.words)
	for _, k := range keys {
		all = append(all, field{name: k.name, options: k.options, length: 1 + len(k.more), terms: m.terms(k)})
	}
	keep := func(name string, value []byte) {
		all = append(all, field{name: name, options: bleveindex.StoreField, value: value})
	}
	keep(outlineField, brief)
	keep(meaningField, m.vectors.Lesson(l.Content, l.Triggers, l.Insight))
	keep(phrasesField, m.phrases(l))
	keep(orderField, order)
	keep(lessonField, whole)

	d := document.NewDocument(string(l.ID))
	d.Fields = make([]document.Field, len(all), len(all)+1) // bleve adds one
	for i := range all {
		d.Fields[i] = &all[i]
	}
	return d, nil
}

// keyed are the terms of a field that is not cut into words.
type keyed struct {
	name, value string
	more        []string
	options     bleveindex.FieldIndexingOptions
}

func (m *maker) terms(k keyed) bleveindex.TokenFrequencies {
	if len(k.more) == 0 {
		if known, ok := m.single[k.value]; ok {
			return known
		}
		return remember(m.single, mostTerms, k.value, bleveindex.TokenFrequencies{k.value: {}})
	}
	out := bleveindex.TokenFrequencies{k.value: {}}
	for _, v := range k.more {
		out[v] = &bleveindex.TokenFreq{}
	}
	return out
}

// text is the field that is searched for words. The words of the lesson are in m.words
// then.
func (m *maker) text(l lessons.Lesson) field {
	m.words, m.weights, m.ends = m.words[:0], m.weights[:0], m.ends[:0]
	for text, weight := range textsOf(l) {
		m.words = apart(m.words, text, m.root)
		for len(m.weights) < len(m.words) {
			m.weights = append(m.weights, weight)
		}
		m.ends = append(m.ends, len(m.words))
	}
	terms, room, length := make(bleveindex.TokenFrequencies, len(m.words)), make([]bleveindex.TokenFreq, len(m.words)), 0
	for i, w := range m.words {
		f := terms[w.term]
		if f == nil {
			f = &room[i]
			terms[w.term] = f
		}
		f.SetFrequency(f.Frequency() + m.weights[i])
		length += m.weights[i]
	}
	return field{name: textField, options: bleveindex.IndexField, length: length, terms: terms}
}

// root is what [root] says, remembered.
func (m *maker) root(w string) string {
	if r, ok := m.roots[w]; ok {
		return r
	}
	w = strings.Clone(w)
	return remember(m.roots, mostKnown, w, root(w))
}

func (m *maker) code(w bareWord) code {
	if c, ok := m.codes[w]; ok {
		return c
	}
	w.text = strings.Clone(w.text)
	return remember(m.codes, mostKnown, w, codeOf(w))
}
