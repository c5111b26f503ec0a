package intake

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"learnings/extractor"
	"learnings/extractor/redact"
	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/pairs"
	"learnings/lessons/store"
)

// importBatch is how many lessons are stored with one write.
const importBatch = 512

// Import reads another program's store at path and keeps what is new as proposals,
// without secrets. If the corpus already has an entry, Import adds its source to the
// evidence of that lesson. Invalid entries are in the report with what could not be
// read. wrote, which may be nil, returns the lesson that we once wrote there, perhaps
// shortened. A second Import changes nothing. With dry it only reports what it would
// do.
func (in *Intake) Import(ctx context.Context, name string, f exchange.Format, path string, wrote *exchange.Ledger, dry bool) (exchange.Report, error) {
	r := exchange.Report{Format: name, Path: path, Places: map[lessons.ID]string{}, Aside: map[lessons.ID]bool{}, Dry: dry}
	found, err := f.Read(ctx, path)
	if err != nil {
		return r, fmt.Errorf("reading %s as %s: %w", path, name, err)
	}
	r.Unread = found.Unread
	clean, ours := redact.New(), map[string]lessons.ID{}
	for _, id := range wrote.IDs() {
		w, _ := wrote.Of(id)
		ours[w.Text] = id
	}
	var ls []lessons.Lesson
	for _, e := range found.Entries {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		l := clean.Lesson(asProposal(name, path, e))
		if err := l.Validate(); err != nil {
			r.Unread = append(r.Unread, exchange.Unread{Path: e.Place, Err: err})
			continue
		}
		if _, twice := r.Places[l.ID]; twice {
			r.Unread = append(r.Unread, exchange.Unread{Path: e.Place, Err: fmt.Errorf("there is an entry %q before it", e.Key)})
			continue
		}
		r.Places[l.ID], r.Aside[l.ID] = e.Place, e.Aside
		if id, ok := ours[e.Lesson.Content]; ok {
			if mine, err := in.store.Get(id); err == nil {
				r.Known = append(r.Known, exchange.Recognised{Lesson: l, ID: id, Status: mine.Status})
				continue
			}
		}
		ls = append(ls, l)
	}
	if a, ok := f.(exchange.Affirmer); ok && a.Affirms() {
		if ls, err = in.affirm(ctx, ls, &r); err != nil {
			return r, err
		}
	}
	return r, in.takeAll(ctx, ls, &r)
}

// Resumed counts as new what an earlier import of the same entries stored, and nobody has
// decided on: approving what was imported may have been broken off.
func (in *Intake) Resumed(r exchange.Report) exchange.Report {
	known := r.Known
	r.Known = nil
	for _, k := range known {
		if l, err := in.store.Get(k.ID); err == nil && k.ID == k.Lesson.ID && l.Status == lessons.Pending && l.Decided.At.IsZero() {
			r.New = append(r.New, l)
		} else {
			r.Known = append(r.Known, k)
		}
	}
	return r
}

// Proposing returns a format that only proposes: an import in the session of an agent
// must not raise the confidence of a lesson that a person has decided on.
func Proposing(f exchange.Format) exchange.Format { return struct{ exchange.Format }{f} }

// asProposal returns an entry as a pending proposal, ignoring its status in the other
// program.
func asProposal(name, path string, e exchange.Entry) lessons.Lesson {
	l := e.Lesson
	l.Status, l.Decided, l.Pinned, l.HoldsWith, l.Elsewhere = lessons.Pending, lessons.Decision{}, false, nil, e.Approved
	l.Origin.Extractor = cmp.Or(l.Origin.Extractor, exchange.By(name))
	if len(l.Evidence) == 0 {
		l.Evidence = []lessons.Evidence{{Agent: name, Path: path, From: "import", By: lessons.ByAgent, Quote: l.Content}}
	}
	for i := range l.Evidence {
		if ev := &l.Evidence[i]; ev.UUID == "" && ev.From == "import" {
			ev.UUID = string(exchange.ID(name, path, e.Key)) // without it, entries that moved within their file would be new
		}
	}
	return l
}

// said identifies the lessons of one store that say the same for the same project.
type said struct {
	project, role string
	global        bool
	words         string
}

// takeAll stores the lessons that the corpus lacks, and adds the evidence of the others
// to the lessons that say the same.
func (in *Intake) takeAll(ctx context.Context, ls []lessons.Lesson, r *exchange.Report) error {
	var fresh []lessons.Lesson
	var again []extractor.Again
	came := map[said]lessons.ID{}
	for _, l := range ls {
		k, err := in.Known(ctx, l)
		if err != nil {
			return err
		}
		says := said{l.Scope.Project, l.Scope.Role, l.Scope.Global, pairs.Normal(l.Content)}
		first, twice := came[says]
		switch {
		case k.ID != "" && !k.Reopen:
		case twice:
			k = extractor.Known{ID: first}
		default:
			came[says], fresh = l.ID, append(fresh, l)
			continue
		}
		r.Known = append(r.Known, exchange.Recognised{Lesson: l, ID: k.ID, Status: k.Status})
		a := extractor.Again{ID: k.ID, Status: k.Status, Evidence: l.Evidence}
		if k.Offer {
			a.Offer = &l
		}
		again = append(again, a)
	}
	if r.Dry {
		r.New = fresh
		return nil
	}
	for len(fresh) > 0 {
		n := min(len(fresh), importBatch)
		stored, err := in.propose(fresh[:n])
		r.New = append(r.New, stored...)
		if err != nil {
			return fmt.Errorf("storing what was imported: %w", err)
		}
		fresh = fresh[n:]
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	repeated := map[lessons.ID]bool{}
	for _, a := range again {
		if repeated[a.ID] = true; len(a.Evidence) > 0 {
			if err := in.witness(a); err != nil {
				return err
			}
		}
	}
	for i, l := range r.New { // a later entry of the same store may have said it again
		if !repeated[l.ID] {
			continue
		}
		if now, err := in.store.Get(l.ID); err == nil {
			r.New[i] = now
		}
	}
	return nil
}

// affirm removes from an import the lessons that amplihack would not add either: they
// share more than [lessons.Repeats] of their keywords with an approved lesson of their
// category, and are not narrower or wider than it. That lesson rises in confidence; see [lessons.Lesson.Affirmed]. Lessons
// known by their words or moment stay in the import.
func (in *Intake) affirm(ctx context.Context, ls []lessons.Lesson, r *exchange.Report) (rest []lessons.Lesson, err error) {
	if in.index == nil || len(ls) == 0 {
		return ls, nil
	}
	hits, err := in.index.All(ctx, index.Query{}.Where(index.Status, string(lessons.Approved)))
	if err != nil {
		return ls, ctx.Err() // without an index nothing can be compared
	}
	keyword := func(l lessons.Lesson, tag string) string {
		return string(l.Category.Shelf()) + "\x00" + strings.ToLower(lessons.Line(tag))
	}
	with := map[string][]lessons.Lesson{}
	for _, h := range hits {
		for _, t := range h.Lesson.Tags {
			with[keyword(h.Lesson, t)] = append(with[keyword(h.Lesson, t)], h.Lesson)
		}
	}
	for _, l := range ls {
		var old lessons.ID
		most := lessons.Repeats
		for _, t := range l.Tags {
			for _, o := range with[keyword(l, t)] {
				if s := lessons.SharedKeywords(o, l); s > most && (o.Scope.Global || o.Scope.Project == l.Scope.Project) && !narrower(o, l) {
					most, old = s, o.ID
				}
			}
		}
		raised := false
		if old != "" {
			k, err := in.Known(ctx, l)
			if err == nil && k.ID == "" {
				raised, err = in.raise(old, l, r)
			}
			if err != nil {
				return rest, err
			}
		}
		if !raised {
			rest = append(rest, l)
		}
	}
	return rest, nil
}

// narrower reports whether two lessons say one thing under other conditions.
func narrower(a, b lessons.Lesson) bool {
	return pairs.OnSubject(a.Content, b.Content) && !pairs.SameConditions(a.Content, b.Content)
}

// raise raises the confidence of a lesson for one of another store. It returns false if
// the lesson is no longer approved, or has all the evidence it may have.
func (in *Intake) raise(id lessons.ID, by lessons.Lesson, r *exchange.Report) (bool, error) {
	var before, after lessons.Lesson
	do := func(l lessons.Lesson) (lessons.Lesson, bool) {
		next := l.Affirmed(by)
		if l.Status != lessons.Approved || len(next.Evidence) > maxEvidence {
			return l, false
		}
		before, after = l, next
		return next, len(next.Evidence) > len(l.Evidence)
	}
	if r.Dry {
		if l, err := in.store.Get(id); err == nil {
			do(l)
		}
	} else if _, err := in.change(store.Write{Op: lessons.OpWitness, By: By, Why: "learned again in another store"}, []lessons.ID{id}, do); err != nil {
		return false, err
	}
	switch {
	case after.ID == "":
		return false, nil
	case len(after.Evidence) == len(before.Evidence): // it had risen before
		r.Known = append(r.Known, exchange.Recognised{Lesson: by, ID: after.ID, Status: after.Status})
	default:
		r.Raised = append(r.Raised, exchange.Raised{Lesson: by, ID: after.ID, From: before.Confidence, To: after.Confidence})
	}
	return true, nil
}
