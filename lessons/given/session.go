// Package given remembers which lessons sessions have been given: what one session has
// had, so that it is told nothing twice, and a record of all that was given, for
// figures about the use of lessons.
//
// Both are files in a state folder to which any number of processes append. They hold
// ids, times and hashes, and no word of what was said. They can be deleted: then a
// session may be told something again.
package given

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/lessons/atomicfile"
)

const (
	folder  = "sessions"
	suffix  = ".log"
	stampOf = "swept"

	// maxSession is how large the file of a session grows before it is written anew
	// with what still counts.
	maxSession = 64 << 10
	maxFails   = 200 // failing calls that are remembered
	maxIDs     = 500

	keep       = 30 * 24 * time.Hour // for how long a session is remembered that nothing is heard of
	sweepEvery = 24 * time.Hour
)

// A Session is the memory of one session. Each of its methods that remembers something
// appends a line to its file at once; without a file, it lasts as long as the value.
type Session struct {
	path string
	now  time.Time
	size int64

	ids    []entry
	turn   turn
	grown  int64 // the size of the transcript now; 0 where it is not known
	fails  []failure
	mark   int64
	claims []claim
}

type entry struct {
	id    lessons.ID
	start bool
	at    turn // when it was given last
}

// A turn is how far a session is: the prompts of the person by then, and the size of its
// transcript, as far as that was known.
type turn struct {
	prompts int
	size    int64
}

type failure struct {
	print uint64
	times int
}

type claim struct {
	at   time.Time
	key  string
	mine string
}

// Of reads what is remembered of a session, or of a part of it, such as a subagent. One
// without a name is not remembered. The error says what could not be read; the memory
// that comes with it can be used.
func Of(state, session, part string, now time.Time) (*Session, error) {
	s := &Session{now: now}
	if session == "" || state == "" {
		return s, nil
	}
	s.path = filepath.Join(state, folder, name(session, part)+suffix)
	return s, s.read()
}

// name is that of the files of a session, or of a part of it.
func name(session, part string) string {
	sum := sha256.Sum256([]byte(session + "\x00" + part))
	return hex.EncodeToString(sum[:12])
}

// read takes in what is in the file.
func (s *Session) read() error {
	f, err := os.Open(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return fmt.Errorf("reading what the session was given: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, 4*maxSession))
	s.ids, s.fails, s.mark, s.claims, s.size = nil, nil, 0, nil, int64(len(data))
	s.turn = turn{}
	for line := range bytes.Lines(data) {
		s.take(strings.Split(strings.TrimSpace(string(line)), "\t"))
	}
	s.Grown(s.grown)
	if err != nil {
		return fmt.Errorf("reading what the session was given: %w", err)
	}
	return nil
}

// take takes in a line. What is none of ours, or was cut short, is passed over.
func (s *Session) take(f []string) {
	if len(f) < 3 || f[len(f)-1] != "." {
		return
	}
	kind, f := f[0], f[1:len(f)-1]
	switch {
	case kind == "give" && len(f) == 2:
		for id := range strings.SplitSeq(f[1], ",") {
			s.remember(lessons.ID(id), f[0] == "start")
		}
	case kind == "turn" && len(f) == 2:
		prompts, err := strconv.Atoi(f[0])
		size, serr := strconv.ParseInt(f[1], 10, 64)
		if err == nil && serr == nil && prompts >= 0 && size >= 0 {
			s.turn = turn{prompts, size}
		}
	case kind == "reset":
		s.ids = nil
	case kind == "fail" && len(f) == 2:
		print, err := strconv.ParseUint(f[0], 36, 64)
		times, terr := strconv.Atoi(f[1])
		if err == nil && terr == nil {
			s.fail(print, times)
		}
	case kind == "mark":
		s.mark, _ = strconv.ParseInt(f[0], 10, 64)
	case kind == "claim" && len(f) == 3:
		if ms, err := strconv.ParseInt(f[0], 10, 64); err == nil {
			s.claims = append(s.claims, claim{time.UnixMilli(ms), f[1], f[2]})
		}
	}
}

func (s *Session) remember(id lessons.ID, start bool) {
	i := slices.IndexFunc(s.ids, func(e entry) bool { return e.id == id })
	switch {
	case i >= 0:
		s.ids[i].at = s.turn
	case id != "" && len(s.ids) < maxIDs:
		s.ids = append(s.ids, entry{id, start, s.turn})
	}
}

func (s *Session) fail(print uint64, times int) int {
	i := slices.IndexFunc(s.fails, func(f failure) bool { return f.print == print })
	f := failure{print: print}
	if i >= 0 {
		f = s.fails[i]
		s.fails = slices.Delete(s.fails, i, i+1)
	} else if len(s.fails) >= maxFails {
		s.fails = slices.Delete(s.fails, 0, 1)
	}
	f.times += times
	s.fails = append(s.fails, f)
	return f.times
}

// write appends a line with a single write. The newline in front ends one that a crash
// has cut short, and the dot says that this one is whole.
func (s *Session) write(fields ...string) error {
	if s.path == "" {
		return nil
	}
	if s.size > maxSession {
		if err := s.fold(); err != nil {
			return err
		}
	}
	n, err := appendTo(s.path, []byte("\n"+strings.Join(append(fields, "."), "\t")+"\n"))
	s.size += int64(n)
	if err != nil {
		return fmt.Errorf("noting what the session was given: %w", err)
	}
	return nil
}

func appendTo(path string, line []byte) (int, error) {
	f, err := create(path)
	if err != nil {
		return 0, err
	}
	n, err := f.Write(line)
	return n, errors.Join(err, f.Close())
}

// create opens a file to append to it, and makes its folder when there is none.
func create(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
		f, err = os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	}
	return f, err
}

// fold writes the file anew with what still counts. What another process appends at
// that moment may be lost.
func (s *Session) fold() error {
	var b strings.Builder
	put := func(fields ...string) { b.WriteString(strings.Join(append(fields, "."), "\t") + "\n") }
	last := turn{}
	for i := 0; i < len(s.ids); {
		e, ids := s.ids[i], []string{}
		for ; i < len(s.ids) && s.ids[i].start == e.start && s.ids[i].at == e.at; i++ {
			ids = append(ids, string(s.ids[i].id))
		}
		if e.at != last {
			put(e.at.line()...)
			last = e.at
		}
		put("give", word(e.start), strings.Join(ids, ","))
	}
	if s.turn != last {
		put(s.turn.line()...)
	}
	for _, f := range s.fails {
		put("fail", strconv.FormatUint(f.print, 36), strconv.Itoa(f.times))
	}
	put("mark", strconv.FormatInt(s.mark, 10))
	for _, c := range s.claims[max(0, len(s.claims)-100):] {
		put("claim", strconv.FormatInt(c.at.UnixMilli(), 10), c.key, c.mine)
	}
	err := atomicfile.Write(s.path, func(w io.Writer) error { _, err := io.WriteString(w, b.String()); return err })
	if err != nil {
		return fmt.Errorf("shortening what the session was given: %w", err)
	}
	s.size = int64(b.Len())
	return nil
}

func (t turn) line() []string {
	return []string{"turn", strconv.Itoa(t.prompts), strconv.FormatInt(t.size, 10)}
}

func word(start bool) string {
	if start {
		return "start"
	}
	return "later"
}

// Claim reports whether this process is to answer a call that others may have been
// started for too, such as by a setting that is there twice: of those that claim the
// same key within a time, only the first is. The key is one word.
func (s *Session) Claim(key string, within time.Duration) (bool, error) {
	if s.path == "" {
		return true, nil
	}
	mine := strconv.FormatUint(rand.Uint64(), 36)
	err := s.write("claim", strconv.FormatInt(s.now.UnixMilli(), 10), key, mine)
	if err == nil {
		err = s.read() // the file has all claims in one order
	}
	if err != nil {
		return true, err
	}
	for _, c := range s.claims {
		apart := s.now.Sub(c.at)
		if c.key == key && apart < within && apart > -within {
			return c.mine == mine, nil
		}
	}
	return true, nil
}

// Had are the lessons that are still before the session's model: those it was given as
// it started, if asked for, and those it was given later.
func (s *Session) Had(atStart bool) (ids []lessons.ID) {
	for _, e := range s.ids {
		if atStart || !e.start {
			ids = append(ids, e.id)
		}
	}
	return ids
}

// For how long what was told is taken to be before the model: so many prompts of the
// person, and so many bytes of the transcript, which are some 50,000 tokens.
const (
	latePrompts = 20
	lateBytes   = 200 << 10
)

// HadLately are those of [Session.Had] that were told a short time ago: fewer than twenty
// prompts, and some 50,000 tokens as the transcript has grown.
func (s *Session) HadLately(atStart bool) (ids []lessons.ID) {
	for _, e := range s.ids {
		if (atStart || !e.start) && s.turn.prompts-e.at.prompts < latePrompts && s.turn.size-e.at.size < lateBytes {
			ids = append(ids, e.id)
		}
	}
	return ids
}

// Prompted remembers that the person has said something.
func (s *Session) Prompted() error {
	s.turn.prompts++
	return s.write(s.turn.line()...)
}

// Grown says how large the transcript of the session is; 0 where that is not known.
func (s *Session) Grown(size int64) {
	if s.grown = size; size > 0 {
		s.turn.size = size
	}
}

// Give remembers what the session was given, as it started or later.
func (s *Session) Give(ids []lessons.ID, atStart bool) error {
	if len(ids) == 0 {
		return nil
	}
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = clean(string(id))
		s.remember(id, atStart)
	}
	if s.turn != (turn{}) {
		if err := s.write(s.turn.line()...); err != nil {
			return err
		}
	}
	return s.write("give", word(atStart), strings.Join(words, ","))
}

// clean leaves out what would end a word or a line of the file.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == ',' {
			return -1
		}
		return r
	}, s)
}

// Reset forgets what the session was given: its model no longer has it before it.
func (s *Session) Reset() error {
	if len(s.ids) == 0 {
		return nil
	}
	s.ids = nil
	return s.write("reset", "-")
}

// Fail counts how often a call has failed in the session, this time included.
func (s *Session) Fail(print uint64) (int, error) {
	return s.fail(print, 1), s.write("fail", strconv.FormatUint(print, 36), "1")
}

// Mark is how far the transcript was looked at, and SetMark remembers it.
func (s *Session) Mark() int64 { return s.mark }

// SetMark is described with Mark.
func (s *Session) SetMark(n int64) error {
	if s.mark == n {
		return nil
	}
	s.mark = n
	return s.write("mark", strconv.FormatInt(n, 10))
}

// Sweep deletes the memories of sessions of which nothing was heard for a month. It
// looks at most once a day.
func Sweep(state string, now time.Time) {
	stamp := filepath.Join(state, folder, stampOf)
	if info, err := os.Stat(stamp); err == nil && now.Sub(info.ModTime()) < sweepEvery {
		return
	}
	entries, err := os.ReadDir(filepath.Join(state, folder))
	if err != nil {
		return
	}
	_ = os.WriteFile(stamp, nil, 0o600)
	_ = os.Chtimes(stamp, now, now)
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() && strings.HasSuffix(e.Name(), suffix) && now.Sub(info.ModTime()) > keep {
			_ = os.Remove(filepath.Join(state, folder, e.Name()))
		}
	}
}
