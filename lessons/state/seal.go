package state

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// KeyName is the file in a state folder with the key of this machine. Only its owner may
// read it. It seals what this program wrote into the state, and signs what goes to other
// machines; see [DB.Key].
const KeyName = "key"

var keys sync.Map // by path: ed25519.PrivateKey

// Key returns the key of this machine, or nil if there is none yet.
func (d DB) Key() (ed25519.PrivateKey, error) {
	path := filepath.Join(d.dir, KeyName)
	if k, ok := keys.Load(path); ok {
		return k.(ed25519.PrivateKey), nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the key of this machine: %w", err)
	}
	seed, err := base64.RawStdEncoding.DecodeString(string(bytes.TrimSpace(text)))
	if err != nil || len(seed) != ed25519.SeedSize {
		return nil, fmt.Errorf("the key of this machine, %s, is damaged; move it away, and what is in the corpus waits to be confirmed", path)
	}
	k := ed25519.NewKeyFromSeed(seed)
	keys.Store(path, k)
	return k, nil
}

// MakeKey makes the key of this machine unless there is one. made is false if there was.
func (d DB) MakeKey() (made bool, err error) {
	if k, err := d.Key(); k != nil || err != nil {
		return false, err
	}
	_, k, err := ed25519.GenerateKey(nil)
	if err == nil {
		err = os.MkdirAll(d.dir, 0o700)
	}
	if err != nil {
		return false, fmt.Errorf("making the key of this machine: %w", err)
	}
	return true, WriteFile(filepath.Join(d.dir, KeyName), func(w io.Writer) error {
		_, err := fmt.Fprintln(w, base64.RawStdEncoding.EncodeToString(k.Seed()))
		return err
	})
}

// Seal returns a number that only this program can make of some words, by the key of this
// machine; 0 if there is no key. It is never 0 or 1 otherwise.
func (d DB) Seal(words ...string) int64 {
	k, err := d.Key()
	if k == nil || err != nil {
		return 0
	}
	text := append(make([]byte, 0, 256), k.Seed()...)
	for _, w := range words {
		text = append(binary.AppendUvarint(text, uint64(len(w))), w...)
	}
	sum := sha256.Sum256(text)
	return int64(binary.BigEndian.Uint64(sum[:]) | 2)
}

// vouched is under which name the seal of a value is kept.
func vouched(name string) string { return "vouched-" + name }

// Vouch records that a person has confirmed a value, by its name.
func (d DB) Vouch(name string, value any) error {
	if _, err := d.MakeKey(); err != nil {
		return err
	}
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return d.Put(vouched(name), d.Seal(name, string(text)))
}

// Vouched reports whether the value that a person last confirmed is this one.
func (d DB) Vouched(name string, value any) bool {
	var seal int64
	text, err := json.Marshal(value)
	found, bad := d.Get(vouched(name), &seal)
	return err == nil && bad == nil && found && seal != 0 && seal == d.Seal(name, string(text))
}
