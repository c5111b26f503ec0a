package past

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"learnings/extractor/transcript"
	"learnings/lessons/atomicfile"
)

const (
	// fileName tells the version of the lines: a later one has another name.
	fileName = "telemetry-1.tsv"

	maxFile = 64 << 20 // bytes; a larger file is not ours
	maxLine = 16 << 10
	maxRows = 20_000 // sessions that are kept, the latest ones

	// The file is written again when it is larger than leastFolded, and mostGrown times
	// its last lines.
	leastFolded = 1 << 20
	mostGrown   = 2
)

// Kept is what is kept of sessions, in one file of a state folder to which any number of
// processes append; of the lines for one transcript the last one counts. It can be
// deleted: then sessions are read again when they are next listed, and those whose
// transcripts are gone are forgotten. Several goroutines may use it.
type Kept struct {
	path string

	mu   sync.Mutex
	last map[string]string // path of a transcript to its last line
	size int64             // of the file
	live int64             // of these lines
}

// Open reads what is kept in a state folder, which need not exist. What cannot be read
// is passed over, as if it had never been kept; the error is for a file that cannot be
// opened.
func Open(state string) (*Kept, error) {
	k := &Kept{path: filepath.Join(state, fileName), last: map[string]string{}}
	f, err := os.Open(k.path)
	if errors.Is(err, fs.ErrNotExist) {
		return k, nil
	}
	var data []byte
	if err == nil {
		data, err = io.ReadAll(io.LimitReader(f, maxFile))
		f.Close()
	}
	if err != nil {
		return k, fmt.Errorf("reading what is kept of sessions: %w", err)
	}
	k.size = int64(len(data))
	for line := range strings.Lines(string(data)) {
		k.keep(strings.TrimSuffix(line, "\n"))
	}
	return k, nil
}

// keep makes a line the last one of its transcript. One that a crash has cut short is
// passed over.
func (k *Kept) keep(line string) {
	path, rest, ok := strings.Cut(line, "\t")
	if !ok || path == "" || len(line) > maxLine || !strings.HasSuffix(rest, "\t.") {
		return
	}
	k.live += int64(len(line) - len(k.last[path]))
	k.last[path] = line
}

// Recall gives what is kept of a transcript, if it is as it was when it was read.
func (k *Kept) Recall(f transcript.File) (Record, bool) {
	k.mu.Lock()
	line, ok := k.last[f.Path]
	k.mu.Unlock()
	if !ok || !strings.HasPrefix(line[len(f.Path):], stamp(f)) {
		return Record{}, false
	}
	r, ok := parse(line)
	return r, ok && r.BadLines == 0 && !r.Cut
}

// Rows gives everything that is kept, with the project of each working directory, without
// sessions that the person excludes. No transcript is read, and none need be there any
// more.
func (k *Kept) Rows(o Options) []Row {
	k.mu.Lock()
	lines := slices.Collect(maps.Values(k.last))
	k.mu.Unlock()
	out := make([]Row, 0, len(lines))
	for _, line := range lines {
		r, ok := parse(line)
		if !ok || o.excludes(&r) {
			continue
		}
		row := Row{Record: r, Role: r.Session.Role}
		if dir := r.Session.Dir; dir != "" {
			row.Project = o.Project(dir)
		}
		out = append(out, row)
	}
	return out
}

func (o Options) excludes(r *Record) bool {
	return o.Excluded != nil && o.Excluded(r.Session.Dir, r.Path) != ""
}

// List finds the session files in places, and gives what is kept of each, in the order in
// which they are found. It reads and keeps those of which nothing is kept, or that have
// changed since. What cannot be read is an error, and List goes on with the next; the last
// error may be that nothing could be kept. known is as for [transcript.FindKnown].
//
// Of a session that the person excludes nothing is kept, and what was kept before is
// forgotten.
func (k *Kept) List(ctx context.Context, places transcript.Places, known func(transcript.File) (transcript.File, bool), o Options) iter.Seq2[Record, error] {
	type seen struct {
		Record
		fresh, excluded bool
	}
	asked := func(f transcript.File) (transcript.File, bool) {
		f.Path = absolute(f.Path)
		if r, ok := k.Recall(f); ok {
			f.Format, f.Agent = r.Format, r.Agent
			return f, true
		}
		return known(f)
	}
	read := func(ctx context.Context, f transcript.File) (seen, error) {
		f.Path = absolute(f.Path)
		if r, ok := k.Recall(f); ok {
			s := seen{r, false, o.excludes(&r)}
			if s.excluded {
				s.Prompt, s.Stuck, s.Errors = "", "", nil
			}
			return s, nil
		}
		r, err := Read(ctx, f, o)
		if errors.Is(err, transcript.ErrExcluded) {
			return seen{r, true, true}, nil
		}
		return seen{r, true, false}, err
	}
	return func(yield func(Record, error) bool) {
		var fresh []Record
		var gone []string
		stopped := false
		for s, err := range transcript.ReadAll(ctx, transcript.FindKnown(places, asked), read) {
			switch {
			case err != nil:
			case s.excluded && !s.fresh:
				gone = append(gone, s.Path)
			case s.fresh && !s.excluded:
				fresh = append(fresh, s.Record)
			}
			if stopped = !yield(s.Record, err); stopped {
				break
			}
		}
		err := k.Put(fresh...)
		if err == nil {
			err = k.forget(gone)
		}
		if err != nil && !stopped {
			yield(Record{}, err)
		}
	}
}

// Read reads one session file and keeps what was done in it.
func (k *Kept) Read(ctx context.Context, f transcript.File, o Options) error {
	f.Path = absolute(f.Path)
	if _, ok := k.Recall(f); ok {
		return nil
	}
	r, err := Read(ctx, f, o)
	if err != nil {
		return err
	}
	return k.Put(r)
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// Put keeps records. One whose transcript has lines that cannot be read, or ends in the
// middle of one, is kept, but not recalled: who reads it again is told so again.
func (k *Kept) Put(rs ...Record) error {
	if len(rs) == 0 {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	var out bytes.Buffer
	for i := range rs {
		line := format(&rs[i])
		if len(line) > maxLine || strings.ContainsAny(rs[i].Path, "\t\n") {
			continue
		}
		out.WriteString("\n" + line + "\n") // the first newline ends a line that a crash has cut
		k.keep(line)
	}
	if err := k.append(out.Bytes()); err != nil {
		return fmt.Errorf("keeping what was done in sessions: %w", err)
	}
	if k.size > leastFolded && k.size > mostGrown*k.live || len(k.last) > maxRows+maxRows/10 {
		_ = k.fold() // a file that stays long is still right
	}
	return nil
}

func (k *Kept) append(lines []byte) error {
	if err := os.MkdirAll(filepath.Dir(k.path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(k.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	n, err := f.Write(lines)
	k.size += int64(n)
	return errors.Join(err, f.Close())
}

// forget leaves transcripts out from now on.
func (k *Kept) forget(paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, path := range paths {
		delete(k.last, path)
	}
	return k.fold()
}

// fold writes the file with one line for each transcript, those of the latest sessions.
// What another process appends at that moment is read again later.
func (k *Kept) fold() error {
	var all []Record
	for _, line := range k.last {
		if r, ok := parse(line); ok {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b Record) int { return cmp.Or(b.ModTime.Compare(a.ModTime), cmp.Compare(a.Path, b.Path)) })
	last := map[string]string{}
	k.live = 0
	err := atomicfile.Write(k.path, func(w io.Writer) error {
		for _, r := range all[:min(len(all), maxRows)] {
			last[r.Path] = k.last[r.Path]
			n, err := io.WriteString(w, k.last[r.Path]+"\n")
			if k.live += int64(n); err != nil {
				return err
			}
		}
		return nil
	})
	k.last, k.size = last, k.live
	return err
}
