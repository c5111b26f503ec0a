package gitsync

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"learnings/lessons"
	"learnings/lessons/file"
	"learnings/lessons/store"
)

// A doc is a file that is a lesson.
type doc struct {
	store.File
	object
	lesson lessons.Lesson
}

// A side is one state of a corpus: what a commit holds, sorted out.
type side struct {
	docs  map[lessons.ID]*doc
	other tree // files that are no lessons: broken ones, the second of two with one id, and those that are not ours
	gone  map[lessons.ID]bool
}

// The files that a synced corpus has beside its lessons.
const (
	goneFile       = ".forgotten" // ids of lessons that were forgotten
	ignoreFile     = ".gitignore"
	attributesFile = ".gitattributes"
)

// ours reports a path that sync writes and commits.
func ours(path string) bool {
	return path == goneFile || path == ignoreFile || path == attributesFile || file.Is(path)
}

// sortOut makes a side of a tree. Content comes from texts, by its name in git;
// what is not there could not be read. Decoded files are kept in known.
func sortOut(t tree, texts map[string][]byte, known map[string]*doc) *side {
	s := &side{docs: map[lessons.ID]*doc{}, other: tree{}, gone: map[lessons.ID]bool{}}
	for _, path := range slices.Sorted(maps.Keys(t)) {
		o := t[path]
		if path == goneFile {
			for _, id := range parseGone(texts[o.name]) {
				s.gone[id] = true
			}
			continue
		}
		d := decodeDoc(path, o, texts, known)
		if d == nil || s.docs[d.lesson.ID] != nil {
			s.other[path] = o
			continue
		}
		s.docs[d.lesson.ID] = d
	}
	return s
}

// decodeDoc is nil for what is no lesson.
func decodeDoc(path string, o object, texts map[string][]byte, known map[string]*doc) *doc {
	text, ok := texts[o.name]
	if !ok || !o.plain() || !file.Is(path) {
		return nil
	}
	key := o.name + " " + path
	d, seen := known[key]
	if !seen {
		f := store.File{Path: path, Text: text}
		if l, err := file.DecodeAt(f.Path, f.Text, ""); err == nil {
			d = &doc{f, o, l}
		}
		known[key] = d
	}
	if d != nil && d.mode != o.mode {
		return &doc{d.File, o, d.lesson}
	}
	return d
}

// tree is a side as a commit holds it.
func (s *side) tree(name func([]byte) string, texts map[string][]byte) tree {
	t := maps.Clone(s.other)
	for _, d := range s.docs {
		t[d.Path] = d.object
	}
	if len(s.gone) > 0 {
		text := formatGone(s.gone)
		n := name(text)
		texts[n] = text
		t[goneFile] = object{plainFile, n}
	}
	return t
}

const goneHead = "# The ids of lessons that were forgotten, so that no copy of this corpus brings them back.\n"

// parseGone reads the ids of a file of them, whatever else a merge by hand has
// left in it.
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

func formatGone(ids map[lessons.ID]bool) []byte {
	var b bytes.Buffer
	b.WriteString(goneHead)
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		b.WriteString(string(id) + "\n")
	}
	return b.Bytes()
}
