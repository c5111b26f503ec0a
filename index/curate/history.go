package curate

import (
	"errors"
	"fmt"
	"strings"

	"learnings/lessons"
	"learnings/lessons/file"
	"learnings/lessons/store"
)

// Undo takes back the last n decisions, and Redo repeats what undo took back. A decision on
// many lessons is one. Both return the changes; with nothing to take back they return none,
// and no error.
func (c *Corpus) Undo(n int) ([]lessons.Change, error) { return c.back("undo", n, c.Store.Undo) }

// Redo repeats what undo took back; see [Corpus.Undo].
func (c *Corpus) Redo(n int) ([]lessons.Change, error) { return c.back("redo", n, c.Store.Redo) }

// Points returns the decisions that Undo takes back, the newest first: as many as most, or
// all for 0.
func (c *Corpus) Points(most int) ([]Step, error) {
	all, err := c.Store.Points(most, c.By)
	steps := make([]Step, 0, len(all))
	for _, changes := range all {
		if len(changes) > 0 {
			steps = append(steps, StepOf(changes...))
		}
	}
	return steps, err
}

// TurnHere undoes the last decision made through this Corpus, or redoes it, as op says.
// passed is the person's newest decision since that was made elsewhere: it stays.
func (c *Corpus) TurnHere(op lessons.Op) (changes, passed []lessons.Change, err error) {
	changes, err = c.back(string(op), 1, func(int, string) (turned []lessons.Change, err error) {
		turned, passed, err = c.Store.Turn(op, c.By)
		return turned, err
	})
	return changes, passed, err
}

func (c *Corpus) back(op string, n int, step func(n int, by string) ([]lessons.Change, error)) ([]lessons.Change, error) {
	if err := c.MustSit(op + " decisions"); err != nil {
		return nil, err
	}
	changes, err := step(n, c.By)
	if err != nil {
		return nil, err
	}
	for _, ch := range changes {
		if ch.After != nil {
			c.wrote(*ch.After)
		}
	}
	return changes, nil
}

// gone reports whether the error says that a lesson no longer exists.
func gone(err error) bool { return errors.Is(err, lessons.ErrNotFound) }

// History returns the changes of a lesson, oldest first. The word is its id or the
// beginning of it. It also works for a lesson whose file is gone, as long as the journal
// knows it. The place of a change, from 1, is the number of the version it made.
func (c *Library) History(word string) (lessons.ID, []lessons.Change, error) {
	id, err := c.Store.Resolve(word)
	if gone(err) {
		id, err = forgotten(c.Store, word, err)
	}
	if err != nil {
		return "", nil, err
	}
	changes, err := c.Store.History(id)
	return id, changes, err
}

// forgotten finds the id of a lesson without a file. If there is none it returns missing.
func forgotten(s *store.Store, word string, missing error) (lessons.ID, error) {
	var found lessons.ID
	for ch, err := range s.Journal() {
		switch {
		case err != nil:
			return "", err
		case string(ch.ID) == word:
			return ch.ID, nil
		case word == "" || ch.ID == found || !strings.HasPrefix(string(ch.ID), word):
			continue
		case found != "":
			return "", fmt.Errorf("%q is the beginning of several lessons that are gone: %s, %s", word, found, ch.ID)
		}
		found = ch.ID
	}
	if found == "" {
		return "", missing
	}
	return found, nil
}

// Restore gives a lesson the text of an earlier version ([lessons.Lesson.Restored]). If its
// file is gone, the whole lesson comes back; if its file is broken, Restore fails and does
// not overwrite it. changed is false if the lesson had that text already. The error is
// [ErrNothing] if there is no such version or it deleted the lesson.
func (c *Corpus) Restore(word string, version int) (l lessons.Lesson, changed bool, err error) {
	if err := c.MayDecide("restore them"); err != nil {
		return l, false, err
	}
	id, changes, err := c.History(word)
	if err != nil {
		return l, false, err
	}
	if version < 1 || version > len(changes) {
		return l, false, fmt.Errorf("%w: %s has %d versions", ErrNothing, id, len(changes))
	}
	then := changes[version-1].After
	if then == nil {
		return l, false, fmt.Errorf("%w: in version %d %s was gone, or its file broken", ErrNothing, version, id)
	}
	now, err := c.Store.Get(id)
	next := *then
	switch {
	case err == nil:
		next = now.Restored(*then)
	case gone(err) && changes[len(changes)-1].After == nil:
		next.Rev = ""
	default:
		return l, false, fmt.Errorf("reading %s: %w", id, err)
	}
	ls, err := c.put(store.Write{Op: lessons.OpRestore}, next)
	if err != nil {
		return l, false, err
	}
	return ls[0], ls[0].Rev != now.Rev, nil
}

// Forget erases lessons for good, with the lessons that were merged into them, which hold
// the same words, and all their drafts. It cannot be undone.
func (c *Corpus) Forget(ids []lessons.ID) error {
	if err := c.MustSit("forget them"); err != nil {
		return err
	}
	ids, err := c.WithMerged(ids)
	if err != nil {
		return err
	}
	if err := c.eraseDrafts(ids); err != nil { // first, while the ids can still be named
		return err
	}
	return c.Store.Forget(ids...)
}

// WithMerged adds to ids the lessons that were merged into them, directly or not.
func (c *Library) WithMerged(ids []lessons.ID) ([]lessons.ID, error) {
	into := map[lessons.ID][]lessons.ID{}
	for l, err := range c.Store.All() {
		if err == nil && l.Status == lessons.Merged {
			into[l.Decided.Into] = append(into[l.Decided.Into], l.ID)
		} else if err != nil && !errors.As(err, new(*file.Error)) {
			return nil, err
		}
	}
	seen := map[lessons.ID]bool{}
	for _, id := range ids {
		seen[id] = true
	}
	for i := 0; i < len(ids); i++ { // ids grows
		for _, id := range into[ids[i]] {
			if !seen[id] {
				seen[id] = true
				ids = append(ids, id)
			}
		}
	}
	return ids, nil
}
