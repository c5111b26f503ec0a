package index

import (
	"github.com/blevesearch/bleve/v2/search/query"
)

// phraseQuery finds the words of a text where they stand one after the other; it is nil
// when the text has no words. An identifier and its first part share a place, and either
// will do there. At the place of a stop word any word will do.
func phraseQuery(text string) query.Query {
	var places [][]string
	words := split(text)
	for _, w := range words {
		at := w.pos - words[0].pos
		for len(places) <= at {
			places = append(places, nil)
		}
		places[at] = append(places[at], w.term)
	}
	switch len(places) {
	case 0:
		return nil
	case 1:
		return anyOf(terms(textField, places[0]...)...)
	}
	return query.NewMultiPhraseQuery(places, textField)
}
