package hook

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"learnings/lessons/proof"
)

// maxTail is how much of a transcript's end is read: seldom more is added between two
// calls.
const maxTail = 16 << 20

// snapshot is the beginning of a line in Gemini CLI's transcripts that holds the whole
// remaining session. Gemini CLI writes one after a compaction and on resume.
var snapshot = []byte(`{"$set":{"messages":[`)

// forgotten reports whether a session was compacted since the last call, according to its
// transcript, and reduces its memory to what the transcript still holds. Gemini CLI has
// no hook for that: it calls PreCompress before every request.
func forgotten(path string, m *proof.Session) (bool, error) {
	if !filepath.IsAbs(path) || len(m.Had(true)) == 0 {
		return false, nil
	}
	info, err := os.Lstat(path) // opening a pipe would block
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case !info.Mode().IsRegular():
		return false, nil
	}
	from := m.Mark()
	if from == 0 {
		// The first call since the session started or resumed. What was given then may
		// not be in the transcript yet.
		return false, m.SetMark(max(1, info.Size()))
	}
	if from > info.Size() || info.Size()-from > maxTail {
		from = max(0, info.Size()-maxTail)
	}
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	if _, err := f.Seek(from, io.SeekStart); err != nil {
		return false, err
	}
	left, found, err := lastSnapshot(io.LimitReader(f, info.Size()-from))
	if err != nil {
		return false, err
	}
	err = m.SetMark(info.Size())
	if !found {
		return false, err
	}
	had := m.Had(true)
	err = errors.Join(err, m.Reset())
	still := had[:0]
	for _, id := range had {
		if bytes.Contains(left, []byte(id.Handle())) {
			still = append(still, id)
		}
	}
	return len(still) < len(had), errors.Join(err, m.Give(still, true))
}

// lastSnapshot returns the last snapshot and everything after it. A snapshot without an
// answer of the model is the beginning of a session.
func lastSnapshot(r io.Reader) (left []byte, found bool, err error) {
	in := bufio.NewReaderSize(r, 64<<10)
	for {
		line, err := in.ReadBytes('\n')
		if bytes.HasPrefix(line, snapshot) && bytes.Contains(line, []byte(`"type":"gemini"`)) {
			left, found = line, true
		} else if found {
			left = append(left, line...)
		}
		if err == io.EOF {
			return left, found, nil
		} else if err != nil {
			return nil, false, err
		}
	}
}
