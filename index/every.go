package index

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

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
	q = q.at(start)
	var page Page
	err := x.view(ctx, func(r *reader) error {
		g := newGauge(Text(strings.Join(terms, " ")))
		if err := g.weigh(r); err != nil {
			return err
		}
		found, err := r.every(q, terms)
		if err != nil {
			return err
		}
		page.Total = len(found)
		found = found[min(q.from(), len(found)):]
		page.Hits, err = r.hits(found[:min(q.size(), len(found))], g)
		return err
	})
	page.Took = time.Since(start)
	return page, err
}

// every finds the documents in which each term is held, in order. A score is the mean of the
// terms': 1 by words, else how near they are; near is that of the term that is held least.
func (r *reader) every(q Query, terms []string) ([]match, error) {
	q.Terms = slices.DeleteFunc(slices.Clone(q.Terms), func(t Term) bool { return !t.Not })
	q.AllWords, q.Sort, q.words = true, Created, nil
	held := make([]docSet, len(terms))
	for i, t := range terms {
		one := q
		one.Terms = append(Text(t).Terms, q.Terms...)
		docs, err := r.docs(one.request())
		if err != nil {
			return nil, err
		}
		held[i] = docs
	}
	all := mayHold(held)
	for i, t := range terms {
		s := &sense{asked: meaning.Words().Of(t)}
		lacking := slices.DeleteFunc(slices.Clone(all), func(m match) bool { return held[i].has(m.doc) })
		if err := s.measure(r, lacking); err != nil {
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
	newest := make(map[uint64]string, len(all))
	docs := docsOf(all)
	err := r.values(docs, []string{newestField}, func(i int, values map[string]string) { newest[docs[i]] = values[newestField] })
	for k := range all {
		all[k].score /= float64(len(terms))
		if !all[k].alone {
			all[k].near = 0
		}
	}
	slices.SortStableFunc(all, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(newest[a.doc], newest[b.doc]))
	})
	return all, err
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
