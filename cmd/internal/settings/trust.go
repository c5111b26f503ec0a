package settings

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"learnings/lessons"
	"learnings/lessons/state"
)

// Trusts are the settings by which what others decide counts. An agent can write them into
// the file, so a change has no effect before a person confirms it.
type Trusts struct {
	Edits    bool     `json:"trust_edits,omitempty"`
	Programs []string `json:"trust_programs,omitempty"`
	Keys     []string `json:"sync_trust,omitempty"`
}

// trustName is the name of the trusts that a person last confirmed; see [state.DB.Vouch].
const trustName = "trust"

// IsZero reports whether nothing is trusted.
func (t Trusts) IsZero() bool { return !t.Edits && len(t.Programs)+len(t.Keys) == 0 }

// String lists them as the settings file has them.
func (t Trusts) String() string {
	var out []string
	if t.Edits {
		out = append(out, "trust_edits = true")
	}
	for _, list := range []struct {
		name  string
		names []string
	}{{"trust_programs", t.Programs}, {"sync.trust", t.Keys}} {
		if len(list.names) > 0 {
			out = append(out, fmt.Sprintf("%s = [%s]", list.name, strings.Join(list.names, ", ")))
		}
	}
	return strings.Join(out, "; ")
}

// Trusts returns what the settings trust.
func (c Config) Trusts() Trusts {
	return Trusts{c.TrustEdits.Value, c.TrustPrograms.Value, c.Trust.Value}
}

// TrustedKeys returns the keys of sync.trust, each without the name that may follow it.
func (c Config) TrustedKeys() (keys []string) {
	for _, t := range c.Trust.Value {
		if fields := strings.Fields(t); len(fields) > 0 {
			keys = append(keys, fields[0])
		}
	}
	return keys
}

// NoKeys returns the entries of sync.trust that are no keys, such as names, which an
// earlier version went by. They have no effect.
func (c Config) NoKeys() (names []string) {
	for i, k := range c.TrustedKeys() {
		if !lessons.IsKey(k) {
			names = append(names, c.Trust.Value[i])
		}
	}
	return names
}

// Key returns the key of this machine for the corpus, or nil if there is none.
func (p Places) Key() (ed25519.PrivateKey, error) { return state.At(p.State).Key() }

// MakeKey makes the key of this machine for the corpus, unless there is one.
func (p Places) MakeKey() error {
	_, err := state.At(p.State).MakeKey()
	return err
}

// ConfirmTrusts records that what the settings trust is the person's word.
func (p Places) ConfirmTrusts(t Trusts) error { return state.At(p.State).Vouch(trustName, t) }

// heed takes out of the settings the trusts that no person has confirmed, and keeps them
// in Unconfirmed. Those of a corpus that has no lessons yet count at once, and those that
// an earlier version went by.
func (p Places) heed(c *Config, record bool) {
	t, db := c.Trusts(), state.At(p.State)
	if t.IsZero() || p.By == "sample" || db.Vouched(trustName, t) {
		return
	}
	if key, err := db.Key(); key == nil && err == nil && p.unwatched() {
		if !record || p.ConfirmTrusts(t) == nil {
			return
		}
	}
	d := Defaults(c.Path)
	c.TrustEdits, c.TrustPrograms, c.Trust, c.Unconfirmed = d.TrustEdits, d.TrustPrograms, d.Trust, t
}

// unwatched reports whether the corpus has no lessons yet, or a state that an earlier
// version made, which has no key and never had one.
func (p Places) unwatched() bool {
	db := state.At(p.State)
	if _, err := os.Stat(db.Path()); err == nil {
		var any struct{}
		had, err := db.Get("sealed", &any)
		return err == nil && !had
	}
	entries, err := os.ReadDir(p.Corpus)
	return errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0
}

// Load reads the settings of these places. Trusts that no person has confirmed are left out.
func (p Places) Load() (Config, error) {
	c, err := Load(p.Config)
	p.heed(&c, true)
	return c, err
}

// Peek is Load, and records nothing.
func (p Places) Peek() (Config, error) {
	c, err := Load(p.Config)
	p.heed(&c, false)
	return c, err
}

// Vouch records that a person has said yes to a value, by its name.
func (p Places) Vouch(name string, value any) error { return state.At(p.State).Vouch(name, value) }

// Vouched reports whether the value to which a person last said yes is this one.
func (p Places) Vouched(name string, value any) bool { return state.At(p.State).Vouched(name, value) }
