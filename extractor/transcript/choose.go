package transcript

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Choice says which transcripts a person means.
type Choice struct {
	Places Places                  // where sessions are looked for
	Dir    string                  // from which relative paths are told
	Words  []string                // files, folders, or the beginnings of ids of sessions; none for all in the places
	Known  func(File) (File, bool) // see [FindKnown]
	Bad    func(error)             // is told what cannot be read
}

// Files finds the transcripts that are meant. missing are the words that are neither a
// file nor the id of a session in the places.
func (c Choice) Files() (files []File, missing []string) {
	collect := func(where Places, want func(string) bool) {
		for f, err := range FindKnown(where, c.Known) {
			if err != nil {
				c.Bad(err)
			} else if want(f.Path) {
				f.Named = f.Named || f.Format == GitHub // nobody keeps these but to have them read
				files = append(files, f)
			}
		}
	}
	all := func(string) bool { return true }
	if len(c.Words) == 0 {
		collect(c.Places, all)
		return files, nil
	}
	var named Places
	var ids []string
	for _, w := range c.Words {
		path := w
		if !filepath.IsAbs(path) {
			path = filepath.Join(c.Dir, path)
		}
		if _, err := os.Lstat(path); err == nil || strings.ContainsAny(w, `/\`) || strings.HasSuffix(w, ".jsonl") {
			named = append(named, Place{Path: path, Named: true})
		} else {
			ids = append(ids, w)
		}
	}
	collect(named, all)
	if len(ids) == 0 {
		return files, nil
	}
	found := map[string]bool{}
	collect(c.Places, func(path string) bool {
		i := slices.IndexFunc(ids, func(id string) bool { return isSession(path, id) })
		if i >= 0 {
			found[ids[i]] = true
		}
		return i >= 0
	})
	return files, slices.DeleteFunc(ids, func(id string) bool { return found[id] })
}

// isSession reports whether a transcript is named for the session with an id, or
// with an id that begins so: ID.jsonl or rollout-TIME-ID.jsonl.
func isSession(path, id string) bool {
	name := filepath.Base(path)
	return strings.HasPrefix(name, id) || strings.HasPrefix(name, "rollout-") && strings.Contains(name, "-"+id)
}
