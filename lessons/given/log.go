package given

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/lessons/atomicfile"
)

// This file is the record of what sessions were given. A hook appends a line to a file
// of its own session, and knows of no other. [Gather] moves what is quiet into one file,
// which [All] reads.

const (
	recordSuffix = ".given"
	takenSuffix  = ".taken"

	logName  = "given.tsv"
	oldName  = "given.old.tsv"
	lostName = "given.lost"

	// maxLog is how large the record grows before it becomes the old one, which the
	// next old one replaces: 100,000 entries are kept at least.
	maxLog  = 24 << 20
	maxLine = 16 << 10
	maxHere = 30 // lessons of one kind in one entry

	quiet = 10 * time.Minute // for how long nothing was heard of a session whose record is moved
)

// A Record is what a session was given at one moment, and what it was not.
type Record struct {
	At      time.Time
	Session string
	Part    string // the subagent, if it was one
	Agent   string // as transcripts name it; "" when that is not known
	Event   string // session-start, user-prompt, tool-failure, subagent-start
	Project string
	Lessons []lessons.ID // that were given
	Held    []lessons.ID // that would have been given, and were held out of the session
	Matched []lessons.ID // that were on the subject, and for which there was no room
}

// line is a record as it is stored. The newline in front ends a line that a crash has
// cut short, and the dot says that this one is whole.
func (r Record) line() []byte {
	fields := []string{
		"gave", strconv.FormatInt(r.At.UnixMilli(), 10), field(r.Event), field(r.Session), field(r.Part), field(r.Agent), field(r.Project),
		ids(r.Lessons), ids(r.Held), ids(r.Matched), ".",
	}
	return []byte("\n" + strings.Join(fields, "\t") + "\n")
}

// field is a name in one field: what is far too long for a name is cut off.
func field(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' {
			return -1
		}
		return r
	}, s)
	return strings.ToValidUTF8(s[:min(len(s), 256)], "")
}

func ids(all []lessons.ID) string {
	words := make([]string, 0, len(all))
	for _, id := range all[:min(len(all), maxHere)] {
		words = append(words, clean(string(id)))
	}
	return strings.Join(words, ",")
}

// parse reads a line. It is false for what is none of ours, or was cut short.
func parse(line []byte) (r Record, ok bool) {
	f := strings.Split(string(bytes.TrimRight(line, "\r\n")), "\t")
	if len(f) != 11 || f[0] != "gave" || f[10] != "." {
		return r, false
	}
	ms, err := strconv.ParseInt(f[1], 10, 64)
	if err != nil || f[2] == "" {
		return r, false
	}
	r = Record{At: time.UnixMilli(ms).UTC(), Event: f[2], Session: f[3], Part: f[4], Agent: f[5], Project: f[6]}
	for i, into := range []*[]lessons.ID{&r.Lessons, &r.Held, &r.Matched} {
		for id := range strings.SplitSeq(f[7+i], ",") {
			if id != "" && len(*into) < maxHere {
				*into = append(*into, lessons.ID(id))
			}
		}
	}
	return r, true
}

// Append adds to the record of a session in a state folder, with a single write. One
// that gave, held out and matched nothing is not kept.
func Append(state string, r Record) error {
	if len(r.Lessons)+len(r.Held)+len(r.Matched) == 0 {
		return nil
	}
	line, path := r.line(), filepath.Join(state, folder, name(r.Session, r.Part)+recordSuffix)
	for range 3 {
		stays, err := appendStaying(path, line)
		if err != nil {
			return fmt.Errorf("recording what was given: %w", err)
		}
		if stays {
			break
		}
		// It was moved at this very moment. A line that is there twice counts once.
	}
	return nil
}

// appendStaying appends to a file and reports whether it has its name afterwards.
func appendStaying(path string, line []byte) (stays bool, err error) {
	f, err := create(path)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	mine, err := f.Stat()
	if err != nil {
		return false, err
	}
	if mine.Size() > maxLog {
		return true, nil // a session without end, or none of ours
	}
	if _, err := f.Write(line); err != nil {
		return false, err
	}
	now, err := os.Stat(path)
	return err == nil && os.SameFile(now, mine), nil
}

// Gather moves the records of sessions of which nothing was heard for some minutes into
// one file, and removes theirs. It is for the worker, and for whoever shows figures; a
// crash on the way loses nothing and counts nothing twice.
func Gather(state string, now time.Time) error {
	entries, err := os.ReadDir(filepath.Join(state, folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return fmt.Errorf("gathering what was given: %w", err)
	}
	var all bytes.Buffer
	read := map[string]int64{}
	for _, e := range entries {
		path := filepath.Join(state, folder, e.Name())
		taken, isRecord := strings.HasSuffix(path, takenSuffix), strings.HasSuffix(path, recordSuffix)
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || !taken && !isRecord {
			continue
		}
		if isRecord {
			if age := now.Sub(info.ModTime()); age < quiet && age > -quiet {
				continue
			}
			if os.Rename(path, path+takenSuffix) != nil {
				continue
			}
			path += takenSuffix
		}
		data, err := os.ReadFile(path)
		if err != nil {
			continue // the next one takes it up
		}
		read[path] = int64(len(data))
		for line := range bytes.Lines(data) {
			if r, ok := parse(line); ok {
				all.Write(r.line()[1:])
			}
		}
	}
	if all.Len() > 0 {
		if err := gathered(state, all.Bytes()); err != nil {
			return err
		}
	}
	for path, size := range read {
		if info, err := os.Stat(path); err == nil && info.Size() == size { // else a hook had it open
			_ = os.Remove(path)
		}
	}
	return nil
}

// gathered appends to the record, and puts the old one away when it is full.
func gathered(state string, lines []byte) error {
	path, old := filepath.Join(state, logName), filepath.Join(state, oldName)
	if info, err := os.Stat(path); err == nil && info.Size() > maxLog {
		if err := forget(state, old); err != nil {
			return err
		}
		if err := os.Rename(path, old); err != nil {
			return fmt.Errorf("putting away what was given: %w", err)
		}
	}
	f, err := create(path)
	if err != nil {
		return fmt.Errorf("gathering what was given: %w", err)
	}
	_, err = f.Write(append([]byte("\n"), lines...))
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("gathering what was given: %w", err)
	}
	return nil
}

// forget counts what goes with an old record, so that figures can say it.
func forget(state, old string) error {
	lost, err := Lost(state)
	if err != nil {
		return err
	}
	for r, err := range lines(old, func([]byte) bool { return true }) {
		if err != nil {
			return err
		}
		if lost.Records++; r.At.After(lost.Until) {
			lost.Until = r.At
		}
	}
	if lost.Records == 0 {
		return nil
	}
	err = atomicfile.Write(filepath.Join(state, lostName), func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%d\t%d\n", lost.Records, lost.Until.UnixMilli())
		return err
	})
	if err != nil {
		return fmt.Errorf("counting what is no longer recorded: %w", err)
	}
	return nil
}

// A Loss is what the record no longer has, because it is bounded.
type Loss struct {
	Records int
	Until   time.Time // of the last of them
}

// Lost is what the record of a state folder no longer has.
func Lost(state string) (l Loss, err error) {
	data, err := os.ReadFile(filepath.Join(state, lostName))
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	} else if err != nil {
		return l, fmt.Errorf("reading what is no longer recorded: %w", err)
	}
	n, ms, _ := strings.Cut(strings.TrimSpace(string(data)), "\t")
	l.Records, _ = strconv.Atoi(n)
	if at, err := strconv.ParseInt(ms, 10, 64); err == nil {
		l.Until = time.UnixMilli(at).UTC()
	}
	return l, nil
}

// All gives what was recorded, each record once; with ids, what was recorded of these.
// Records come in the order in which they were gathered, which is not that of their times.
// A line that a crash has cut short is passed over.
func All(state string, of ...lessons.ID) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		paths := []string{filepath.Join(state, oldName), filepath.Join(state, logName)}
		for _, suffix := range []string{takenSuffix, recordSuffix} {
			more, _ := filepath.Glob(filepath.Join(state, folder, "*"+suffix))
			slices.Sort(more)
			paths = append(paths, more...)
		}
		seen, seed := map[uint64]bool{}, maphash.MakeSeed()
		wanted := func(line []byte) bool {
			named := len(of) == 0 || slices.ContainsFunc(of, func(id lessons.ID) bool { return bytes.Contains(line, []byte(id)) })
			if len(line) < 2 || !named {
				return false
			}
			key := maphash.Bytes(seed, bytes.TrimRight(line, "\r\n"))
			if seen[key] {
				return false
			}
			seen[key] = true
			return true
		}
		for _, path := range paths {
			for r, err := range lines(path, wanted) {
				if !yield(r, err) {
					return
				}
			}
		}
	}
}

// lines gives the records of those lines of a file that are wanted. One that is not there
// has none.
func lines(path string, wanted func(line []byte) bool) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		f, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			return
		} else if err != nil {
			yield(Record{}, fmt.Errorf("reading what was given: %w", err))
			return
		}
		defer f.Close()
		in := bufio.NewReaderSize(f, maxLine)
		for {
			line, err := in.ReadSlice('\n')
			if errors.Is(err, bufio.ErrBufferFull) { // none of ours
				for errors.Is(err, bufio.ErrBufferFull) {
					_, err = in.ReadSlice('\n')
				}
				line = nil
			}
			if wanted(line) {
				if r, ok := parse(line); ok && !yield(r, nil) {
					return
				}
			}
			if err == io.EOF {
				return
			} else if err != nil {
				yield(Record{}, fmt.Errorf("reading what was given: %w", err))
				return
			}
		}
	}
}
