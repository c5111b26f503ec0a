package past

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/json"
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
	maxRows = 20_000  // sessions kept, the latest ones
	maxKept = 4 << 20 // bytes of the events of a session
	atOnce  = 50      // sessions kept in one write
)

// Kept caches sessions in the state: the figures of each transcript in the table
// "sessions", and its packed events in the table "events". Several goroutines may use
// it. If it is deleted, transcripts are read again.
type Kept struct {
	db state.DB

	mu   sync.Mutex
	last map[string]string // figures by path of the transcript
}

// Open opens the cache of a state folder, which need not exist.
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

// parse decodes the figures of a transcript; false if they are invalid.
func parse(path, line string) (r Record, ok bool) {
	ok = json.Unmarshal([]byte(line), &r) == nil
	r.Path = path
	return r, ok
}

// Recall returns the figures of a transcript, if it has not changed since it was read.
func (k *Kept) Recall(f transcript.File) (Record, bool) {
	if k == nil {
		return Record{}, false
	}
	k.mu.Lock()
	line, ok := k.last[f.Path]
	k.mu.Unlock()
	if !ok {
		return Record{}, false
	}
	r, ok := parse(f.Path, line)
	return r, ok && r.Size == f.Size && r.ModTime.Equal(f.ModTime) && r.BadLines == 0 && !r.Cut
}

// events returns the kept events of a transcript.
func (k *Kept) events(r *Record) (out []Event, ok bool) {
	err := k.db.Each(func(rows *state.Rows) error {
		var packed []byte
		if err := rows.Scan(&packed); err != nil {
			return err
		}
		err := json.NewDecoder(flate.NewReader(bytes.NewReader(packed))).Decode(&out)
		ok = err == nil
		return err
	}, "SELECT events FROM events WHERE path = ? AND size = ? AND at = ?", r.Path, r.Size, r.ModTime.UnixNano())
	return out, ok && err == nil
}

// Rows returns the figures of all kept sessions that the person does not exclude, with
// the project of each working directory. It reads no transcripts, which may be gone.
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

// one returns a transcript as it is kept, or reads it. Events are loaded only if asked for.
func (o Options) one(ctx context.Context, f transcript.File, events bool) (s Session, err error) {
	f.Path = absolute(f.Path)
	r, ok := o.Kept.Recall(f)
	if s = (Session{Record: r}); ok && o.excludes(&r) {
		s.Excluded, s.Prompt, s.Stuck, s.Errors = true, "", "", nil
	} else if ok && events {
		s.Events, ok = o.Kept.events(&r)
	}
	if !ok {
		s, err = Read(ctx, f, o)
		if s.fresh = true; s.Path == "" {
			s.File = f
		}
	}
	if o.Project != nil {
		s.Project = o.Project(s.Record.Session.Dir)
	}
	return s, err
}

// each yields the sessions of files, in their order, and keeps those that it reads.
// After an error for one it goes on with the next. A last error with a session that has
// no path means that nothing could be kept. Of an excluded session nothing is kept, and
// what was kept is deleted.
func (o Options) each(ctx context.Context, files iter.Seq2[transcript.File, error], events bool) iter.Seq2[Session, error] {
	one := func(ctx context.Context, f transcript.File) (Session, error) { return o.one(ctx, f, events) }
	return func(yield func(Session, error) bool) {
		var fresh []Session
		var gone []string
		var failed error
		keep := func() {
			failed = errors.Join(failed, o.Kept.change(fresh, gone))
			fresh, gone = nil, nil
		}
		for s, err := range transcript.ReadAll(ctx, files, one) {
			switch {
			case err != nil:
			case s.Excluded && !s.fresh:
				gone = append(gone, s.Path)
			case s.fresh && !s.Excluded:
				fresh = append(fresh, s)
			}
			if len(fresh) >= atOnce {
				keep()
			}
			if !yield(s, err) {
				keep()
				return
			}
		}
		if keep(); failed != nil {
			yield(Session{}, failed)
		}
	}
}

// sessions yields the sessions of files with their events. It ignores failures to keep
// them: they are read again.
func (o Options) sessions(ctx context.Context, files []transcript.File) iter.Seq2[Session, error] {
	return func(yield func(Session, error) bool) {
		for s, err := range o.each(ctx, transcript.All(files), true) {
			if s.Path != "" && !yield(s, err) {
				return
			}
		}
	}
}

// Keep reads one session file and keeps what was done in it.
func (o Options) Keep(ctx context.Context, f transcript.File) error {
	s, err := o.one(ctx, f, false)
	if err != nil || !s.fresh || s.Excluded {
		return err
	}
	return o.Kept.change([]Session{s}, nil)
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// change keeps sessions and deletes transcripts. If a transcript has lines that cannot
// be read, or ends within one, its session is kept but not recalled, so that reading it
// again reports the problem again.
func (k *Kept) change(ss []Session, gone []string) error {
	if k == nil || len(ss)+len(gone) == 0 {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	err := k.db.Update(func(t state.Tx) error {
		for i := range ss {
			if err := k.put(t, &ss[i]); err != nil {
				return err
			}
		}
		for _, path := range gone {
			delete(k.last, path)
			if _, err := t.Exec("DELETE FROM sessions WHERE path = ?", path); err != nil {
				return err
			}
		}
		if len(k.last) > maxRows+maxRows/10 {
			if _, err := t.Exec("DELETE FROM sessions WHERE path NOT IN (SELECT path FROM sessions ORDER BY at DESC, path LIMIT ?)", maxRows); err != nil {
				return err
			}
		} else if len(gone) == 0 {
			return nil
		}
		_, err := t.Exec("DELETE FROM events WHERE path NOT IN (SELECT path FROM sessions)")
		return err
	})
	if err != nil {
		return fmt.Errorf("keeping what was done in sessions: %w", err)
	}
	return nil
}

func (k *Kept) put(t state.Tx, s *Session) error {
	r := s.Record
	r.FirstBad, r.Session.Branch, r.Session.Version, r.Session.Model = nil, "", "", ""
	line, err := json.Marshal(r)
	if err != nil || len(line) > maxLine {
		return nil // it is read again
	}
	k.last[r.Path] = string(line)
	at := r.ModTime.UnixNano()
	if _, err := t.Exec("INSERT OR REPLACE INTO sessions (path, at, line) VALUES (?, ?, ?)", r.Path, at, string(line)); err != nil {
		return err
	}
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestSpeed)
	if err == nil {
		err = errors.Join(json.NewEncoder(w).Encode(s.Events), w.Close())
	}
	if err != nil || packed.Len() > maxKept {
		return nil
	}
	_, err = t.Exec("INSERT OR REPLACE INTO events (path, size, at, events) VALUES (?, ?, ?, ?)", r.Path, r.Size, at, packed.Bytes())
	return err
}
