package curate

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"learnings/lessons"
	"learnings/lessons/file"
)

// This file keeps the text of a lesson while a person edits it. No keystroke is lost: the
// text stays in a file beside the corpus's state until it is stored as the lesson, even if
// the editor, the disk or another writer fails, and every face can continue with it.

const maxDraft = 1 << 20

// revDigits is how many digits of the lesson's revision the name of a draft has.
const revDigits = 8

// ErrUnchanged is the error of [Draft.Read] for a text that says what the lesson says.
var ErrUnchanged = errors.New("nothing was changed")

// A Draft is a lesson in a file for an editor.
type Draft struct {
	Path   string
	Lesson lessons.Lesson // as stored
	Again  bool           // it has the text of an earlier edit that was not stored
	Moved  bool           // and the lesson has changed since

	text []byte // of the stored lesson
}

// OpenDraft writes a lesson to a file for an editor, or continues with the text that an
// earlier edit left, from any face.
func (c *Corpus) OpenDraft(l lessons.Lesson) (*Draft, error) {
	if err := c.MayDecide("edit them"); err != nil {
		return nil, err
	}
	if err := l.Validate(); err != nil {
		return nil, err // its id would name the file
	}
	text, err := file.Encode(l)
	if err != nil {
		return nil, fmt.Errorf("writing %s for the editor: %v", l.ID, err)
	}
	if err := os.MkdirAll(c.Drafts, 0o700); err != nil {
		return nil, fmt.Errorf("making a place for drafts: %v", err)
	}
	d := &Draft{Path: filepath.Join(c.Drafts, fmt.Sprintf("%s-%.*s.md", l.ID, revDigits, l.Rev)), Lesson: l, text: text}
	if left := c.left(l.ID); left != "" {
		d.Again, d.Moved = true, left != d.Path
		if d.Moved && os.Rename(left, d.Path) != nil {
			d.Path = left
		}
		return d, nil
	}
	if err := os.WriteFile(d.Path, d.text, 0o600); err != nil {
		return nil, fmt.Errorf("writing %s for the editor: %v", l.ID, err)
	}
	return d, nil
}

// Keep writes what a person has made of a lesson so far, for the next edit of it to
// continue with, from any face. A text without a sentence gets that of the lesson.
func Keep(c *Corpus, l, edited lessons.Lesson) (*Draft, error) {
	if strings.TrimSpace(edited.Content) == "" {
		edited.Content = l.Content
	}
	text, err := file.Encode(edited)
	if err != nil {
		return nil, fmt.Errorf("keeping the text of %s: %v", l.ID, err)
	}
	d, err := c.OpenDraft(l)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(d.Path, text, 0o600); err != nil {
		return nil, fmt.Errorf("keeping the text of %s: %v", l.ID, err)
	}
	d.Again = true
	return d, nil
}

// Kept returns the draft that an earlier edit left, and the lesson it would be. The draft
// is nil if there is none. If its text is no lesson, Kept returns an error and leaves it.
func Kept(c *Corpus, l lessons.Lesson) (*Draft, lessons.Lesson, error) {
	if c.left(l.ID) == "" {
		return nil, l, nil
	}
	d, err := c.OpenDraft(l)
	if err != nil {
		return nil, l, err
	}
	edited, err := d.Read()
	if errors.Is(err, ErrUnchanged) {
		return nil, l, nil
	}
	return d, edited, err
}

// left returns the path of the newest draft of a lesson; "" for none.
func (c *Corpus) left(id lessons.ID) string {
	paths, _ := filepath.Glob(filepath.Join(c.Drafts, string(id)+"-*.md")) // the pattern is well-formed: an id has none of its signs
	paths = append(paths, filepath.Join(c.Drafts, string(id)+".md"))       // as they were named before version 0.6
	var newest string
	var at int64
	for _, p := range paths {
		if text, err := os.ReadFile(p); err != nil || len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		if info, err := os.Stat(p); err == nil && (newest == "" || info.ModTime().UnixNano() > at) {
			newest, at = p, info.ModTime().UnixNano()
		}
	}
	return newest
}

// eraseDrafts removes the drafts of lessons and the copies that editors make beside a file
// (.name.swp, name~).
func (c *Corpus) eraseDrafts(ids []lessons.ID) error {
	var err error
	for _, id := range ids {
		left, _ := filepath.Glob(filepath.Join(c.Drafts, "*"+string(id)+"*")) // the pattern is well-formed: an id has none of its signs
		for _, path := range left {
			rest, is := strings.CutPrefix(strings.TrimLeft(filepath.Base(path), ".#"), string(id))
			if is && (rest == "" || strings.ContainsRune(".-~#", rune(rest[0]))) {
				err = errors.Join(err, os.Remove(path))
			}
		}
	}
	if err != nil {
		return fmt.Errorf("erasing drafts: %v", err)
	}
	return nil
}

// Discard removes the draft: its text is stored, or nobody wants it. It does nothing for a
// nil Draft.
func (d *Draft) Discard() {
	if d != nil {
		_ = os.Remove(d.Path) // if it stays it is offered again, and nothing is lost
	}
}

// Read parses the edited text. For a text that says what the lesson says it discards the
// draft and returns [ErrUnchanged]. After any other error the draft keeps the person's
// text; if that was emptied or removed, which is mostly a slip, it gets the text of the
// lesson again.
func (d *Draft) Read() (lessons.Lesson, error) {
	text, err := d.read()
	if err != nil {
		return d.Lesson, err
	}
	if !d.Again && bytes.Equal(text, d.text) {
		d.Discard()
		return d.Lesson, ErrUnchanged
	}
	if len(text) > maxDraft {
		return d.Lesson, fmt.Errorf("the edited text is longer than %d KB", maxDraft>>10)
	}
	got, err := file.Decode(text)
	if err != nil {
		return d.Lesson, fmt.Errorf("the edited text is no lesson: %w", err)
	}
	l := Edited(d.Lesson, got)
	if err := l.Validate(); err != nil {
		return d.Lesson, fmt.Errorf("the edited text: %w", err)
	}
	if reads(l, d.Lesson) {
		d.Discard()
		return d.Lesson, ErrUnchanged
	}
	return l, nil
}

// Untouched reports whether the file still has the text that the editor got.
func (d *Draft) Untouched() bool {
	text, err := os.ReadFile(d.Path)
	return err == nil && !d.Again && bytes.Equal(text, d.text)
}

func (d *Draft) read() ([]byte, error) {
	f, err := os.Open(d.Path)
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
		if err := os.WriteFile(d.Path, d.text, 0o600); err != nil {
			return nil, fmt.Errorf("restoring %s: %v", d.Path, err)
		}
		return nil, errors.New("the editor left an empty file; the text of before is back")
	}
	return text, nil
}

// reads reports whether two versions of a lesson look the same to a person editing it.
func reads(a, b lessons.Lesson) bool {
	return a.Wording == b.Wording && a.Category == b.Category && a.Scope == b.Scope && a.Limit.Equal(b.Limit) && a.Pinned == b.Pinned &&
		a.Confidence.Round() == b.Confidence.Round() && a.Proof.Own == b.Proof.Own && len(a.Evidence) == len(b.Evidence) &&
		slices.Equal(a.Tags, b.Tags) && slices.Equal(a.Triggers, b.Triggers) && slices.Equal(a.Extra, b.Extra)
}

// EditDraft stores what [Draft.Read] returned. [Corpus.Decide] discards the draft once it
// is stored.
func EditDraft(d *Draft, edited lessons.Lesson) Action {
	a := Edit(edited)
	a.draft = d
	return a
}

// EditTyped stores a lesson that a person edited without an editor of their own. If
// [Corpus.Decide] cannot store it, it keeps it as a draft.
func EditTyped(edited lessons.Lesson) Action {
	a := Edit(edited)
	a.draft, a.typed = &Draft{}, &edited
	return a
}

// keep saves what was typed for an action before anything can fail.
func keep(c *Corpus, a Action, seen lessons.Lesson) error {
	if a.typed == nil {
		return nil
	}
	d, err := Keep(c, seen, *a.typed)
	if err == nil {
		*a.draft = *d
	}
	return err
}

// Draft returns the draft that the action stores; nil for any other action, and if nothing
// is kept.
func (a Action) Draft() *Draft {
	if a.draft == nil || a.draft.Path == "" {
		return nil
	}
	return a.draft
}
