package claims

import (
	"path"
	"path/filepath"
	"strings"
)

// ignored reports that git would not track a path, which then may come and go. It reads
// the patterns of the tree's folders and of the repository. What it cannot read it takes
// for a match: a lesson is not withheld for it.
func (t *Tree) ignored(name string) bool {
	files := []string{".gitignore"}
	dir := path.Dir(name)
	for at := ""; dir != "."; {
		first, rest, more := strings.Cut(dir, "/")
		at = path.Join(at, first)
		files = append(files, at+"/.gitignore")
		if !more {
			break
		}
		dir = rest
	}
	out := false
	for _, f := range files {
		if b, ok := t.read(f, mostSmall); ok {
			out = matches(string(b), strings.TrimPrefix(name, strings.TrimSuffix(f, ".gitignore")), out)
		}
	}
	if t.git.common != "" {
		b, _ := readSmall(filepath.Join(t.git.common, "info", "exclude"), mostSmall)
		out = matches(string(b), name, out)
	}
	return out
}

// matches goes through the patterns of a file; the last that fits counts.
func matches(patterns, name string, was bool) bool {
	for line := range strings.Lines(patterns) {
		line = strings.TrimRight(line, " \t\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		line, not := strings.CutPrefix(line, "!")
		folder := strings.HasSuffix(line, "/")
		if fits(strings.TrimSuffix(line, "/"), name, folder) {
			was = !not
		}
	}
	return was
}

// fits reports whether a pattern fits a path or a folder that it is in. A path without
// a folder may be in any.
func fits(pattern, name string, folder bool) bool {
	anchored := strings.Contains(pattern, "/")
	pattern = strings.TrimPrefix(strings.TrimPrefix(pattern, "/"), "**/")
	parts := strings.Split(name, "/")
	if !anchored {
		for i, p := range parts {
			if ok, err := path.Match(pattern, p); err != nil || ok && (!folder || i < len(parts)-1 || path.Ext(p) == "") {
				return true
			}
		}
		return false
	}
	if len(parts) == 1 { // "data/*.json" may mean it
		ok, err := path.Match(path.Base(pattern), name)
		return err != nil || ok && path.Base(pattern) != "*"
	}
	want := strings.Split(pattern, "/")
	if strings.Count(pattern, "**") > 3 {
		return true // it could take for ever
	}
	for n := range parts {
		if ok := deep(want, parts[:n+1]); ok {
			return true
		}
	}
	return false
}

// deep matches folder by folder, with ** for any number of them.
func deep(want, parts []string) bool {
	for len(want) > 0 {
		if want[0] == "**" {
			if len(want) == 1 {
				return true
			}
			for i := range parts {
				if deep(want[1:], parts[i:]) {
					return true
				}
			}
			return false
		}
		if len(parts) == 0 {
			return false
		}
		if ok, err := path.Match(want[0], parts[0]); err != nil || !ok {
			return err != nil
		}
		want, parts = want[1:], parts[1:]
	}
	return len(parts) == 0
}
