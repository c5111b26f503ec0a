package main

import (
	"context"
	"errors"
	"strings"

	"learnings/cmd/internal/term"
	"learnings/index/curate"
	"learnings/lessons"
)

// This file runs the person's own editor on a draft. What they write is kept by
// [curate.Draft] until it is the lesson.

// rewrite lets the person edit a lesson until the text is one, or until they give
// up. The draft is gone when the lesson is stored with it.
func (a *app) rewrite(ctx context.Context, c *curate.Corpus, l lessons.Lesson) (lessons.Lesson, *curate.Draft, error) {
	editor, err := a.EditorCommand(a.getenv, a.goos)
	if err != nil {
		return l, nil, err
	}
	d, err := c.OpenDraft(l)
	if err != nil {
		return l, nil, err
	}
	if d.Again {
		a.Warn("going on with your text of last time, %s", a.short(d.Path))
	}
	if d.Moved {
		a.Warn("the lesson has changed since you left that text")
	}
	kept := func(err error) error {
		return term.Hint(err, "your text is kept in %s; `learnings edit %s` goes on with it", a.short(d.Path), l.ID)
	}
	for {
		if err := a.RunEditor(editor, d.Path); err != nil {
			if d.Untouched() {
				d.Discard()
				return l, nil, err
			}
			return l, nil, kept(err)
		}
		edited, err := d.Read()
		if err == nil || errors.Is(err, curate.ErrUnchanged) {
			return edited, d, err
		}
		if !a.Interactive() {
			return l, nil, kept(err)
		}
		a.Warn("%v", err)
		answer, askErr := a.Ask(ctx, "Edit again? [Y/n] ")
		if askErr != nil || strings.HasPrefix(strings.ToLower(answer), "n") {
			return l, nil, kept(err)
		}
	}
}

// keptIn says after an error of storing where the person's text is. Without a
// draft there is none.
func keptIn(a *app, d *curate.Draft, err error) error {
	if d == nil {
		return err
	}
	return term.Hint(err, "your text is kept in %s", a.short(d.Path))
}
