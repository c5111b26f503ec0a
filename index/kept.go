package index

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

const (
	approvedFile = "APPROVED" // changes with the approved lessons
	keptFolder   = "KEPT"     // in a generation, so that it goes with it
	keptFiles    = 64         // at most
)

// A Kept is a place for what somebody has made of answers of the index about approved
// lessons, for as long as no lesson is written to it that is approved. One that is not
// any more does not end it: whoever uses what is kept looks at each lesson again.
type Kept struct {
	x           *Index
	state, name string
	head        string // of the file
}

// Keep is the place for a key. It opens no index; where none is, nothing is kept.
func (x *Index) Keep(key string) Kept {
	k := Kept{x: x}
	dir, err := x.current()
	if err != nil {
		return k
	}
	if k.state = stateOf(dir); k.state == "" {
		return k
	}
	h := fnv.New32a()
	h.Write([]byte(key))
	k.name = strconv.Itoa(int(h.Sum32() % keptFiles))
	k.head = k.state + "\n" + strconv.Quote(key) + "\n"
	return k
}

// stateOf is another one after each write of an approved lesson; "" when it is not known.
func stateOf(dir string) string {
	mark, err := os.ReadFile(filepath.Join(dir, approvedFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return strconv.Quote(filepath.Base(dir) + " " + string(mark))
}

// outdate ends what is kept in a generation. It is called before the write: were that
// done first and the writer killed in between, what is kept would stay.
func outdate(dir string) error {
	mark := strconv.FormatUint(rand.Uint64(), 36)
	if err := os.WriteFile(filepath.Join(dir, approvedFile), []byte(mark), 0o600); err != nil {
		return fmt.Errorf("marking that the index changes: %v", err)
	}
	return nil
}

// Value is what is kept; nil for nothing.
func (k Kept) Value() []byte {
	if k.state == "" {
		return nil
	}
	dir, err := k.x.current()
	if err != nil {
		return nil
	}
	b, err := os.ReadFile(filepath.Join(dir, keptFolder, k.name))
	if err != nil {
		return nil
	}
	sum, rest, _ := strings.Cut(string(b), "\n")
	value, ok := strings.CutPrefix(rest, k.head)
	if !ok || sum != checksum(rest) {
		return nil
	}
	return []byte(value)
}

// Set keeps a value unless the index has changed since. What was kept under another key
// may make room for it.
func (k Kept) Set(ctx context.Context, value []byte) error {
	if k.state == "" {
		return nil
	}
	// Whoever replaces the generation finds it without readers, and all of it goes.
	return k.x.reading(ctx, func(dir string) error {
		if stateOf(dir) != k.state {
			return nil
		}
		dir = filepath.Join(dir, keptFolder)
		if err := os.Mkdir(dir, 0o700); err != nil && !os.IsExist(err) {
			return fmt.Errorf("keeping an answer: %v", err)
		}
		// Two that write at once, or a crash, leave what its sum shows to be broken.
		text := k.head + string(value)
		if err := os.WriteFile(filepath.Join(dir, k.name), []byte(checksum(text)+"\n"+text), 0o600); err != nil {
			return fmt.Errorf("keeping an answer: %v", err)
		}
		return nil
	})
}

func checksum(s string) string {
	return strconv.FormatUint(uint64(crc32.ChecksumIEEE([]byte(s))), 16)
}
