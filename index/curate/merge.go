package curate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/pairs"
	"learnings/lessons/store"
)

// A Merge makes one lesson of several. Into gives the one lesson its wording, category,
// project and role.
type Merge struct {
	Into    lessons.Lesson
	From    []lessons.Lesson
	Global  bool   // it holds in every project afterwards
	Anyway  bool   // the person knows that they do not say the same, or wrote the sentence
	Approve bool   // it becomes active
	Reason  string // stored with each lesson; "" for none
	Was     string // the stored sentence of Into; "" if it is the same here
}

// MergeOf proposes a merge of two or more lessons. [lessons.Survivor] chooses the one that
// survives; the wording keeps what all of them say.
func MergeOf(ls []lessons.Lesson) Merge {
	i := lessons.Survivor(ls)
	return MergeInto(ls[i], slices.Concat(ls[:i:i], ls[i+1:])...)
}

// MergeInto is [MergeOf] with the survivor chosen by the person.
func MergeInto(into lessons.Lesson, from ...lessons.Lesson) Merge {
	m := Merge{Into: into, From: from, Was: into.Content}
	m.Into.Wording = fullest(m.All())
	return m
}

// All returns the lessons of the merge, the survivor first.
func (m Merge) All() []lessons.Lesson {
	return append([]lessons.Lesson{m.Into}, m.From...)
}

// Projects returns the projects where lessons were learned, sorted.
func Projects(ls []lessons.Lesson) []string {
	var out []string
	for _, l := range ls {
		if p := l.Scope.Project; p != "" && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

// Preview returns the lesson that the merge would make. It stores nothing; [Corpus.Merge]
// adds who decided and when.
func (m Merge) Preview() (lessons.Lesson, error) {
	all, err := m.make(lessons.Decision{By: "?"})
	if err != nil {
		return m.Into, err
	}
	return all[0], nil
}

func (m Merge) make(d lessons.Decision) ([]lessons.Lesson, error) {
	if why := m.mustLook(); why != nil {
		return nil, why
	}
	if lost := m.Lost(); len(lost) > 0 && !m.Anyway {
		return nil, &Refused{m.Into, fmt.Errorf("%w: the merged lesson %s", ErrNotSame, lost[0])}
	} else if differ := m.Differ(); len(differ) > 0 && !m.Anyway {
		return nil, &Refused{differ[0].Lesson, fmt.Errorf("%w: %s and %s: %s", ErrNotSame, m.Into.ID, differ[0].Lesson.ID, differ[0].Why)}
	}
	into := m.Into
	into.Scope.Global = into.Scope.Global || m.Global
	all, err := lessons.Merge(d, into, m.From...)
	written := func(l lessons.Lesson) bool { return lessons.Line(l.Content) == lessons.Line(into.Content) }
	if err == nil && m.Was != "" && lessons.Line(m.Was) != lessons.Line(into.Content) && !slices.ContainsFunc(m.From, written) {
		was := []string{m.Was}
		for _, l := range m.From {
			was = append(was, l.Content)
		}
		all[0] = lessons.Outgrown(all[0], was...)
	}
	if err == nil && m.Approve && all[0].Status == lessons.Pending {
		all[0], err = all[0].Approve(d)
	}
	return all, err
}

// mustLook returns an error if the merge would activate a lesson that must be looked at by
// itself.
func (m Merge) mustLook() error {
	all := m.All()
	if !m.Approve && !slices.ContainsFunc(all, func(l lessons.Lesson) bool { return l.Status == lessons.Approved }) {
		return nil
	}
	for _, l := range all {
		if why := Alone(l); why != "" {
			return &Refused{l, fmt.Errorf("%w: %s would become part of an active lesson unseen (%s): decide on it alone first", lessons.ErrInvalid, l.ID, why)}
		}
	}
	return nil
}

// reason returns what is stored with the lessons of the merge.
func (m Merge) reason() string {
	reasons := []string{m.Reason}
	if m.Global {
		reasons = append(reasons, "holds in "+strings.Join(Projects(m.All()), ", "))
	}
	return strings.Join(slices.DeleteFunc(reasons, func(s string) bool { return s == "" }), "; ")
}

// Merge stores a merge of lessons as the person saw them. It returns the survivor and then
// the tombstones that point to it.
func (c *Corpus) Merge(m Merge) ([]lessons.Lesson, error) {
	if err := c.MayDecide("merge them"); err != nil {
		return nil, err
	}
	all, err := c.current(m.All())
	if err != nil {
		return nil, err
	}
	now := Merge{Into: all[0], From: all[1:], Global: m.Global, Approve: m.Approve, Anyway: m.Anyway, Reason: m.Reason}
	now.Was = now.Into.Content
	now.Into.Wording, now.Into.Category, now.Into.Scope = m.Into.Wording, m.Into.Category, m.Into.Scope
	merged, err := now.make(c.decision(now.reason()))
	if err != nil {
		return nil, fmt.Errorf("merging: %w", err)
	}
	return c.put(store.Write{Op: lessons.OpMerge}, merged...)
}

// MergeEqual merges the lessons that need no comparison ([pairs.Merges]) as one step of
// undo. It returns the survivors, how many lessons were merged into them, and those it left
// out because they must be looked at one by one. If there is nothing to merge the error is
// [ErrNothing].
func (c *Corpus) MergeEqual(ls []lessons.Outline) (survivors []lessons.Lesson, merged int, left []Left, err error) {
	if err := c.MayDecide("merge them"); err != nil {
		return nil, 0, nil, err
	}
	var write []lessons.Lesson
	for _, group := range pairs.Merges(lessons.FromOutlines(ls)) {
		if group, err = c.Whole(group); err != nil {
			return nil, 0, left, err
		}
		group = slices.DeleteFunc(group, func(l lessons.Lesson) bool { return !Counts(l) })
		may, alone := Approve.Apart(group)
		left = append(left, alone...)
		for _, group := range pairs.Merges(slices.Values(may)) { // as they are now
			all, err := MergeOf(group).make(c.decision("the same text"))
			if err != nil {
				return nil, 0, left, fmt.Errorf("merging: %w", err)
			}
			write = append(write, all...)
			survivors = append(survivors, all[0])
		}
	}
	if len(write) == 0 {
		return nil, 0, left, fmt.Errorf("%w: nothing here may be merged without comparing", ErrNothing)
	}
	_, err = c.put(store.Write{Op: lessons.OpMerge}, write...)
	return survivors, len(write) - len(survivors), left, err
}

// A Split is the result of taking a merge apart.
type Split struct {
	Into    lessons.Lesson   // the lesson that others were merged into
	Back    []lessons.Lesson // the lessons that are separate again
	Unknown int              // how many have no merge in the journal
}

// Split takes lessons out of the one they were merged into: all, or only gone. They get
// back what the journal knows to be theirs, by the rules of [lessons.Split]. If there are
// none the error is [ErrNothing].
func (c *Corpus) Split(ctx context.Context, into lessons.Lesson, gone ...lessons.Lesson) (Split, error) {
	out := Split{Into: into}
	if err := c.MayDecide("split them"); err != nil {
		return out, err
	}
	if len(gone) == 0 {
		var err error
		if gone, err = c.mergedInto(ctx, into.ID); err != nil {
			return out, err
		}
	}
	if len(gone) == 0 {
		return out, &Refused{into, fmt.Errorf("%w: no lesson was merged into %s", ErrNothing, into.ID)}
	}
	joints, err := partings(c.Store, into.ID, gone)
	if err != nil {
		return out, err
	}
	d := c.decision("split from " + string(into.ID))
	var back []lessons.Lesson
	for _, j := range joints {
		if j.joint.Survivor.Before == nil {
			out.Unknown += len(j.gone)
		}
		parts, err := lessons.Split(d, into, j.gone, j.joint)
		if err != nil {
			return out, &Refused{into, err}
		}
		into, back = parts[0], append(back, parts[1:]...)
	}
	all, err := c.put(store.Write{Op: lessons.OpSplit}, append([]lessons.Lesson{into}, back...)...)
	if err != nil {
		return out, err
	}
	out.Into, out.Back = all[0], all[1:]
	return out, nil
}

func (c *Library) mergedInto(ctx context.Context, id lessons.ID) ([]lessons.Lesson, error) {
	hits, err := Ask(ctx, c, func(ctx context.Context, x *index.Index) ([]index.Hit, error) {
		return x.All(ctx, index.Query{Now: c.Now()}.Where(index.Status, string(lessons.Merged)).Where(index.Into, string(id)))
	})
	if err != nil {
		return nil, err
	}
	return c.Whole(index.Page{Hits: hits}.Shown())
}

// A parting is a merge and those of its lessons that are to be split off.
type parting struct {
	gone  []lessons.Lesson
	joint lessons.Joint
}

// partings finds in the journal the merges of lessons into another, newest first, and last
// the lessons whose merge it does not know.
func partings(s *store.Store, into lessons.ID, gone []lessons.Lesson) ([]parting, error) {
	merges := map[uint64]*lessons.Joint{}
	newest := map[lessons.ID]uint64{} // the merge of each lesson
	var order []uint64
	for ch, err := range s.Journal() {
		if err != nil {
			return nil, err
		}
		went := ch.After != nil && ch.After.Status == lessons.Merged && ch.After.Decided.Into == into &&
			(ch.Before == nil || ch.Before.Status != lessons.Merged)
		if !went && ch.ID != into {
			continue
		}
		m := merges[ch.Batch]
		if m == nil {
			m = &lessons.Joint{}
			merges[ch.Batch] = m
			order = append(order, ch.Batch)
		}
		if !went {
			m.Survivor = ch
			continue
		}
		m.Gone = append(m.Gone, ch)
		newest[ch.ID] = cmp.Or(newest[ch.ID], ch.Batch)
	}
	parted := map[uint64]*parting{}
	for _, l := range gone {
		batch := newest[l.ID] // 0, which is no batch, if the journal does not know it
		if parted[batch] == nil {
			parted[batch] = &parting{}
			if m := merges[batch]; m != nil {
				parted[batch].joint = *m
			}
		}
		parted[batch].gone = append(parted[batch].gone, l)
	}
	var out []parting
	for _, batch := range append(order, 0) {
		if p := parted[batch]; p != nil {
			out = append(out, *p)
		}
	}
	return out, nil
}
