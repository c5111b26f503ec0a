package past

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"path/filepath"
	"sync"

	"learnings/extractor/transcript"
	"learnings/lessons/state"
)

const (
	maxLine = 16 << 10
	maxRows = 20_000 // sessions that are kept, the latest ones
)

// Kept is what is kept of sessions, a line of each transcript in the table "sessions" of
// the state. Several goroutines may use it.
type Kept struct {
	db state.DB

	mu   sync.Mutex
	last map[string]string // path of a transcript to its line
}

// Open reads what is kept in a state folder, which need not exist.
func Open(folder string) (*Kept, error) {
	k := &Kept{db: state.At(folder), last: map[string]string{}}
	err := k.db.Each(func(r *state.Rows) error {
		var path, line string
		err := r.Scan(&path, &line)
		k.last[path] = line
		return err
	}, "SELECT path, line FROM sessions")
	if err != nil {
		err = fmt.Errorf("reading what is kept of sessions: %w", err)
	}
	return k, err
}

// Recall gives what is kept of a transcript, if it is as it was when it was read.
func (k *Kept) Recall(f transcript.File) (Record, bool) {
	k.mu.Lock()
	line, ok := k.last[f.Path]
	k.mu.Unlock()
	if !ok {
		return Record{}, false
	}
	r, ok := parse(f.Path, line)
	return r, ok && r.Size == f.Size && r.ModTime.Equal(f.ModTime) && r.BadLines == 0 && !r.Cut
}

// Rows gives everything that is kept, with the project of each working directory, without
// sessions that the person excludes. No transcript is read, and none need be there any
// more.
func (k *Kept) Rows(o Options) []Row {
	k.mu.Lock()
	lines := maps.Clone(k.last)
	k.mu.Unlock()
	out := make([]Row, 0, len(lines))
	for path, line := range lines {
		r, ok := parse(path, line)
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
		if err := k.change(fresh, gone); err != nil && !stopped {
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
func (k *Kept) Put(rs ...Record) error { return k.change(rs, nil) }

// change keeps records and forgets transcripts.
func (k *Kept) change(rs []Record, gone []string) error {
	if len(rs)+len(gone) == 0 {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	err := k.db.Update(func(t state.Tx) error {
		for i := range rs {
			r := &rs[i]
			line, err := format(r)
			if err != nil || len(line) > maxLine {
				continue
			}
			k.last[r.Path] = line
			if _, err := t.Exec("INSERT OR REPLACE INTO sessions (path, at, line) VALUES (?, ?, ?)", r.Path, r.ModTime.UnixNano(), line); err != nil {
				return err
			}
		}
		for _, path := range gone {
			delete(k.last, path)
			if _, err := t.Exec("DELETE FROM sessions WHERE path = ?", path); err != nil {
				return err
			}
		}
		if len(k.last) <= maxRows+maxRows/10 {
			return nil
		}
		_, err := t.Exec("DELETE FROM sessions WHERE path NOT IN (SELECT path FROM sessions ORDER BY at DESC, path LIMIT ?)", maxRows)
		return err
	})
	if err != nil {
		return fmt.Errorf("keeping what was done in sessions: %w", err)
	}
	return nil
}
