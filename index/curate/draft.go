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

// This file keeps the text of a lesson while it is in the hands of the person's
// editor. The rule is that no keystroke is lost: what was written stays in a
// file beside the corpus's state until it is the lesson, whatever the editor,
// the disk or another writer does meanwhile, and every face goes on with it.

// maxDraft is the most bytes of a text that comes back from an editor.
const maxDraft = 1 << 20

// revDigits of the lesson's revision are in the name of a draft.
const revDigits = 8

// ErrUnchanged is what [Draft.Read] answers to a text that says what the lesson
// says.
var ErrUnchanged = errors.New("nothing was changed")

// A Draft is a lesson as a file in the hands of an editor.
type Draft struct {
	Path   string
	Lesson lessons.Lesson // as it is stored
	Again  bool           // it has the text of an earlier edit that was not stored
	Moved  bool           // and the lesson has changed since

	text []byte // of the lesson as it is stored
}

// OpenDraft writes a lesson to where an editor will find it, or goes on with
// the text that an earlier edit has left, from whichever face.
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

// Keep writes what a person has made of a lesson so far to where the next edit of it
// goes on, from whichever face. A text without a sentence has that of the lesson.
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

// Kept is what an earlier edit of a lesson has left, as the lesson that it would be; the
// draft is nil when there is nothing. An error is about a text that is no lesson: it stays
// where it is.
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

// left is the newest text that an edit of a lesson has left; "" for none.
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

// eraseDrafts removes what edits of lessons have left, also the copies that
// editors make beside a file (.name.swp, name~).
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

// Discard removes the draft: its text is the lesson's, or nobody wants it. It
// does nothing for a nil Draft.
func (d *Draft) Discard() {
	if d != nil {
		_ = os.Remove(d.Path) // one that stays is offered again, and lost is nothing
	}
}

// Read gives the lesson that the edited text is. A text that says what the
// lesson says is [ErrUnchanged], and the draft is gone. After any other error
// the person's text is still in the draft; one that was emptied or removed,
// which most often is a slip, has the text of the lesson again.
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

// Untouched reports that the file has the text that the editor was given.
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

// reads reports that two states of a lesson are the same to the one who edits.
func reads(a, b lessons.Lesson) bool {
	return a.Wording == b.Wording && a.Category == b.Category && a.Scope == b.Scope && a.Limit.Equal(b.Limit) && a.Pinned == b.Pinned &&
		a.Confidence.Round() == b.Confidence.Round() && a.Proof.Own == b.Proof.Own && len(a.Evidence) == len(b.Evidence) &&
		slices.Equal(a.Tags, b.Tags) && slices.Equal(a.Triggers, b.Triggers) && slices.Equal(a.Extra, b.Extra)
}

// EditDraft is the action of storing what [Draft.Read] gave. When [Corpus.Decide]
// has stored it, the draft is gone.
func EditDraft(d *Draft, edited lessons.Lesson) Action {
	a := Edit(edited)
	a.draft = d
	return a
}

// EditTyped is the action of storing what a person has made of a lesson outside of an
// editor of their own. When [Corpus.Decide] cannot store it, it is kept as a draft.
func EditTyped(edited lessons.Lesson) Action {
	a := Edit(edited)
	a.draft, a.typed = &Draft{}, &edited
	return a
}

// keep keeps what was typed for an action, before anything can fail.
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

// Draft is whose text the action stores; nil for any other action, and where nothing is
// kept.
func (a Action) Draft() *Draft {
	if a.draft == nil || a.draft.Path == "" {
		return nil
	}
	return a.draft
}
