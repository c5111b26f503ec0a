package gitsync

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	"learnings/lessons"
	"learnings/lessons/file"
	"learnings/lessons/store"
)

// This file makes one corpus of two. The rules are:
//
//   - Lessons are told by their ids and not by the paths of their files, which
//     change with every decision; so a lesson that one side approved and the
//     other rejected is one lesson with two histories, and not two files.
//   - What only one side changed, is. Where both did, lessons.Reconcile settles
//     it, field by field.
//   - Forgotten is forgotten, whatever the other side did since. A lesson that is
//     only missing was removed, if the other side has not changed it.
//   - Nothing depends on which side is called ours, except what no rule can
//     settle: files that are not lessons. There, ours stays and theirs goes beside.

// A Settled is a lesson that both copies had changed, and what became of it.
type Settled struct {
	ID   lessons.ID `json:"id"`
	What string     `json:"what"`
	New  lessons.ID `json:"proposal,omitempty"` // the other text, now pending
}

// A merger makes one side of three.
type merger struct {
	base, ours, theirs *side
	related            bool            // the two have a history in common; base is then its end
	blocked            map[string]bool // paths where something lies that is in no commit
	name               func([]byte) string
	texts              map[string][]byte

	out     *side
	settled []Settled
	notes   []string
	both    map[lessons.ID]bool // lessons that both sides have changed
}

func (m *merger) merge() error {
	m.out = &side{docs: map[lessons.ID]*doc{}, other: tree{}, gone: map[lessons.ID]bool{}}
	m.both = map[lessons.ID]bool{}
	for _, s := range []*side{m.ours, m.theirs, m.base} {
		maps.Copy(m.out.gone, s.gone)
	}
	ids := map[lessons.ID]bool{}
	for _, s := range []*side{m.base, m.ours, m.theirs} {
		for id := range s.docs {
			ids[id] = !m.out.gone[id]
		}
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		if !ids[id] {
			continue
		}
		if err := m.one(id); err != nil {
			return fmt.Errorf("settling %s: %w", id, err)
		}
	}
	if !m.base.is(m.ours) && !m.base.is(m.theirs) { // else one side is what somebody has made, and stays as it is
		if err := m.follow(); err != nil {
			return err
		}
		if err := m.purge(); err != nil {
			return err
		}
	}
	if err := m.place(); err != nil {
		return err
	}
	m.files()
	return nil
}

// one settles one lesson.
func (m *merger) one(id lessons.ID) error {
	b, o, t := m.base.docs[id], m.ours.docs[id], m.theirs.docs[id]
	if o == nil && b != nil && m.ours.broken(b.Path) {
		o = b
	}
	if t == nil && b != nil && m.theirs.broken(b.Path) {
		t = b
	}
	switch {
	case o == nil && t == nil:
		return nil
	case o == nil || t == nil:
		d := o
		if d == nil {
			d = t
		}
		if b != nil {
			if bytes.Equal(d.Text, b.Text) {
				return nil // removed by the other side, and not changed by this one
			}
			m.settled = append(m.settled, Settled{ID: id, What: "was removed on one machine and changed on another: it stays"})
		}
		m.out.docs[id] = d
		return nil
	case o.Path == t.Path && o.name == t.name:
		m.out.docs[id] = o
		return nil
	}
	return m.two(id, b, o, t)
}

// is reports that two sides have the same lessons.
func (s *side) is(o *side) bool {
	return maps.Equal(s.gone, o.gone) && maps.EqualFunc(s.docs, o.docs, func(a, b *doc) bool { return a.Path == b.Path && a.name == b.name })
}

// broken reports that something that is no lesson lies at a path.
func (s *side) broken(path string) bool { _, ok := s.other[path]; return ok }

// two settles a lesson that is not the same on both sides.
func (m *merger) two(id lessons.ID, b, o, t *doc) error {
	var base lessons.Lesson
	switch {
	case b != nil:
		base = b.lesson
	case !m.related:
		base = lessons.Common(o.lesson, t.lesson)
	}
	l, other := lessons.Reconcile(base, o.lesson, t.lesson)
	var d *doc
	switch sameO, sameT := same(l, o.lesson), same(l, t.lesson); {
	case sameO && sameT:
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
		if d, err = m.doc(l); err != nil {
			return m.apart(id, o, t, err)
		}
	}
	here, there, was := o.Path, t.Path, ""
	if b != nil {
		was = b.Path
	}
	at := here
	if here == was || there != was && there < here {
		at = there
	}
	to := d.Path
	for _, p := range []string{at, here, there} {
		if to == "" && file.Named(l, p) {
			to = p
		}
	}
	if file.Named(l, at) || same(l, o.lesson) && same(l, t.lesson) {
		to = at
	}
	if err := m.put(d, to); err != nil {
		return err
	}
	m.both[id] = b == nil || !same(b.lesson, o.lesson) && !same(b.lesson, t.lesson)
	if !m.both[id] {
		return nil
	}
	s := Settled{ID: id, What: saysHow(base, o.lesson, t.lesson, l)}
	if other != nil {
		s.New = other.ID
		if err := m.propose(*other); err != nil {
			return err
		}
	}
	m.settled = append(m.settled, s)
	return nil
}

func same(a, b lessons.Lesson) bool {
	a.Rev, b.Rev = "", ""
	return reflect.DeepEqual(a, b)
}

// put takes a file into the result, at a path. A file that leaves to its place
// what it does not say itself, its id for one, has to say it elsewhere.
func (m *merger) put(d *doc, to string) error {
	moved := &doc{store.File{Path: to, Text: d.Text}, d.object, d.lesson}
	if to != d.Path && to != "" {
		if l, err := file.DecodeAt(moved.File.Path, moved.File.Text, ""); err != nil || !same(l, d.lesson) {
			if moved, err = m.doc(d.lesson); err != nil {
				return err
			}
			moved.Path = to
		}
	}
	m.out.docs[d.lesson.ID] = moved
	return nil
}

// doc is a lesson as a file that has no place yet.
func (m *merger) doc(l lessons.Lesson) (*doc, error) {
	text, err := file.Encode(l)
	if err != nil {
		return nil, err
	}
	n := m.name(text)
	m.texts[n] = text
	return &doc{store.File{Text: text}, object{plainFile, n}, l}, nil
}

// apart keeps both sides of a lesson that cannot be one, because it would be too
// large: the one with the newer decision, and the other as a proposal.
func (m *merger) apart(id lessons.ID, o, t *doc, why error) error {
	a, b := o, t
	if t.lesson.Decided.At.After(o.lesson.Decided.At) || t.lesson.Decided.At.Equal(o.lesson.Decided.At) && bytes.Compare(t.Text, o.Text) > 0 {
		a, b = t, o
	}
	m.out.docs[id] = a
	l := b.lesson
	l.ID = lessons.IDFrom("apart", string(id), string(b.Text))
	l.Status, l.Decided = lessons.Pending, lessons.Decision{}
	l.Origin.Rule = fmt.Sprintf("%s was changed on two machines, and both together are too large for one lesson", id)
	m.settled = append(m.settled, Settled{ID: id, What: "cannot be united (" + why.Error() + ")", New: l.ID})
	return m.propose(l)
}

// propose adds a lesson that the merge has made, unless it was made before.
func (m *merger) propose(l lessons.Lesson) error {
	for _, s := range []*side{m.base, m.ours, m.theirs, m.out} {
		if s.docs[l.ID] != nil || m.out.gone[l.ID] {
			return nil
		}
	}
	d, err := m.doc(l)
	if err == nil {
		m.out.docs[l.ID] = d
	}
	return err
}

// rewrite gives a lesson of the result another state.
func (m *merger) rewrite(l lessons.Lesson) error {
	d, err := m.doc(l)
	if err != nil {
		return err
	}
	if old := m.out.docs[l.ID]; file.Named(l, old.Path) {
		d.Path = old.Path
	}
	m.out.docs[l.ID] = d
	return nil
}

// follow looks after merged lessons: each must live on somewhere. One whose
// survivor is no more goes back to the queue, and where merges made on two
// machines meet, the last survivor gets what all of them knew.
func (m *merger) follow() error {
	for _, id := range slices.Sorted(maps.Keys(m.out.docs)) {
		l := m.out.docs[id].lesson
		if l.Status != lessons.Merged {
			continue
		}
		end, steps, circle := l, 0, false
		for end.Status == lessons.Merged && !circle {
			next := m.out.docs[end.Decided.Into]
			if next == nil {
				break
			}
			end = next.lesson
			steps++
			circle = end.ID == id || steps > len(m.out.docs)
		}
		switch {
		case circle && end.ID != id: // leads into a circle; whoever is in it is brought back
			continue
		case circle, end.Status == lessons.Merged:
			if !circle && !m.lostHere(end.Decided.Into) {
				continue // nobody knows of it; it was so before
			}
			if circle || end.ID == id {
				l.Status = lessons.Pending
				l.Decided = lessons.Decision{By: l.Decided.By, At: l.Decided.At, Reason: fmt.Sprintf("it had been merged into %s, which is no more", l.Decided.Into)}
				m.settled = append(m.settled, Settled{ID: id, What: "had been merged into a lesson that is no more: it is pending again"})
				if err := m.rewrite(l); err != nil {
					return err
				}
			}
		case m.both[id] || m.both[end.ID] || steps > 1 && m.new(id):
			if err := m.teach(end, l); err != nil {
				return err
			}
		}
	}
	return nil
}

// lostHere reports a lesson that one side had and the result has not.
func (m *merger) lostHere(id lessons.ID) bool {
	return m.out.docs[id] == nil && (m.ours.docs[id] != nil || m.theirs.docs[id] != nil || m.base.docs[id] != nil || m.out.gone[id])
}

// new reports a lesson whose state is not that of the base.
func (m *merger) new(id lessons.ID) bool {
	b := m.base.docs[id]
	return b == nil || !same(b.lesson, m.out.docs[id].lesson)
}

// teach gives a survivor the evidence and words of a lesson merged into it.
func (m *merger) teach(to, from lessons.Lesson) error {
	was := to
	to.Evidence = lessons.UniteEvidence(to.Evidence, from.Evidence)
	to.Tags, to.Triggers = united(to.Tags, from.Tags), united(to.Triggers, from.Triggers)
	if same(was, to) {
		return nil
	}
	if err := m.rewrite(to); err != nil {
		m.notes = append(m.notes, fmt.Sprintf("%s does not get the evidence of %s, which was merged into it: %v", to.ID, from.ID, err))
	}
	return nil
}

func united(a, b []string) []string {
	out := slices.Clone(a)
	for _, s := range b {
		if len(out) < lessons.MaxTerms && !slices.ContainsFunc(out, func(t string) bool { return strings.EqualFold(s, t) }) {
			out = append(out, s)
		}
	}
	return out
}

// purge takes the words of forgotten lessons out of those that they had been
// merged into on the other side.
func (m *merger) purge() error {
	for _, id := range slices.Sorted(maps.Keys(m.out.gone)) {
		for _, s := range []*side{m.ours, m.theirs} {
			d := s.docs[id]
			if d == nil || d.lesson.Status != lessons.Merged || m.out.docs[d.lesson.Decided.Into] == nil {
				continue
			}
			x, l := d.lesson, m.out.docs[d.lesson.Decided.Into].lesson
			was := l
			l.Evidence = slices.DeleteFunc(slices.Clone(l.Evidence), func(e lessons.Evidence) bool {
				return len(lessons.UniteEvidence(x.Evidence, []lessons.Evidence{e})) == len(x.Evidence)
			})
			if l.Insight == x.Insight {
				l.Insight = ""
			}
			if l.Example == x.Example {
				l.Example = ""
			}
			if l.Content == x.Content {
				m.notes = append(m.notes, fmt.Sprintf("%s says what %s said, which was forgotten: forget it too, if that is meant", l.ID, id))
			}
			if len(l.Evidence) == len(was.Evidence) && l.Wording == was.Wording {
				continue
			}
			m.settled = append(m.settled, Settled{ID: l.ID, What: fmt.Sprintf("loses what it had of %s, which was forgotten", id)})
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
	for p, o := range m.ours.other {
		if keep, _ := m.file(p); keep == o {
			taken[strings.ToLower(p)] = true
		}
	}
	ids := slices.Sorted(maps.Keys(m.out.docs))
	var homeless []lessons.ID
	for _, id := range ids {
		d := m.out.docs[id]
		key := strings.ToLower(d.Path)
		unmoved := m.ours.docs[id] != nil && m.ours.docs[id].Path == d.Path && m.ours.docs[id].name == d.name
		if d.Path == "" || taken[key] || m.blocked[d.Path] && !unmoved {
			homeless = append(homeless, id)
			continue
		}
		taken[key] = true
	}
	for _, id := range homeless {
		d := m.out.docs[id]
		to := d.Path
		for n := 1; to == "" || taken[strings.ToLower(to)] || m.blocked[to]; n++ {
			to = file.Name(d.lesson, n)
		}
		taken[strings.ToLower(to)] = true
		if err := m.put(d, to); err != nil {
			return err
		}
	}
	return nil
}

// files settles what is not a lesson, by path.
func (m *merger) files() {
	at := map[string]bool{}
	for _, d := range m.out.docs {
		at[d.Path] = true
	}
	paths := map[string]bool{}
	for _, s := range []*side{m.base, m.ours, m.theirs} {
		for p := range s.other {
			paths[p] = true
		}
	}
	for _, p := range slices.Sorted(maps.Keys(paths)) {
		keep, beside := m.file(p)
		if at[p] { // a lesson lies there
			if beside == (object{}) && keep != m.base.other[p] {
				beside = keep
			}
			keep = object{}
		}
		if keep != (object{}) {
			m.out.other[p] = keep
		}
		if beside != (object{}) {
			name := besideName(p, beside)
			m.out.other[name] = beside
			m.notes = append(m.notes, fmt.Sprintf("%s was changed on both sides and is no lesson that can be read: ours is in its place, theirs is %s", p, path.Base(name)))
		}
	}
}

// file settles one path: what stays there, and what goes beside it.
func (m *merger) file(p string) (keep, beside object) {
	b, o, t := m.base.other[p], m.ours.other[p], m.theirs.other[p]
	switch {
	case o == t || t == b:
		return o, object{}
	case o == b, o == object{}:
		return t, object{}
	}
	return o, t
}

// besideName is where the other side's state of a file goes: no lesson, for
// nobody has judged it.
func besideName(p string, o object) string { return p + ".theirs-" + o.name[:8] }

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
