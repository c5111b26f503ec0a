package gitsync

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

// A fileTree is the files of a commit, by path.
type fileTree map[string]object

// An object is a file as git keeps it. The zero object is no file.
type object struct {
	Mode string // 100644, 100755; 120000 for a symlink, 160000 for a repository
	Name string // git's name for the content
}

// plain returns the object of an ordinary file.
func plain(name string) object { return object{"100644", name} }

// IsPlain reports whether the object is an ordinary file, executable or not.
func (o object) IsPlain() bool { return o.Mode == "100644" || o.Mode == "100755" }

// A doc is a file that is a lesson.
type doc struct {
	object
	Path   string
	Text   []byte
	Lesson lessons.Lesson
}

// is reports whether two docs are the same text at the same path.
func (d *doc) is(o *doc) bool { return d.Path == o.Path && d.Name == o.Name }

// goneFile is the file of a corpus that lists the lessons that were forgotten.
const goneFile = ".forgotten"

// A snapshot is one state of a corpus.
type snapshot struct {
	Docs  map[lessons.ID]*doc
	Other fileTree            // files that are not lessons: broken ones, duplicates of an id, and those of others
	Gone  map[lessons.ID]bool // lessons that were forgotten
}

// newSnapshot returns an empty state.
func newSnapshot() *snapshot {
	return &snapshot{Docs: map[lessons.ID]*doc{}, Other: fileTree{}, Gone: map[lessons.ID]bool{}}
}

// same reports whether two states have the same lessons in the same places.
func (s *snapshot) same(o *snapshot) bool {
	return maps.Equal(s.Gone, o.Gone) && maps.EqualFunc(s.Docs, o.Docs, (*doc).is)
}

// Blobs hold the contents of files by their names in git, and the lessons that
// were decoded from them. The zero value is empty. It is not safe for use by
// several goroutines at once.
type blobs struct {
	SHA256 bool // whether the repository names contents by SHA-256 instead of SHA-1
	texts  map[string][]byte
	docs   map[string]*doc // by name and path; nil for what is not a lesson
}

// Name returns git's name for a content.
func (b *blobs) Name(text []byte) string {
	var h hash.Hash = sha1.New()
	if b.SHA256 {
		h = sha256.New()
	}
	fmt.Fprintf(h, "blob %d\x00", len(text))
	h.Write(text)
	return hex.EncodeToString(h.Sum(nil))
}

// Add keeps a content and gives its name.
func (b *blobs) Add(text []byte) string {
	if b.texts == nil {
		b.texts, b.docs = map[string][]byte{}, map[string]*doc{}
	}
	name := b.Name(text)
	b.texts[name] = text
	return name
}

// Text returns the content of a name, if it was added.
func (b *blobs) Text(name string) ([]byte, bool) {
	text, ok := b.texts[name]
	return text, ok
}

// State reads the state of a corpus from a tree. A content that was not added
// counts as one that is not a lesson. Of two files with the same id the first
// by path is the lesson's.
func (b *blobs) State(t fileTree) *snapshot {
	s := newSnapshot()
	for _, path := range slices.Sorted(maps.Keys(t)) {
		o := t[path]
		if path == goneFile {
			for _, id := range parseGone(b.texts[o.Name]) {
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
func (b *blobs) Doc(path string, o object) *doc {
	text, ok := b.texts[o.Name]
	if !ok || !o.IsPlain() || !file.Is(path) {
		return nil
	}
	key := o.Name + " " + path
	d, known := b.docs[key]
	if !known {
		if l, err := file.DecodeAt(path, text, ""); err == nil {
			d = &doc{o, path, text, l}
		}
		b.docs[key] = d
	}
	if d != nil && d.Mode != o.Mode {
		return &doc{o, path, text, d.Lesson}
	}
	return d
}

// fileTree returns a state as a commit holds it, and adds the contents that are new.
func (b *blobs) Tree(s *snapshot) fileTree {
	t := maps.Clone(s.Other)
	for _, d := range s.Docs {
		t[d.Path] = d.object
	}
	if len(s.Gone) > 0 {
		t[goneFile] = plain(b.Add(formatGone(s.Gone)))
	}
	return t
}

// Encode returns a lesson as a file that has no place yet, and adds its content.
func (b *blobs) Encode(l lessons.Lesson) (*doc, error) {
	text, err := file.Encode(l)
	if err != nil {
		return nil, err
	}
	return &doc{object: plain(b.Add(text)), Text: text, Lesson: file.Normal(l)}, nil
}

const goneHead = "# The ids of lessons that were forgotten, so that no copy of this corpus brings them back.\n"

// parseGone reads the ids in a [goneFile] and ignores leftovers of a manual merge.
func parseGone(text []byte) []lessons.ID {
	var out []lessons.ID
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line != "" && len(line) <= 64 && strings.Trim(line, "abcdefghijklmnopqrstuvwxyz0123456789-_") == "" {
			out = append(out, lessons.ID(line))
		}
	}
	return out
}

// formatGone writes a [goneFile].
func formatGone(ids map[lessons.ID]bool) []byte {
	var b bytes.Buffer
	b.WriteString(goneHead)
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		b.WriteString(string(id) + "\n")
	}
	return b.Bytes()
}
