package claims

import (
	"crypto/sha256"
	"encoding/hex"

	db "learnings/lessons/state"
)

// answers are what is remembered of a tree. They are derived: when they are lost, the tree
// is searched again.
type answers struct {
	db      db.DB
	name    string // "" for nowhere
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
		a.db, a.name = db.At(folder), "tree "+hex.EncodeToString(sum[:8])
		if _, err := a.db.Get(a.name, a); err != nil || a.Tree != tree {
			*a = answers{db: a.db, name: a.name}
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

func (a *answers) setVerdict(key, state string, v verdict) {
	if a.State != state {
		a.State, a.Verdicts = state, map[string]verdict{}
	}
	a.Verdicts[key], a.changed = v, true
}

func (a *answers) setNeed(key string, n answer) { a.Needs[key], a.changed = n, true }

// keep writes what has changed.
func (a *answers) keep() error {
	if a.name == "" || !a.changed {
		return nil
	}
	return a.db.Put(a.name, a)
}
