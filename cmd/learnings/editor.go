package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
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
	editor, err := a.editorCommand()
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
		if err := a.runEditor(editor, d.Path); err != nil {
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
func (a *app) keptIn(d *curate.Draft, err error) error {
	if d == nil {
		return err
	}
	return term.Hint(err, "your text is kept in %s", a.short(d.Path))
}

// editorCommand is what the person uses: VISUAL, EDITOR, or what every system
// has.
func (a *app) editorCommand() ([]string, error) {
	for _, key := range []string{"VISUAL", "EDITOR"} {
		if s := strings.TrimSpace(a.getenv(key)); s != "" {
			words, err := splitWords(s)
			if err != nil {
				return nil, fmt.Errorf("%s=%s: %v", key, s, err)
			}
			return words, nil
		}
	}
	if a.goos == "windows" {
		return []string{"notepad"}, nil
	}
	if !a.Interactive() { // where vi would wait for keys that nobody can press
		return nil, term.Hint(term.Usagef("no editor is named, and there is no terminal for vi"), "set VISUAL or EDITOR, or type it in a terminal; `learnings edit ID --content …` changes single fields")
	}
	return []string{"vi"}, nil
}

// runEditor runs the editor on a file and waits for it.
func (a *app) runEditor(editor []string, path string) error {
	if err := a.Out.Flush(); err != nil {
		return err
	}
	program, err := exec.LookPath(editor[0])
	if err != nil && !errors.Is(err, exec.ErrDot) {
		return term.Hint(fmt.Errorf("there is no editor %q on this machine", editor[0]),
			"set VISUAL or EDITOR to one that there is, or change single fields: `learnings edit ID --content …`")
	}
	cmd := exec.Command(program, append(editor[1:], path)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = a.In, a.Out.Raw, a.Err
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("the editor %s failed: %v", editor[0], err)
	}
	return nil
}

// splitWords splits a command as a shell would, as far as blanks and quotes go.
func splitWords(s string) ([]string, error) {
	var words []string
	var word strings.Builder
	quote, inWord := rune(0), false
	for _, r := range s {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, inWord = r, true
		case r == ' ' || r == '\t':
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a quote %c is not closed", quote)
	}
	if inWord {
		words = append(words, word.String())
	}
	if len(words) == 0 {
		return nil, errors.New("it names no program")
	}
	return words, nil
}
