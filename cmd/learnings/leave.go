package main

import (
	"context"
	"fmt"
	"strings"

	"learnings/cmd/internal/port"
	"learnings/cmd/internal/term"
	"learnings/extractor/redact"
	"learnings/index/curate"
	"learnings/lessons"
)

// mayLeave asks a person about lessons that are about to leave this machine and hold words
// that look like secrets. It asks once: a yes counts for these words of the lesson. Without
// a terminal or a yes nothing may leave, unless --yes was given.
func (a *app) mayLeave(ctx context.Context, ls []lessons.Lesson) error {
	lines, let := a.suspects(ls)
	if len(lines) == 0 {
		return nil
	}
	if !a.sure && !a.Interactive() {
		return term.Hint(fmt.Errorf("%w: %s with words that look like secrets would leave this machine, and there is no terminal to ask on\n%s",
			curate.ErrPerson, term.Plural(len(lines), "lesson"), strings.Join(lines, "\n")), "`learnings edit ID` takes a word out; if none is a secret, say so in a terminal or by --yes")
	}
	if !a.sure {
		for _, line := range lines {
			a.Warn("looks like a secret: %s", line)
		}
		yes, err := a.Confirm(ctx, "Let "+term.Plural(len(lines), "lesson")+" with such words leave this machine? It is asked once.")
		if err != nil {
			return err
		}
		if !yes {
			return term.Hint(fmt.Errorf("%w: nothing was sent", curate.ErrPerson), "`learnings edit ID` takes a word out")
		}
	}
	return let()
}

// suspects describes the lessons that hold words that look like secrets, a line each, unless
// a person has let them leave; let records that a person does.
func (a *app) suspects(ls []lessons.Lesson) (lines []string, let func() error) {
	clean, found := redact.New(), map[lessons.ID][]string{}
	for _, l := range ls {
		words := clean.SuspectsIn(l)
		if len(words) == 0 || a.places.Vouched(leaves(l.ID), words) {
			continue
		}
		found[l.ID] = words
		line := string(l.ID) + " "
		for _, w := range words {
			line += " " + redact.Veiled(w)
		}
		lines = append(lines, line)
	}
	return lines, func() error {
		for id, words := range found {
			if err := a.places.Vouch(leaves(id), words); err != nil {
				return err
			}
		}
		return nil
	}
}

// suspect is suspects for one lesson.
func (a *app) suspect(l lessons.Lesson) string {
	lines, _ := a.suspects([]lessons.Lesson{l})
	return strings.Join(lines, "")
}

// left says which lessons an update left out because nobody was asked; nil if none.
func left(a *app, pub port.Publication) error {
	if len(pub.Left) == 0 {
		return nil
	}
	return fmt.Errorf("left out of %s: %s looks like a secret (`learnings publish` asks)", a.short(pub.Path), strings.Join(pub.Left, "; "))
}

// anyMayLeave asks about those lessons of the corpus that are to leave.
func (a *app) anyMayLeave(ctx context.Context, leaving func(lessons.Lesson) bool) error {
	var ls []lessons.Lesson
	err := a.corpus.Each(ctx, func(l lessons.Lesson) {
		if leaving(l) {
			ls = append(ls, l)
		}
	})
	if err != nil {
		return err
	}
	return a.mayLeave(ctx, ls)
}

// leaves is under which name the words of a lesson that may leave the machine are kept.
func leaves(id lessons.ID) string { return "leaves-" + string(id) }
