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

	words  []word // of the text that is being read
	counts []*bleveindex.TokenFreq
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

	all := make([]field, 0, len(keys)+5)
	all = append(all, m.text(l))
	for _, k := range keys {
		all = append(all, field{name: k.name, options: k.options, length: 1 + len(k.more), terms: m.terms(k)})
	}
	keep := func(name string, value []byte) {
		all = append(all, field{name: name, options: bleveindex.StoreField, value: value})
	}
	keep(outlineField, brief)
	keep(meaningField, m.vectors.Stored(l.Content, l.Triggers, l.Insight))
	keep(phrasesField, m.phrases(l))
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

// text is the field that is searched for words. What stands twice in [searchText] is
// read once.
func (m *maker) text(l lessons.Lesson) field {
	m.words = m.words[:0]
	pos := 0 // of what comes next
	add := func(text string, times int) {
		from := len(m.words)
		s := splitter{text: text, out: m.words, root: m.root}
		s.all()
		m.words = s.out
		for i := range times {
			if i == 0 {
				for k := range m.words[from:] {
					m.words[from+k].pos += pos
				}
			} else {
				n := len(m.words)
				m.words = append(m.words, m.words[from:]...)
				for k := range m.words[n:] {
					m.words[n+k].pos += s.pos
				}
				from = n
			}
			pos += s.pos
		}
	}
	add(l.Content, 2)
	if len(l.Triggers) > 0 {
		add(strings.Join(l.Triggers, "\n"), 2)
	}
	add(l.Insight, 1)
	add(l.Example, 1)
	for _, t := range l.Tags {
		add(t, 1)
	}
	return field{name: textField, options: phrased, length: len(m.words), terms: m.frequencies()}
}

// frequencies say where each of the words stands.
func (m *maker) frequencies() bleveindex.TokenFrequencies {
	out := make(bleveindex.TokenFrequencies, len(m.words)/2)
	m.counts = m.counts[:0]
	for _, w := range m.words {
		f := out[w.term]
		if f == nil {
			f = &bleveindex.TokenFreq{}
			out[w.term] = f
		}
		f.SetFrequency(f.Frequency() + 1)
		m.counts = append(m.counts, f)
	}
	places, refs := make([]bleveindex.TokenLocation, len(m.words)), make([]*bleveindex.TokenLocation, len(m.words))
	for i, w := range m.words {
		f := m.counts[i]
		if f.Locations == nil {
			n := f.Frequency()
			f.Locations, refs = refs[:0:n], refs[n:]
		}
		places[i] = bleveindex.TokenLocation{Position: w.pos} // the bytes nobody asks for, and they take room
		f.Locations = append(f.Locations, &places[i])
	}
	return out
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
