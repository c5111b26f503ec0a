// Package merge3 makes one state of a corpus of three: the one in which two
// copies last agreed, and what each of them has become since.
//
// It does no I/O and runs no program. Of git it knows only trees and the names
// that git gives to contents, so that a state can be read from a commit and
// written to one by whoever does run git.
//
// The rules of a merge are:
//
//   - Lessons are told apart by their ids and not by the paths of their files,
//     which change with every decision: a lesson that one side approved and the
//     other rejected is one lesson with two histories.
//   - What only one side changed is taken over. What both changed is settled
//     field by field, by [lessons.Reconcile].
//   - A forgotten lesson stays forgotten, whatever the other side did to it since.
//     One that is merely missing was removed, unless the other side changed it.
//   - The result does not depend on which side is called ours. The one exception
//     are files that are not lessons: ours stays, and theirs goes beside it.
package merge3

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"maps"
	"slices"
	"strings"

	"learnings/lessons"
	"learnings/lessons/file"
)

// A Tree is the files of a commit, by path.
type Tree map[string]Object

// An Object is a file as git keeps it. The zero Object is no file.
type Object struct {
	Mode string // 100644, 100755; 120000 for a symlink, 160000 for a repository
	Name string // git's name for the content
}

// Plain returns the object of an ordinary file.
func Plain(name string) Object { return Object{"100644", name} }

// IsPlain reports whether the object is an ordinary file, executable or not.
func (o Object) IsPlain() bool { return o.Mode == "100644" || o.Mode == "100755" }

// A Doc is a file that is a lesson.
type Doc struct {
	Object
	Path   string
	Text   []byte
	Lesson lessons.Lesson
}

// is reports whether two docs are the same text at the same path.
func (d *Doc) is(o *Doc) bool { return d.Path == o.Path && d.Name == o.Name }

// GoneFile is the file of a corpus that lists the lessons that were forgotten.
const GoneFile = ".forgotten"

// A State is one state of a corpus.
type State struct {
	Docs  map[lessons.ID]*Doc
	Other Tree                // files that are not lessons: broken ones, the second of two with one id, and those that are not ours
	Gone  map[lessons.ID]bool // lessons that were forgotten
}

// NewState returns an empty state.
func NewState() *State {
	return &State{Docs: map[lessons.ID]*Doc{}, Other: Tree{}, Gone: map[lessons.ID]bool{}}
}

// same reports whether two states have the same lessons in the same places.
func (s *State) same(o *State) bool {
	return maps.Equal(s.Gone, o.Gone) && maps.EqualFunc(s.Docs, o.Docs, (*Doc).is)
}

// Blobs hold the contents of files by their names in git, and the lessons that
// were decoded from them. The zero value is empty. It is not safe for use by
// several goroutines at once.
type Blobs struct {
	SHA256 bool // whether the repository names contents by SHA-256 instead of SHA-1
	texts  map[string][]byte
	docs   map[string]*Doc // by name and path; nil for what is not a lesson
}

// Name returns git's name for a content.
func (b *Blobs) Name(text []byte) string {
	var h hash.Hash = sha1.New()
	if b.SHA256 {
		h = sha256.New()
	}
	fmt.Fprintf(h, "blob %d\x00", len(text))
	h.Write(text)
	return hex.EncodeToString(h.Sum(nil))
}

// Add keeps a content and gives its name.
func (b *Blobs) Add(text []byte) string {
	if b.texts == nil {
		b.texts, b.docs = map[string][]byte{}, map[string]*Doc{}
	}
	name := b.Name(text)
	b.texts[name] = text
	return name
}

// Text returns the content of a name, if it was added.
func (b *Blobs) Text(name string) ([]byte, bool) {
	text, ok := b.texts[name]
	return text, ok
}

// State reads the state of a corpus from a tree. A content that was not added
// counts as one that is not a lesson. Of two files with the same id the first
// by path is the lesson's.
func (b *Blobs) State(t Tree) *State {
	s := NewState()
	for _, path := range slices.Sorted(maps.Keys(t)) {
		o := t[path]
		if path == GoneFile {
			for _, id := range ParseGone(b.texts[o.Name]) {
				s.Gone[id] = true
			}
			continue
		}
		if d := b.Doc(path, o); d != nil && s.Docs[d.Lesson.ID] == nil {
			s.Docs[d.Lesson.ID] = d
		} else {
			s.Other[path] = o
		}
	}
	return s
}

// Doc decodes a file; nil when it is not a lesson.
func (b *Blobs) Doc(path string, o Object) *Doc {
	text, ok := b.texts[o.Name]
	if !ok || !o.IsPlain() || !file.Is(path) {
		return nil
	}
	key := o.Name + " " + path
	d, known := b.docs[key]
	if !known {
		if l, err := file.DecodeAt(path, text, ""); err == nil {
			d = &Doc{o, path, text, l}
		}
		b.docs[key] = d
	}
	if d != nil && d.Mode != o.Mode {
		return &Doc{o, path, text, d.Lesson}
	}
	return d
}

// Tree returns a state as a commit holds it, and adds the contents that are new.
func (b *Blobs) Tree(s *State) Tree {
	t := maps.Clone(s.Other)
	for _, d := range s.Docs {
		t[d.Path] = d.Object
	}
	if len(s.Gone) > 0 {
		t[GoneFile] = Plain(b.Add(FormatGone(s.Gone)))
	}
	return t
}

// Encode returns a lesson as a file that has no place yet, and adds its content.
func (b *Blobs) Encode(l lessons.Lesson) (*Doc, error) {
	text, err := file.Encode(l)
	if err != nil {
		return nil, err
	}
	return &Doc{Object: Plain(b.Add(text)), Text: text, Lesson: l}, nil
}

const goneHead = "# The ids of lessons that were forgotten, so that no copy of this corpus brings them back.\n"

// ParseGone reads the ids in a [GoneFile], and passes over whatever else a merge
// by hand has left in it.
func ParseGone(text []byte) []lessons.ID {
	var out []lessons.ID
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line != "" && len(line) <= 64 && strings.Trim(line, "abcdefghijklmnopqrstuvwxyz0123456789-_") == "" {
			out = append(out, lessons.ID(line))
		}
	}
	return out
}

// FormatGone writes a [GoneFile].
func FormatGone(ids map[lessons.ID]bool) []byte {
	var b bytes.Buffer
	b.WriteString(goneHead)
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		b.WriteString(string(id) + "\n")
	}
	return b.Bytes()
}
