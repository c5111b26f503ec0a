package setup

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"learnings/lessons/exchange"
	"learnings/lessons/state"
)

// A Record remembers the contents of files before our first change, so that they can be
// restored.
type Record struct {
	path  string
	Files map[string]Was `json:"files"`
	// Folders are the folders that were created for our files.
	Folders []string `json:"folders,omitempty"`
}

// Was is a file before and after a change.
type Was struct {
	Missing bool   `json:"missing,omitempty"` // it did not exist
	Before  []byte `json:"before,omitempty"`
	After   string `json:"after"` // the hash of what was written
}

// Open reads the record in a folder; a missing one is empty.
func Open(folder string) (*Record, error) {
	r := &Record{path: filepath.Join(folder, "setup.json")}
	text, err := os.ReadFile(r.path)
	if err == nil {
		err = json.Unmarshal(text, r)
	}
	if r.Files == nil {
		r.Files = map[string]Was{}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return r, fmt.Errorf("reading what setup wrote before: %s: %w", r.path, err)
	}
	return r, nil
}

func (r *Record) save() error {
	if err := os.MkdirAll(filepath.Dir(r.path), 0o700); err != nil {
		return err
	}
	return state.WriteFile(r.path, func(w io.Writer) error { return json.NewEncoder(w).Encode(r) })
}

// without removes from a text what is ours and was not there before.
func (a Agent) without(path string, text, was []byte, handmade bool) ([]byte, error) {
	var err error
	for _, p := range a.at(path) {
		if text == nil {
			break
		}
		if h, ok := p.kind.(hooks); ok {
			h.keepHandmade = !handmade
			p.kind = h
		}
		if text, err = except(p.kind, was).take(text); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return text, nil
}

// before returns what a file was before setup wrote it, hand-written hooks included, if
// nobody has changed it since. Otherwise it removes what is ours from the text; handmade
// also removes hand-written hooks.
func (a Agent) before(r *Record, path string, now []byte, handmade bool) ([]byte, error) {
	was, known := r.Files[path]
	if known && now != nil && was.After == hash(now) {
		if was.Missing {
			return nil, nil
		}
		return append([]byte{}, was.Before...), nil
	}
	if !known && !handmade {
		was.Before = now // somebody else may have written it
	}
	text, err := a.without(path, now, was.Before, handmade)
	if known && was.Missing && text != nil && says(text) == "" {
		return nil, err // we created it, and nothing else is in it
	}
	return text, err
}

// says returns the settings in a file, or "".
func says(text []byte) string {
	s := strings.TrimSpace(string(text))
	if f, err := parseJSON(text); err == nil && strings.HasPrefix(s, "{") {
		// Cursor's version key; on its own it sets nothing.
		s = strings.Join(strings.Fields(string(f.remove("version"))), "")
	}
	if s == "{}" {
		return ""
	}
	return s
}

func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// ignored reports whether an agent that wants plain JSON cannot read a text.
func (a Agent) ignored(path string, text []byte) bool {
	return a.spec.plain && filepath.Ext(path) == ".json" && len(bytes.TrimSpace(text)) > 0 && !json.Valid(bytes.TrimPrefix(text, bom))
}

// A Change is a planned change of an agent's files.
type Change struct {
	exchange.Plan
	Left []string // files with something else in our place, which stay unchanged
	// Ignored are files that the agent cannot read as they are; see [File].
	Ignored []string
	Back    []string // files with a restored hand-written hook of ours

	record *Record
	files  map[string]Was // the new record; entries without After are removed
	modes  map[string]fs.FileMode
	undo   bool
}

// Wire plans adding what an agent lacks. An error names the unreadable or unwritable
// file; then the agent must not be changed.
func (a Agent) Wire(r *Record) (*Change, error) {
	c := &Change{record: r, files: map[string]Was{}, modes: map[string]fs.FileMode{}}
	for _, path := range a.paths() {
		now, err := exchange.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if a.ignored(path, now) {
			c.Ignored = append(c.Ignored, path)
		}
		parts, done := a.at(path), true
		for _, p := range slices.Clone(parts) {
			state, err := p.look(now)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			if state == Foreign {
				c.Left = append(c.Left, fmt.Sprintf("%s (%s)", path, p.what))
				parts = slices.DeleteFunc(parts, func(q part) bool { return q.what == p.what })
				continue
			}
			done = done && (state == Present || state == "")
		}
		if done {
			continue
		}
		if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o200 == 0 {
			return nil, fmt.Errorf("%s is read-only", path)
		}
		before, err := a.before(r, path, now, false)
		if err != nil {
			return nil, err
		}
		after, err := a.without(path, before, before, true)
		if err != nil {
			return nil, err
		}
		for _, p := range parts {
			if h, ok := p.kind.(hooks); ok { // keep a guard that is wired
				if f, err := parseJSON(now); err == nil {
					h.guard = h.guard || slices.ContainsFunc(h.find(f), func(c Call) bool { return c.Event == preTool })
				}
				p.kind = h
			}
			if after, err = p.put(after); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			if w, ok := p.kind.(whole); ok && w.mode != 0 {
				c.modes[path] = w.mode
			}
		}
		c.edit(path, now, after, before != nil)
		c.files[path] = Was{Missing: before == nil, Before: before, After: hash(after)}
	}
	return c, nil
}

// Unwire plans removing everything of ours from an agent's files. A file that nobody
// changed since setup is restored byte for byte, including hand-written hooks of ours:
// Back lists those, and another call removes them.
func (a Agent) Unwire(r *Record) (*Change, error) {
	c := &Change{record: r, files: map[string]Was{}, undo: true}
	for _, path := range a.paths() {
		now, err := exchange.ReadFile(path)
		if err != nil {
			return nil, err
		}
		after, err := a.before(r, path, now, true)
		if err != nil {
			return nil, err
		}
		c.edit(path, now, after, false)
		c.files[path] = Was{}
		if rest, err := a.without(path, after, after, true); err == nil && !bytes.Equal(rest, after) {
			c.Back = append(c.Back, path)
		}
	}
	return c, nil
}

// edit plans changing a file. With keep it keeps a copy of what others wrote.
func (c *Change) edit(path string, before, after []byte, keep bool) {
	c.File(path, before, after)
	if n := len(c.Edits); n > 0 && c.Edits[n-1].Path == path {
		c.Edits[n-1].Backup = keep
	}
}

// Apply applies the change like [exchange.Plan]: it does not overwrite what somebody
// changed since.
func (c *Change) Apply(ctx context.Context) error {
	state.Sweep(false, append(slices.Collect(maps.Keys(c.files)), c.record.path)...)
	if !c.undo {
		for path, was := range c.files {
			c.record.Files[path] = was
			for dir := filepath.Dir(path); !folderExists(dir) && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
				if !slices.Contains(c.record.Folders, dir) {
					c.record.Folders = append(c.record.Folders, dir)
				}
			}
		}
		// First: a file that differs from its record counts as changed by others.
		if err := c.record.save(); err != nil {
			return err
		}
	}
	if err := c.Plan.Apply(ctx); err != nil {
		return err
	}
	for path, mode := range c.modes {
		if err := os.Chmod(path, mode); err != nil {
			return err
		}
	}
	if c.undo {
		return c.forget()
	}
	return nil
}

// forget removes leftovers of a setup: copies of files that are still there, empty folders,
// and their records.
func (c *Change) forget() error {
	for path := range c.files {
		delete(c.record.Files, path)
		if real, err := filepath.EvalSymlinks(path); err == nil {
			for _, copied := range []string{exchange.CopyOf(real), real + exchange.BackupSuffix} { // the second of an earlier version
				if err := os.Remove(copied); err != nil && !errors.Is(err, fs.ErrNotExist) {
					return err
				}
				for dir := filepath.Dir(copied); os.Remove(dir) == nil; dir = filepath.Dir(dir) { // fails if it is not empty
				}
			}
		}
	}
	slices.SortFunc(c.record.Folders, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	c.record.Folders = slices.DeleteFunc(c.record.Folders, func(dir string) bool {
		err := os.Remove(dir) // fails if it is not empty
		return err == nil || errors.Is(err, fs.ErrNotExist)
	})
	if len(c.record.Files) == 0 && len(c.record.Folders) == 0 {
		if err := os.Remove(c.record.path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	return c.record.save()
}
