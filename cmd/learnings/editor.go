package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"learnings/cmd/internal/term"
	"learnings/lessons"
	"learnings/lessons/file"
)

// This file edits a lesson in the person's own editor. The rule is that no
// keystroke of theirs is lost: what they wrote stays in a draft beside the
// corpus's state until it has become the lesson, whatever the editor, the disk
// or another writer does meanwhile.

// maxDraft is the most bytes of a text that comes back from an editor.
const maxDraft = 1 << 20

// errUnchanged is an edit that changed nothing.
var errUnchanged = errors.New("nothing was changed")

// A draft is a lesson as a file in the hands of an editor.
type draft struct {
	path   string
	lesson lessons.Lesson
	text   []byte // as it was last known to be good
}

// openDraft writes the lesson where the editor will find it, or goes on with
// what an earlier edit has left.
func (a *app) openDraft(l lessons.Lesson) (*draft, error) {
	p, err := a.located()
	if err != nil {
		return nil, err
	}
	text, err := file.Encode(l)
	if err != nil {
		return nil, fmt.Errorf("writing %s for the editor: %v", l.ID, err)
	}
	dir := filepath.Join(p.State, "drafts")
	d := &draft{path: filepath.Join(dir, fmt.Sprintf("%s-%.8s.md", l.ID, l.Rev)), lesson: l, text: text}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making a place for the draft: %v", err)
	}
	if kept, err := os.ReadFile(d.path); err == nil && len(bytes.TrimSpace(kept)) > 0 {
		a.Warn("going on with your text of last time, %s", a.short(d.path))
		return d, nil
	}
	if old, _ := filepath.Glob(filepath.Join(dir, string(l.ID)+"-*.md")); len(old) > 0 {
		a.Warn("the lesson has changed since you left a text for it in %s", a.short(old[len(old)-1]))
	}
	if err := os.WriteFile(d.path, d.text, 0o600); err != nil {
		return nil, fmt.Errorf("writing %s for the editor: %v", l.ID, err)
	}
	return d, nil
}

// done removes the draft once its text is the lesson's. Without a draft there
// is nothing to do.
func (d *draft) done() {
	if d != nil {
		_ = os.Remove(d.path)
	}
}

// kept says after an error of storing where the person's text is.
func (d *draft) kept(a *app, err error) error {
	if d == nil {
		return err
	}
	return term.Hint(err, "your text is kept in %s", a.short(d.path))
}

// edit lets the person edit until the text is a lesson, or until they give up.
// After an error their text is still in the draft, and the hint says where.
func (d *draft) edit(ctx context.Context, a *app, editor []string) (lessons.Lesson, error) {
	kept := func(err error) error {
		return term.Hint(err, "your text is kept in %s; `learnings edit %s` goes on with it", a.short(d.path), d.lesson.ID)
	}
	for {
		runErr := a.runEditor(editor, d.path)
		text, readErr := d.read()
		same := readErr == nil && bytes.Equal(text, d.text)
		if same && runErr == nil {
			d.done()
			return d.lesson, errUnchanged
		}
		if runErr != nil {
			if same {
				d.done()
				return d.lesson, runErr
			}
			return d.lesson, kept(runErr)
		}
		l, err := d.decode(text, readErr)
		if err == nil {
			return l, nil
		}
		if !a.Interactive() {
			return l, kept(err)
		}
		a.Warn("%v", err)
		answer, askErr := a.Ask(ctx, "Edit again? [Y/n] ")
		if askErr != nil || strings.HasPrefix(strings.ToLower(answer), "n") {
			return l, kept(err)
		}
	}
}

// read gives what the editor has left. An emptied or removed file is most often
// a slip, so the last good text is put back for the next try.
func (d *draft) read() ([]byte, error) {
	f, err := os.Open(d.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading what was edited: %v", err)
	}
	var text []byte
	if err == nil {
		defer f.Close()
		if text, err = io.ReadAll(io.LimitReader(f, maxDraft+1)); err != nil {
			return nil, fmt.Errorf("reading what was edited: %v", err)
		}
	}
	if len(bytes.TrimSpace(text)) == 0 {
		if err := os.WriteFile(d.path, d.text, 0o600); err != nil {
			return nil, fmt.Errorf("restoring %s: %v", d.path, err)
		}
		return nil, errors.New("the editor left an empty file; the text of before is back")
	}
	return text, nil
}

// decode makes the lesson of the edited text. What a person decides by a verb
// (status, decision) and what identifies the lesson stay as they were.
func (d *draft) decode(text []byte, readErr error) (lessons.Lesson, error) {
	if readErr != nil {
		return d.lesson, readErr
	}
	if len(text) > maxDraft {
		return d.lesson, fmt.Errorf("the edited text is longer than %d KB", maxDraft>>10)
	}
	got, err := file.Decode(text)
	if err != nil {
		return d.lesson, fmt.Errorf("the edited text is no lesson: %w", err)
	}
	l := d.lesson
	l.Wording, l.Category, l.Pinned = got.Wording, got.Category, got.Pinned
	if got.Confidence.Round() != l.Confidence.Round() {
		l = l.Rated(got.Confidence)
	} else if l.Proof.Own && !got.Proof.Own {
		l = l.Unrated()
	}
	l.Tags, l.Triggers, l.Scope, l.Evidence, l.Extra = got.Tags, got.Triggers, got.Scope, got.Evidence, got.Extra
	if err := l.Validate(); err != nil {
		return d.lesson, fmt.Errorf("the edited text: %w", err)
	}
	return l, nil
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
