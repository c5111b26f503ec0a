package claims

import (
	"os"
	"path"
	"path/filepath"
	"strings"
)

const (
	mostCompared = 3000 // files that are held against git's index
	mostChanged  = 30   // of them that are told
)

// Around is what the work in a tree is about, as far as it can be told at once: the
// branch, and the files that changed since git last saw them, a line each. "" for nil.
func (t *Tree) Around() string {
	if t == nil || t.git.dir == "" {
		return ""
	}
	var lines []string
	if head, err := readSmall(filepath.Join(t.git.dir, "HEAD"), mostSmall); err == nil {
		branch := strings.TrimSpace(strings.TrimPrefix(string(head), "ref: refs/heads/"))
		if usual := branch == "main" || branch == "master" || branch == "develop"; !usual && strings.HasPrefix(string(head), "ref: ") {
			lines = append(lines, strings.NewReplacer("/", " ", "-", " ").Replace(branch))
		}
	}
	if !t.list() {
		return strings.Join(lines, "\n")
	}
	for i, e := range t.entries {
		if i == mostCompared || len(lines) > mostChanged {
			break
		}
		if e.kind != regular {
			continue
		}
		info, err := t.root.Lstat(filepath.FromSlash(e.path))
		if err == nil && info.ModTime().Unix() != e.mtime || os.IsNotExist(err) {
			lines = append(lines, path.Dir(e.path)+"/"+path.Base(e.path))
		}
	}
	return strings.Join(lines, "\n")
}
