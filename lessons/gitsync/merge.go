package gitsync

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"learnings/lessons"
	"learnings/lessons/file"
)

// A merger makes one state of a corpus of three: the one in which two copies last
// agreed, and what each of them has become since. It does no I/O.
//
//   - Lessons are told apart by their ids and not by the paths of their files,
//     which change with every decision: a lesson that one side approved and the
//     other rejected is one lesson with two histories.
//   - What only one side changed is taken over. What both changed is settled
//     field by field, by [lessons.Reconcile].
//   - A forgotten lesson stays forgotten, even if the other side changed it since.
//     One that is merely missing was removed, unless the other side changed it.
//   - The result does not depend on which side is called ours. The one exception
//     are files that are not lessons: ours stays, and theirs goes beside it.
type merger struct {
	base, ours, theirs *snapshot
	related            bool            // whether the two sides have a common history, whose end base is
	blocked            map[string]bool // paths that are taken by something that is in no commit
	blobs              *blobs          // the contents of the three; those of the result are added

	out     *snapshot
	reports []Settled
	notes   []string            // what a person should know besides
	both    map[lessons.ID]bool // lessons that both sides have changed
}

// A Settled is a lesson that both copies had changed, and how that was settled.
type Settled struct {
	ID   lessons.ID `json:"id"`
	What string     `json:"what"`
	New  lessons.ID `json:"proposal,omitempty"` // the other text, now pending
}

// run fills out, reports and notes. It fails only where a lesson cannot be encoded.
func (m *merger) run() error {
	m.out, m.both = newSnapshot(), map[lessons.ID]bool{}
	ids := map[lessons.ID]bool{}
	for _, s := range m.sides() {
		maps.Copy(m.gone(), s.Gone)
		for id := range s.Docs {
			ids[id] = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		if m.gone()[id] {
			continue
		}
		if err := m.settle(id); err != nil {
			return fmt.Errorf("settling %s: %w", id, err)
		}
	}
	if !m.base.same(m.ours) && !m.base.same(m.theirs) { // else the result is a state that somebody has made, and stays as it is
		if err := m.followMerges(); err != nil {
			return err
		}
		if err := m.purgeForgotten(); err != nil {
			return err
		}
	}
	if err := m.place(); err != nil {
		return err
	}
	m.settleOthers()
	return nil
}

func (m *merger) sides() []*snapshot        { return []*snapshot{m.base, m.ours, m.theirs} }
func (m *merger) docs() map[lessons.ID]*doc { return m.out.Docs }
func (m *merger) gone() map[lessons.ID]bool { return m.out.Gone }
func (m *merger) note(format string, a ...any) {
	m.notes = append(m.notes, fmt.Sprintf(format, a...))
}
func (m *merger) settled(id lessons.ID, what string, proposal lessons.ID) {
	m.reports = append(m.reports, Settled{id, what, proposal})
}

// settle merges one lesson.
func (m *merger) settle(id lessons.ID) error {
	b, o, t := m.base.Docs[id], m.ours.Docs[id], m.theirs.Docs[id]
	if b != nil { // a file that broke keeps its lesson as it was
		if _, broken := m.ours.Other[b.Path]; broken && o == nil {
			o = b
		}
		if _, broken := m.theirs.Other[b.Path]; broken && t == nil {
			t = b
		}
	}
	switch {
	case o == nil && t == nil:
		return nil
	case o == nil || t == nil:
		d := cmp.Or(o, t)
		if b != nil && bytes.Equal(d.Text, b.Text) {
			return nil // removed by the other side, and not changed by this one
		}
		if b != nil {
			m.settled(id, "was removed on one machine and changed on another: it stays", "")
		}
		m.docs()[id] = d
		return nil
	case o.is(t):
		m.docs()[id] = o
		return nil
	}
	return m.reconcile(id, b, o, t)
}

// reconcile settles a lesson that is not the same on both sides.
func (m *merger) reconcile(id lessons.ID, b, o, t *doc) error {
	var base lessons.Lesson
	was := ""
	if b != nil {
		base, was = b.Lesson, b.Path
	} else if !m.related {
		base = lessons.Common(o.Lesson, t.Lesson)
	}
	l, other := lessons.Reconcile(base, o.Lesson, t.Lesson)
	sameO, sameT := same(l, o.Lesson), same(l, t.Lesson)
	var d *doc
	switch {
	case sameO && sameT: // the same lesson in different bytes: those that changed, else the lesser
		d = o
		if b != nil && bytes.Equal(o.Text, b.Text) || (b == nil || !bytes.Equal(t.Text, b.Text)) && bytes.Compare(t.Text, o.Text) < 0 {
			d = t
		}
	case sameO:
		d = o
	case sameT:
		d = t
	default:
		var err error
		if d, err = m.blobs.Encode(l); err != nil {
			return m.apart(id, o, t, err)
		}
	}
	moved := o.Path
	if o.Path == was || t.Path != was && t.Path < o.Path {
		moved = t.Path
	}
	to := d.Path
	switch {
	case sameO && sameT, file.Named(l, moved):
		to = moved
	case to != "":
	case file.Named(l, o.Path):
		to = o.Path
	case file.Named(l, t.Path):
		to = t.Path
	}
	if err := m.put(d, to); err != nil {
		return err
	}
	m.both[id] = b == nil || !same(base, o.Lesson) && !same(base, t.Lesson)
	if !m.both[id] {
		return nil
	}
	proposal := lessons.ID("")
	if other != nil {
		proposal = other.ID
		if err := m.propose(*other); err != nil {
			return err
		}
	}
	m.settled(id, saysHow(base, o.Lesson, t.Lesson, l), proposal)
	return nil
}

// put adds a file to the result, at a path. Text that relies on its path, such as for its
// id, is rewritten to say it.
func (m *merger) put(d *doc, to string) error {
	moved := &doc{d.object, to, d.Text, d.Lesson}
	if to != d.Path && to != "" {
		if l, err := file.DecodeAt(to, d.Text, ""); err != nil || !same(l, d.Lesson) {
			if moved, err = m.blobs.Encode(d.Lesson); err != nil {
				return err
			}
			moved.Path = to
		}
	}
	m.docs()[d.Lesson.ID] = moved
	return nil
}

// apart keeps both versions of a lesson that would be too large merged: the one with the
// newer decision, and the other as a proposal.
func (m *merger) apart(id lessons.ID, o, t *doc, why error) error {
	a, b := o, t
	if newer := t.Lesson.Decided.At.Compare(o.Lesson.Decided.At); newer > 0 || newer == 0 && bytes.Compare(t.Text, o.Text) > 0 {
		a, b = t, o
	}
	m.docs()[id] = a
	l := b.Lesson
	l.ID = lessons.IDFrom("apart", string(id), string(b.Text))
	l.Status, l.Decided = lessons.Pending, lessons.Decision{}
	l.Origin.Rule = fmt.Sprintf("%s was changed on two machines, and both together are too large for one lesson", id)
	m.settled(id, "cannot be merged ("+why.Error()+")", l.ID)
	return m.propose(l)
}

// propose adds a lesson that the merge has made, unless it was made before.
func (m *merger) propose(l lessons.Lesson) error {
	for _, s := range append(m.sides(), m.out) {
		if s.Docs[l.ID] != nil || m.gone()[l.ID] {
			return nil
		}
	}
	d, err := m.blobs.Encode(l)
	if err == nil {
		m.docs()[l.ID] = d
	}
	return err
}

// rewrite gives a lesson of the result another content.
func (m *merger) rewrite(l lessons.Lesson) error {
	d, err := m.blobs.Encode(l)
	if err != nil {
		return err
	}
	if old := m.docs()[l.ID]; file.Named(l, old.Path) {
		d.Path = old.Path
	}
	m.docs()[l.ID] = d
	return nil
}

// followMerges makes sure that every merged lesson has a survivor. If it is gone, the
// lesson returns to the queue; if merges on two machines form a chain, the last survivor
// gets the evidence of all.
func (m *merger) followMerges() error {
	for _, id := range slices.Sorted(maps.Keys(m.docs())) {
		l := m.docs()[id].Lesson
		if l.Status != lessons.Merged {
			continue
		}
		end, steps, circle := l, 0, false
		for end.Status == lessons.Merged && !circle {
			next := m.docs()[end.Decided.Into]
			if next == nil {
				break
			}
			end = next.Lesson
			steps++
			circle = end.ID == id || steps > len(m.docs())
		}
		var err error
		switch {
		case circle && end.ID != id: // it leads into a circle; the lessons of the circle are brought back
		case end.Status == lessons.Merged:
			if circle || end.ID == id && m.lost(l.Decided.Into) {
				err = m.bringBack(l)
			}
		case m.both[id] || m.both[end.ID] || steps > 1 && m.changed(id):
			m.teach(end, l)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// bringBack makes a merged lesson pending again.
func (m *merger) bringBack(l lessons.Lesson) error {
	l.Status = lessons.Pending
	l.Decided = lessons.Decision{By: l.Decided.By, At: l.Decided.At, Reason: fmt.Sprintf("it had been merged into %s, which is no more", l.Decided.Into)}
	m.settled(l.ID, "had been merged into a lesson that is no more: it is pending again", "")
	return m.rewrite(l)
}

// lost reports whether a lesson that some side had is not in the result. One that
// no side knows of was missing before the merge.
func (m *merger) lost(id lessons.ID) bool {
	return m.docs()[id] == nil && (m.ours.Docs[id] != nil || m.theirs.Docs[id] != nil || m.base.Docs[id] != nil || m.gone()[id])
}

// changed reports whether a lesson of the result is not as it was in the base.
func (m *merger) changed(id lessons.ID) bool {
	b := m.base.Docs[id]
	return b == nil || !same(b.Lesson, m.docs()[id].Lesson)
}

// teach gives a survivor the evidence of a lesson merged into it, and its terms unless the
// survivor is approved, without them; it does not if the survivor would become too large.
func (m *merger) teach(to, from lessons.Lesson) {
	was := to
	to.Evidence = lessons.MergeEvidence(to.Evidence, from.Evidence)
	if to.Status != lessons.Approved {
		to.Tags, to.Triggers = lessons.JoinTerms(to.Tags, from.Tags), lessons.JoinTerms(to.Triggers, from.Triggers)
	}
	if same(was, to) {
		return
	}
	if err := m.rewrite(to); err != nil {
		m.note("%s does not get the evidence of %s, which was merged into it: %v", to.ID, from.ID, err)
	}
}

// purgeForgotten takes the words of forgotten lessons out of those that the other
// side had merged them into.
func (m *merger) purgeForgotten() error {
	for _, id := range slices.Sorted(maps.Keys(m.gone())) {
		for _, s := range []*snapshot{m.ours, m.theirs} {
			d := s.Docs[id]
			if d == nil || d.Lesson.Status != lessons.Merged || m.docs()[d.Lesson.Decided.Into] == nil {
				continue
			}
			x, was := d.Lesson, m.docs()[d.Lesson.Decided.Into].Lesson
			l := was
			l.Evidence = slices.DeleteFunc(slices.Clone(l.Evidence), func(e lessons.Evidence) bool {
				return len(lessons.MergeEvidence(x.Evidence, []lessons.Evidence{e})) == len(x.Evidence)
			})
			if l.Insight == x.Insight {
				l.Insight = ""
			}
			if l.Example == x.Example {
				l.Example = ""
			}
			if l.Content == x.Content {
				m.note("%s says what %s said, which was forgotten: forget it too, if that is meant", l.ID, id)
			}
			if len(l.Evidence) == len(was.Evidence) && l.Wording == was.Wording {
				continue
			}
			m.settled(l.ID, fmt.Sprintf("loses what it had of %s, which was forgotten", id), "")
			if err := m.rewrite(l); err != nil {
				return err
			}
		}
	}
	return nil
}

// place finds a path for every lesson: no two have the same, in any spelling.
func (m *merger) place() error {
	taken := map[string]bool{}
	for p, o := range m.ours.Other {
		if keep, _ := m.settleOther(p); keep == o {
			taken[strings.ToLower(p)] = true
		}
	}
	var homeless []lessons.ID
	for _, id := range slices.Sorted(maps.Keys(m.docs())) {
		d := m.docs()[id]
		key := strings.ToLower(d.Path)
		unmoved := m.ours.Docs[id] != nil && m.ours.Docs[id].is(d)
		if d.Path == "" || taken[key] || m.blocked[d.Path] && !unmoved {
			homeless = append(homeless, id)
			continue
		}
		taken[key] = true
	}
	for _, id := range homeless {
		d := m.docs()[id]
		to := d.Path
		for n := 1; to == "" || taken[strings.ToLower(to)] || m.blocked[to]; n++ {
			to = file.Name(d.Lesson, n)
		}
		taken[strings.ToLower(to)] = true
		if err := m.put(d, to); err != nil {
			return err
		}
	}
	return nil
}

// settleOthers settles the files that are not lessons.
func (m *merger) settleOthers() {
	at := map[string]bool{}
	for _, d := range m.docs() {
		at[d.Path] = true
	}
	paths := map[string]bool{}
	for _, s := range m.sides() {
		for p := range s.Other {
			paths[p] = true
		}
	}
	none := object{}
	for _, p := range slices.Sorted(maps.Keys(paths)) {
		keep, beside := m.settleOther(p)
		if at[p] { // a lesson lies there
			if beside == none && keep != m.base.Other[p] {
				beside = keep
			}
			keep = none
		}
		if keep != none {
			m.out.Other[p] = keep
		}
		if beside != none {
			name := p + ".theirs-" + beside.Name[:8] // by its name no lesson: nobody has judged it
			m.out.Other[name] = beside
			m.note("%s was changed on both sides and is no lesson that can be read: ours is in its place, theirs is %s", p, path.Base(name))
		}
	}
}

// settleOther settles one path: what stays there, and what goes beside it.
func (m *merger) settleOther(p string) (keep, beside object) {
	b, o, t := m.base.Other[p], m.ours.Other[p], m.theirs.Other[p]
	switch {
	case o == t || t == b:
		return o, object{}
	case o == b, o == object{}:
		return t, object{}
	}
	return o, t
}

// saysHow tells in words what was settled.
func saysHow(base, o, t, l lessons.Lesson) string {
	var what []string
	if o.Status != t.Status && o.Decided != base.Decided && t.Decided != base.Decided {
		what = append(what, fmt.Sprintf("was %s on one machine and %s on another: %s, by the newer decision", min(o.Status, t.Status), max(o.Status, t.Status), l.Status))
	}
	if o.Wording != t.Wording && o.Wording != base.Wording && t.Wording != base.Wording {
		what = append(what, "its texts differed")
	}
	if len(what) == 0 {
		return "both changes taken"
	}
	return strings.Join(what, "; ")
}
