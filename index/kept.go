package index

import (
	"context"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

const (
	keptFolder = "KEPT" // in a generation, so that it goes with it
	keptFiles  = 64     // at most
)

// A Kept is a place for what somebody has made of answers of the index about approved
// lessons, for as long as no lesson is written to it that is approved. One that is not
// any more does not end it: whoever uses what is kept looks at each lesson again.
type Kept struct {
	x     *Index
	state string // "" where nothing is kept
	name  string
	head  string // of the file
}

// Keep is the place for a key. It opens no index; where none is, nothing is kept.
func (x *Index) Keep(key string) Kept {
	c, err := x.current()
	if err != nil {
		return Kept{}
	}
	h := fnv.New32a()
	h.Write([]byte(key))
	state := c.state()
	return Kept{x, state, strconv.Itoa(int(h.Sum32() % keptFiles)), strconv.Quote(state) + "\n" + strconv.Quote(key) + "\n"}
}

// state is another one after each write of an approved lesson.
func (c current) state() string { return c.Generation + " " + c.Approved }

// mark is a new [current].Approved.
func mark() string { return strconv.FormatUint(rand.Uint64(), 36) }

// Value is what is kept; nil for nothing.
func (k Kept) Value() []byte {
	if k.state == "" {
		return nil
	}
	c, err := k.x.current()
	if err != nil {
		return nil
	}
	b, err := os.ReadFile(filepath.Join(k.x.dir(c), keptFolder, k.name))
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
	return k.x.reading(ctx, func(c current) error {
		if c.state() != k.state {
			return nil
		}
		dir := filepath.Join(k.x.dir(c), keptFolder)
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
