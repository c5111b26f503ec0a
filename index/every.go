package index

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"

	"learnings/index/meaning"
)

// TermsOf are the words of each of some queries; one that has conditions alone is no term.
func TermsOf(queries []string) (terms []string, err error) {
	for _, s := range queries {
		q, err := ParseQuery(s)
		if err != nil {
			return nil, err
		}
		var words []string
		for _, t := range q.Terms {
			if !t.Not {
				words = append(words, t.Text)
			}
		}
		if len(words) > 0 {
			terms = append(terms, strings.Join(words, " "))
		}
	}
	return terms, nil
}

// Every finds the lessons of a query in which each of some terms is held: by all of its
// words, or, where some other term is held by its words, by what the lesson means. Those
// come first that hold most by their words; [Hit].ByMeaning is of those that do not hold
// all of them so. Of the words of the query itself those alone count that must not be there.
//
// The errors to decide on are those of [Index.Search].
func (x *Index) Every(ctx context.Context, q Query, terms ...string) (Page, error) {
	start := time.Now()
	if q.Now.IsZero() {
		q.Now = start
	}
	page := Page{Hits: []Hit{}}
	err := x.view(ctx, func(b bleve.Index) error {
		g := newGauge(Text(strings.Join(terms, " ")))
		if err := g.weigh(b); err != nil {
			return err
		}
		snap, done, err := snapshot(b)
		if err != nil {
			return searchError(ctx, err)
		}
		defer done()
		found, err := x.every(ctx, b, snap, q, terms)
		if err == nil {
			page.Total = len(found)
			found, err = best(snap, found, []sortKey{{}, {field: createdField}}, q.from()+q.size())
		}
		if err != nil {
			return searchError(ctx, err)
		}
		found = found[min(q.from(), len(found)):]
		page.Hits = make([]Hit, len(found))
		err = readAll(snap, docsOf(found), lessonField, func(i int, value []byte) error {
			hit := Hit{Score: found[i].score, Near: found[i].near, ByMeaning: found[i].alone}
			if err := json.Unmarshal(value, &hit.Lesson); err != nil {
				return err
			}
			hit.Match, hit.Cover = g.measure(hit.Lesson)
			page.Hits[i] = hit
			return nil
		})
		if err != nil {
			return searchError(ctx, err)
		}
		return nil
	})
	page.Took = time.Since(start)
	return page, err
}

// every finds the documents in which each term is held. A score is the mean of the terms':
// 1 by words, else how near they are; near is that of the term that is held least.
func (x *Index) every(ctx context.Context, b bleve.Index, snap *scorch.IndexSnapshot, q Query, terms []string) ([]match, error) {
	q.Terms = slices.DeleteFunc(slices.Clone(q.Terms), func(t Term) bool { return !t.Not })
	q.AllWords, q.Sort, q.words = true, Created, nil
	held := make([]docSet, len(terms))
	for i, t := range terms {
		one := q
		one.Terms = append(Text(t).Terms, q.Terms...)
		docs, err := documents(ctx, b, snap, one.request())
		if err != nil {
			return nil, err
		}
		held[i] = docs
	}
	all := mayHold(held)
	for i, t := range terms {
		lacking := slices.DeleteFunc(slices.Clone(all), func(m match) bool { return held[i].has(m.doc) })
		s := &sense{asked: meaning.Words().Of(t)}
		if err := s.measure(snap, lacking); err != nil {
			return nil, err
		}
		near := map[uint64]float64{}
		for _, m := range lacking {
			near[m.doc] = m.near
		}
		all = slices.DeleteFunc(all, func(m match) bool { return !held[i].has(m.doc) && near[m.doc] < leastNear })
		for k := range all {
			m := &all[k]
			if held[i].has(m.doc) {
				m.score++
				continue
			}
			m.score, m.near, m.alone = m.score+near[m.doc], min(m.near, near[m.doc]), true
		}
	}
	for k := range all {
		all[k].score /= float64(len(terms))
		if !all[k].alone {
			all[k].near = 0
		}
	}
	return all, nil
}

// A docSet is numbers of documents, ascending.
type docSet []uint64

func (s docSet) has(doc uint64) bool {
	_, ok := slices.BinarySearch(s, doc)
	return ok
}

// mayHold are the documents that may hold each term, by those that hold it by its words:
// all that hold some term so. Where too many hold the others to look at what they mean, a
// term must be held by its words.
func mayHold(held []docSet) []match {
	var from []docSet
	for i, own := range held {
		others := 0
		for j, s := range held {
			if i != j {
				others += len(s)
			}
		}
		if others > mostScanned {
			from = append(from, own)
		}
	}
	var docs docSet
	if len(from) > 0 {
		docs = slices.Clone(slices.MinFunc(from, func(a, b docSet) int { return cmp.Compare(len(a), len(b)) }))
		docs = slices.DeleteFunc(docs, func(doc uint64) bool {
			return slices.ContainsFunc(from, func(s docSet) bool { return !s.has(doc) })
		})
	} else {
		docs = slices.Concat(held...)
		slices.Sort(docs)
		docs = slices.Compact(docs)
	}
	out := make([]match, len(docs))
	for i, doc := range docs {
		out[i] = match{doc: doc, near: 1}
	}
	return out
}
