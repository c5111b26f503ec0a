package model

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"learnings/extractor/transcript"
)

// When a session is resumed or forked, agents copy what was said before into the new
// session's file. A record that was sent from one file is not sent again from another,
// neither in this run nor in a later one: its sum is kept in a file. Deleting that file
// only means that copies are sent once more.

// sent holds the sums of records that were sent to a model.
type sent map[string]bool

// sumOf returns a sum that a record keeps wherever it is copied to. It is "" for a
// record with neither an id nor a time: another one may just say the same.
func sumOf(t *transcript.Turn) string {
	id := t.UUID
	if id == "" {
		if t.At.IsZero() {
			return ""
		}
		id = t.At.UTC().Format(time.RFC3339Nano)
	}
	h := sha256.Sum256([]byte(id + "\x00" + string(t.Kind) + "\x00" + t.Text))
	return hex.EncodeToString(h[:8])
}

// readSent reads the sums that earlier runs kept. A broken line matches no record.
func readSent(path string) (sent, error) {
	out := make(sent)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading what was sent before: %v", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if line := lines.Text(); line != "" {
			out[line] = true
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading what was sent before: %v", err)
	}
	return out, nil
}

// keepSent adds sums to the file.
func keepSent(path string, sums []string) error {
	if len(sums) == 0 {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("remembering what was sent: %v", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("remembering what was sent: %v", err)
	}
	_, err = f.WriteString("\n" + strings.Join(sums, "\n") + "\n")
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("remembering what was sent: %v", err)
	}
	return nil
}
