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

// maxTail is how much of a transcript is looked at: what was added since the last
// time is hardly ever more.
const maxTail = 16 << 20

// snapshot is how a line of Gemini CLI's transcripts begins that has all that is left
// of the session: it writes one after a compaction, and when a session is resumed.
var snapshot = []byte(`{"$set":{"messages":[`)

// forgotten reports whether a session has been compacted since it was looked at, by its
// transcript, and makes its memory what the transcript still has before the model.
// Gemini CLI has no hook for that: the one that it calls before a compaction it calls
// before every request.
func forgotten(path string, m *proof.Session) (bool, error) {
	if !filepath.IsAbs(path) || len(m.Had(true)) == 0 {
		return false, nil
	}
	info, err := os.Lstat(path) // a pipe would keep us
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
		// The first time since the session started or was resumed. What was given then
		// may not be in the transcript yet.
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

// lastSnapshot gives the last line that has all of a conversation, with what follows.
// One without an answer of the model is the beginning of a session.
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
