package curate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/store"
)

// An Origin is where lessons came from that no person here has confirmed.
type Origin struct {
	Says    string           // completes "it waits: …", such as "another program wrote it"
	Lessons []lessons.Lesson // whole, newest first
	Shared  bool             // they are proposals that others approved; see [lessons.Approval]
}

// Outside returns the lessons that no session gets because another program (an editor,
// git, an agent) wrote or changed them, or decided on them, and no person since. They can
// be found and shown. The lessons are whole, newest first. Of those that no longer count,
// it has the ones that a program decided on.
func (c *Library) Outside(ctx context.Context) ([]lessons.Lesson, error) {
	os, err := c.local(ctx)
	var out []lessons.Lesson
	for _, o := range os {
		out = append(out, o.Lessons...)
	}
	return out, err
}

// Origins returns by origin what [Library.Outside] has, and the proposals that others
// have approved and that may be taken together.
func (c *Library) Origins(ctx context.Context) ([]Origin, error) {
	os, err := c.local(ctx)
	if err != nil {
		return nil, err
	}
	q := Waiting(index.Query{Now: c.Now()}).Where(index.Lane, string(lessons.FromOutside)).Where(index.Outside, "no")
	ls, err := c.wholly(ctx, q)
	for _, l := range ls {
		if l.Elsewhere != (lessons.Approval{}) && len(lessons.Dangers(l)) == 0 {
			os = joined(os, "approved by "+lessons.Line(l.Elsewhere.By), l, true)
		}
	}
	return os, err
}

func (c *Library) local(ctx context.Context) ([]Origin, error) {
	ls, err := c.wholly(ctx, index.Query{Now: c.Now(), Sort: index.Created}.Where(index.Outside, "yes"))
	if err != nil {
		return nil, err
	}
	ids := make([]lessons.ID, len(ls))
	for i, l := range ls {
		ids[i] = l.ID
	}
	last, err := c.Store.Latest(ids...)
	var os []Origin
	for _, l := range ls {
		if ch := last[l.ID]; !l.Outside {
			continue
		} else if strings.HasPrefix(ch.How, lessons.ByProgram) {
			os = joined(os, "decided by "+ch.How, l, false)
		} else if Counts(l) {
			os = joined(os, "another program wrote it", l, false)
		}
	}
	return os, err
}

// wholly returns the lessons that a query finds, whole.
func (c *Library) wholly(ctx context.Context, q index.Query) ([]lessons.Lesson, error) {
	hits, err := Ask(ctx, c, func(ctx context.Context, x *index.Index) ([]index.Hit, error) { return x.All(ctx, q) })
	if err != nil {
		return nil, err
	}
	return c.Whole(index.Page{Hits: hits}.Shown())
}

func joined(os []Origin, says string, l lessons.Lesson, shared bool) []Origin {
	i := slices.IndexFunc(os, func(o Origin) bool { return o.Says == says && o.Shared == shared })
	if i < 0 {
		return append(os, Origin{says, []lessons.Lesson{l}, shared})
	}
	os[i].Lessons = append(os[i].Lessons, l)
	return os
}

// Apart divides the lessons of an origin into those that may be taken together and those
// that must be looked at by themselves.
func (o Origin) Apart() (may []lessons.Lesson, left []Left) {
	if o.Shared {
		return Approve.Apart(o.Lessons)
	}
	return ApartOutside(o.Lessons)
}

// Take confirms or approves what came from one origin. It leaves out what must be looked
// at by itself.
func (c *Corpus) Take(o Origin) (Batch, error) {
	if o.Shared {
		return c.DecideMany(Approve, o.Lessons)
	}
	return c.ConfirmOutside(o.Lessons)
}

// How returns the last decision on a lesson and how it was made, such as "approve by
// sam: terminal in zsh in tmux"; "" if the journal does not say.
func (c *Library) How(id lessons.ID) string {
	last, err := c.Store.Latest(id)
	ch, ok := last[id]
	if err != nil || !ok || ch.How == "" {
		return ""
	}
	return string(ch.Op) + " by " + ch.By + ": " + ch.How
}

// ConfirmOutside records that the text of lessons from outside is the person's. Sessions
// then get the active ones, and proposals become ordinary ones. It is one step of undo. It
// leaves out lessons that must be looked at by themselves: those with one of
// [lessons.Dangers], and those that only a tool speaks for.
func (c *Corpus) ConfirmOutside(seen []lessons.Lesson) (Batch, error) {
	ls, err := c.current(seen)
	if err != nil {
		return Batch{}, err
	}
	var b Batch
	ls, b.Left = ApartOutside(ls)
	if len(ls) == 0 {
		return b, nil
	}
	b.Before = ls
	b.After, err = c.confirmOutside(ls)
	return b, err
}

// ApartOutside divides lessons from outside into those that may be confirmed together and
// those that must be looked at by themselves.
func ApartOutside(ls []lessons.Lesson) (may []lessons.Lesson, left []Left) {
	for _, l := range ls {
		own := l
		own.Outside = false
		if l.Status == lessons.Approved {
			own.Status = lessons.Pending // nobody has decided on it here
		}
		if why := Alone(own); why != "" && Counts(l) {
			left = append(left, Left{l, why})
		} else {
			may = append(may, l)
		}
	}
	return may, left
}

func (c *Corpus) confirmOutside(ls []lessons.Lesson) ([]lessons.Lesson, error) {
	if err := c.MustSit("confirm them"); err != nil {
		return nil, err
	}
	write := slices.Clone(ls)
	for i, l := range ls {
		var err error
		if l.Status != lessons.Approved {
			continue
		}
		if write[i], err = l.Confirm(c.decision("")); err != nil {
			return nil, fmt.Errorf("confirming: %w", err)
		}
	}
	return c.put(store.Write{Op: lessons.OpConfirm}, write...)
}
