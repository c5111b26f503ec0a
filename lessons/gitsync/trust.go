package gitsync

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/lessons/file"
	"learnings/lessons/store"
)

// This file decides which approvals of others count here. The package comment has
// the rule.

// An Awaiting is somebody else's approval that arrived as a proposal.
type Awaiting struct {
	ID      lessons.ID `json:"id"`
	By      string     `json:"approved_by"`
	Key     string     `json:"key,omitempty"` // that signed it as it is; "" for none
	Content string     `json:"content"`
	Flagged bool       `json:"flagged,omitempty"` // because of its text, regardless of who approved it
}

// Who names who approved, with the key.
func (a Awaiting) Who() string { return lessons.Approval{By: a.By, Signed: a.Key + " "}.Who() }

// here returns the file of a lesson as it is in this corpus; nil for none.
func (p *present) here(id lessons.ID) *doc {
	if d := p.local[id]; d != nil {
		return d
	}
	return p.state.Docs[id]
}

// corpus returns the state of this corpus, as opposed to that of the commit.
func (p *present) corpus() *snapshot {
	s := &snapshot{Docs: maps.Clone(p.state.Docs), Other: p.state.Other, Gone: p.state.Gone}
	maps.Copy(s.Docs, p.local)
	return s
}

// taken returns the paths, in lower case, at which no other file may be put.
func (p *present) taken() map[string]bool {
	t := map[string]bool{}
	for _, d := range p.state.Docs {
		t[strings.ToLower(d.Path)] = true
	}
	for path := range p.state.Other {
		t[strings.ToLower(path)] = true
	}
	for path := range p.held {
		t[strings.ToLower(path)] = true
	}
	return t
}

// free returns a path for a lesson: the preferred one where it fits and is free.
func free(l lessons.Lesson, preferred string, taken func(path string) bool) string {
	if preferred != "" && file.Named(l, preferred) && !taken(preferred) {
		return preferred
	}
	for n := 1; ; n++ {
		if p := file.Name(l, n); !taken(p) {
			return p
		}
	}
}

// reads reports whether two lessons have the same words, which hold in the same place.
func reads(a, b lessons.Lesson) bool { return a.Wording == b.Wording && a.Scope == b.Scope }

func same(a, b lessons.Lesson) bool {
	a.Rev, b.Rev = "", ""
	return reflect.DeepEqual(a, b)
}

// publish prepares the state of the corpus for its commit: a proposal waiting here stays
// as its approver left it. What was changed of it here is published only once it is decided
// on, so that nothing goes out in the name of somebody who has not seen it.
func (r *run) publish(old *snapshot, p *present) error {
	for id := range p.local { // of those whose file is broken
		if !p.outside[id] {
			delete(p.state.Docs, id)
		}
	}
	for id, d := range p.state.Docs {
		if _, waits := d.Lesson.Released(); waits {
			p.local[id] = d
			delete(p.state.Docs, id)
		}
	}
	taken := p.taken()
	for _, id := range slices.Sorted(maps.Keys(p.local)) {
		if p.outside[id] {
			continue
		}
		l, _ := p.local[id].Lesson.Released()
		was, path := old.Docs[id], ""
		if was != nil {
			l, path = l.Given(was.Lesson), was.Path
		}
		d := was
		if was == nil || !same(was.Lesson, l) || taken[strings.ToLower(path)] {
			var err error
			if d, err = r.blobs.Encode(l); err != nil {
				return err
			}
			d.Path = free(l, path, func(p string) bool { return taken[strings.ToLower(p)] })
		}
		p.state.Docs[id] = d
		taken[strings.ToLower(d.Path)] = true
	}
	return nil
}

// withhold decides what of next, which a merge made of now and theirs, arrives as a
// proposal. base is what both come from.
func (r *run) withhold(now, next *present, base, theirs *snapshot) error {
	taken := next.taken()
	for id := range now.outside {
		next.local[id] = now.local[id]
	}
	for _, id := range slices.Sorted(maps.Keys(next.state.Docs)) {
		if now.outside[id] {
			continue
		}
		l, differs := r.arrives(now, next, base, theirs, id)
		if !differs {
			continue
		}
		have := now.here(id)
		if have != nil && same(have.Lesson, l) && !taken[strings.ToLower(have.Path)] {
			next.local[id] = have
		} else {
			d, err := r.blobs.Encode(l)
			if err != nil {
				return err
			}
			preferred := ""
			if have != nil {
				preferred = have.Path
			}
			d.Path = free(l, preferred, func(p string) bool {
				_, err := os.Lstat(r.full(p))
				return taken[strings.ToLower(p)] || p != preferred && !errors.Is(err, fs.ErrNotExist)
			})
			next.local[id] = d
			if l.Elsewhere.By != "" && (now.local[id] == nil || now.local[id].Lesson.Elsewhere != l.Elsewhere) {
				d := next.state.Docs[id].Lesson
				a := Awaiting{ID: id, By: l.Elsewhere.By, Content: lessons.Line(l.Content), Flagged: len(lessons.Dangers(d)) > 0}
				if s, _ := d.Signature(); s.Whole {
					a.Key = s.Key
				}
				r.rep.Awaiting = append(r.rep.Awaiting, a)
			}
		}
		taken[strings.ToLower(next.local[id].Path)] = true
	}
	return nil
}

// arrives returns a lesson of next as it is to be here, where that differs from what
// the commit says.
func (r *run) arrives(now, next *present, base, theirs *snapshot, id lessons.ID) (l lessons.Lesson, differs bool) {
	d, was, waiting := next.state.Docs[id], now.state.Docs[id], now.local[id]
	have := now.here(id)
	l = d.Lesson
	switch {
	case waiting == nil && was != nil && was.Path == d.Path && was.Name == d.Name:
		return l, false // nothing arrives
	case l.Status == lessons.Pending && l.Elsewhere != (lessons.Approval{}):
		l.Elsewhere = lessons.Approval{} // only what was withheld here is
		return l, true
	case l.Status != lessons.Approved:
		return l, false
	case have != nil && have.Lesson.SignedLike(l) && !newHazard(have.Lesson, l):
		return l, false
	}
	if trusted, flagged := r.counts(d, theirs.Docs[id], base.Docs[id]); trusted && !flagged {
		return l, false
	}
	l = l.Withheld()
	if waiting != nil { // what was done to the proposal here stays as it is
		l.Decided = waiting.Lesson.Decided
		switch {
		case was == nil:
		case was.Lesson.SignedLike(d.Lesson):
			l = l.Given(waiting.Lesson)
		case reads(was.Lesson, l):
			l.Wording, l.Scope = waiting.Lesson.Wording, waiting.Lesson.Scope
		}
	}
	return l, true
}

// counts reports whether an arriving approval is signed by a key that is trusted, and
// whether the lesson is flagged regardless of that. It looks at the remote's version, not
// the merged one: a newer approval of our own was for another text. What was signed before
// the decision on was, from which both versions come, is an old text that somebody has
// brought back.
func (r *run) counts(d, theirs, was *doc) (trusted, flagged bool) {
	t := cmp.Or(theirs, d).Lesson
	s, _ := t.Signature()
	trusted = t.Status == lessons.Approved && s.Whole && (s.Key == r.ownKey() || slices.Contains(r.o.Trust, s.Key))
	return trusted && !before(s.At, t, was), len(lessons.Dangers(d.Lesson)) > 0
}

// before reports whether a signature of l is older than the last decision on another text.
func before(at time.Time, l lessons.Lesson, was *doc) bool {
	return was != nil && !l.SignedLike(was.Lesson) && at.Unix() < decided(was.Lesson)
}

// decided is when a lesson was last decided on or signed, in seconds.
func decided(l lessons.Lesson) int64 {
	s, _ := l.Signature()
	return max(s.At.Unix(), l.Decided.At.Unix())
}

// signed signs a lesson, after the decisions on earlier versions even if the clock here is
// behind that of another machine.
func (r *run) signed(l lessons.Lesson, earlier ...*doc) lessons.Lesson {
	at := r.o.Now()
	for _, was := range earlier {
		if was != nil && at.Unix() < decided(was.Lesson) {
			at = time.Unix(decided(was.Lesson), 0)
		}
	}
	return l.Sign(r.o.Key, at)
}

func (r *run) ownKey() string {
	if r.o.Key == nil {
		return ""
	}
	return lessons.PublicKey(r.o.Key)
}

// sign signs what is in force here and has no signature that covers it: decisions made
// here, and those from before there were keys. It reports whether it has changed a lesson.
func (r *run) sign(p *present, old *snapshot) (bool, error) {
	if r.o.Key == nil || r.wish.DryRun {
		return false, nil
	}
	var ls []lessons.Lesson
	for _, id := range slices.Sorted(maps.Keys(p.state.Docs)) {
		d, was := p.state.Docs[id], old.Docs[id]
		if p.local[id] != nil || !r.unsigned(d, was) {
			continue
		}
		if l, err := r.o.Store.Get(id); err == nil && !l.Outside && l.SignedLike(d.Lesson) {
			ls = append(ls, r.signed(l, was))
		}
	}
	if len(ls) == 0 {
		return false, nil
	}
	_, err := r.o.Store.Put(store.Write{Op: lessons.OpSync, By: r.o.By, Why: "signed with the key of this machine"}, ls...)
	return err == nil, err
}

// unsigned reports whether an approved lesson needs a signature; was is its version in the
// last commit, whose signature has been looked at. One that an earlier version of this
// program made covers less, and the machine that made it signs anew.
func (r *run) unsigned(d, was *doc) bool {
	if d.Lesson.Status != lessons.Approved {
		return false
	}
	if was != nil && was.Name == d.Name && d.Lesson.Decided.Signed != "" {
		parts := strings.Fields(d.Lesson.Decided.Signed)
		return len(parts) == 3 && parts[0] == r.ownKey()
	}
	s, _ := d.Lesson.Signature()
	return !s.Whole || before(s.At, d.Lesson, was)
}

// signMerged signs what a merge has put together of two approved versions, and which of
// them it has chosen, where that is in force here.
func (r *run) signMerged(now, next *present, theirs *snapshot) error {
	for _, id := range slices.Sorted(maps.Keys(next.state.Docs)) {
		d, ours, other := next.state.Docs[id], now.state.Docs[id], theirs.Docs[id]
		if r.o.Key == nil || next.local[id] != nil || now.outside[id] || !r.unsigned(d, ours) && !r.unsigned(d, other) {
			continue
		}
		signed, err := r.blobs.Encode(r.signed(d.Lesson, ours, other))
		if err != nil {
			return err
		}
		signed.Path = d.Path
		next.state.Docs[id] = signed
	}
	next.tree = r.blobs.Tree(next.state)
	return nil
}

// newHazard reports whether a lesson has a danger that it had not.
func newHazard(was, is lessons.Lesson) bool {
	old := lessons.Dangers(was)
	return slices.ContainsFunc(lessons.Dangers(is), func(d lessons.Danger) bool { return !slices.Contains(old, d) })
}

// reconsider withholds waiting lessons, or lets them count, when the remote has nothing
// new: the settings may have changed.
func (r *run) reconsider(ctx context.Context) error {
	now := r.now
	if len(now.local) == 0 {
		return nil
	}
	next := &present{head: now.head, tree: now.tree, state: now.state, held: now.held, local: map[lessons.ID]*doc{}, outside: now.outside}
	if err := r.withhold(now, next, now.state, now.state); err != nil || len(steps(now, next)) == 0 {
		return err
	}
	r.rep.Received.Add(changesOf(now.corpus(), next.corpus()))
	if r.wish.DryRun {
		return nil
	}
	r.now = next
	return r.takeOver(ctx, now, next)
}
