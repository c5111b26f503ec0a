package extractor

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// A Mark says how far a transcript was read, so that nothing is read twice. It holds
// none of the conversation except observations; a resumed read takes the turns before
// it from the transcript. The zero Mark is the start of a file.
type Mark struct {
	Path     string             `json:"path"` // absolute
	Size     int64              `json:"size"` // of the file when it was read
	ModTime  time.Time          `json:"mtime"`
	Format   transcript.Format  `json:"format"`
	Agent    string             `json:"agent"`              // as in [transcript.File]
	Offset   int64              `json:"offset"`             // after the last complete record
	Line     int                `json:"line"`               // that Offset lies in, from 1
	Print    string             `json:"print"`              // fingerprint of what is before Offset
	Lessons  int                `json:"lessons"`            // proposed from the file so far
	Person   int                `json:"person"`             // line of the last turn of a person
	Taken    []int              `json:"taken"`              // lines after Person that gave lessons
	Session  transcript.Session `json:"session"`            // what the file has said of itself
	Observed []lessons.Lesson   `json:"observed,omitempty"` // becomes lessons when another session shows the same
	Given    []string           `json:"given,omitempty"`    // ids of the lessons that the session was given
	Own      bool               `json:"own,omitempty"`      // one of our extractions
	// Excluded says that the session was left out when it had this size: nothing after
	// Offset was read.
	Excluded bool `json:"excluded,omitempty"`
}

// Short reports whether the transcript held too little to be read. It is read from its
// start when it has grown or a person names it.
func (m Mark) Short() bool { return m.Print == "" && !m.Excluded }

// follows reports whether the file still begins with what was read, so that reading can
// go on at the mark. It does not if the file was rewritten, replaced or has shrunk.
func (m Mark) follows(r io.ReaderAt, size int64) bool {
	if m.Offset <= 0 || m.Offset > size {
		return false
	}
	print, err := fingerprint(r, m.Offset)
	return err == nil && print == m.Print
}

// Of a file's bytes the fingerprint takes the head, the end, and samples
// between: transcripts grow at the end, and what rewrites them (a compaction,
// a rewind, a tool that redacts) moves everything behind its first change.
const (
	printEnds    = 4 << 10
	printSamples = 14
	printSample  = 256
)

// fingerprint tells the first n bytes of a file from others. It reads at most
// 12 KB, so a change in place that moves nothing can go unseen.
func fingerprint(r io.ReaderAt, n int64) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, n)
	take := func(off, size int64) error {
		_, err := io.Copy(h, io.NewSectionReader(r, off, min(size, n-off)))
		return err
	}
	err := take(0, printEnds)
	if n > printEnds {
		for i := range int64(printSamples) {
			err = errors.Join(err, take(n/printSamples*i, printSample))
		}
		err = errors.Join(err, take(max(n-printEnds, 0), printEnds))
	}
	return hex.EncodeToString(h.Sum(nil)[:12]), err
}
