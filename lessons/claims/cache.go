package claims

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"

	"learnings/lessons/atomicfile"
)

// answers are what is remembered of a tree. They are derived: a file that is lost or
// damaged costs a search.
type answers struct {
	file    string
	changed bool

	Tree     string             `json:"tree"`
	State    string             `json:"state"` // for which the verdicts hold
	Verdicts map[string]verdict `json:"verdicts"`
	Needs    map[string]answer  `json:"needs"`
}

// An answer is where a text was found, or when it was last looked for in all files.
type answer struct {
	At    string `json:"at,omitempty"`
	Prose bool   `json:"prose,omitempty"`
	Full  int64  `json:"full,omitempty"`

	// Where a search stopped for want of time, in the files of which state.
	Upto  int    `json:"upto,omitempty"`
	State string `json:"state,omitempty"`
}

const mostAnswers = 5000

// remembered reads what is known of a tree.
func remembered(folder, tree string) *answers {
	a := &answers{}
	if folder != "" {
		sum := sha256.Sum256([]byte(tree))
		a.file = filepath.Join(folder, hex.EncodeToString(sum[:8])+".json")
		if b, err := readSmall(a.file, 4<<20); err == nil && (json.Unmarshal(b, a) != nil || a.Tree != tree) {
			*a = answers{file: a.file}
		}
	}
	a.Tree = tree
	if a.Verdicts == nil || len(a.Verdicts) > mostAnswers {
		a.Verdicts = map[string]verdict{}
	}
	if a.Needs == nil || len(a.Needs) > mostAnswers {
		a.Needs = map[string]answer{}
	}
	return a
}

func (a *answers) verdict(key, state string) (verdict, bool) {
	if a.State != state {
		return "", false
	}
	v, ok := a.Verdicts[key]
	return v, ok
}

func (a *answers) setVerdict(key, state string, v verdict) {
	if a.State != state {
		a.State, a.Verdicts = state, map[string]verdict{}
	}
	a.Verdicts[key], a.changed = v, true
}

func (a *answers) need(key string) answer { return a.Needs[key] }

func (a *answers) setNeed(key string, n answer) { a.Needs[key], a.changed = n, true }

// keep writes what has changed.
func (a *answers) keep() error {
	if a.file == "" || !a.changed {
		return nil
	}
	b, err := json.Marshal(a)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(a.file), 0o700); err != nil {
		return err
	}
	return atomicfile.Write(a.file, func(w io.Writer) error { _, err := w.Write(b); return err })
}
