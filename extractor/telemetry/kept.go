package telemetry

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/lessons/atomicfile"
)

const (
	// fileName tells the version of the lines: a later one has another name.
	fileName = "telemetry-1.tsv"

	maxFile = 64 << 20 // bytes; a larger file is not ours
	maxLine = 16 << 10
	maxRows = 20_000 // sessions that are kept, the latest ones

	// The file is written anew when it is larger than leastFolded, and mostGrown times
	// its last lines.
	leastFolded = 1 << 20
	mostGrown   = 2
)

// Kept is what is kept of sessions, in one file of a state folder to which any number of
// processes append; of the lines for one transcript the last one counts. It can be
// deleted: then sessions are read again when they are next listed, and those whose
// transcripts are gone are forgotten. It is safe for use by several goroutines.
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

// forget leaves transcripts out from now on.
func (k *Kept) forget(paths []string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, path := range paths {
		delete(k.last, path)
	}
	if len(paths) == 0 {
		return nil
	}
	return k.fold()
}

// Known completes a file of which path, size and time are known with its format; false
// when nothing is kept of it, or it has changed since. See [transcript.FindKnown].
func (k *Kept) Known(f transcript.File) (transcript.File, bool) {
	if r, ok := k.Recall(f); ok {
		f.Format, f.Agent = r.Format, r.Agent
		return f, true
	}
	return f, false
}

// All gives everything that is kept, in no order.
func (k *Kept) All() iter.Seq[Record] {
	k.mu.Lock()
	lines := slices.Collect(maps.Values(k.last))
	k.mu.Unlock()
	return func(yield func(Record) bool) {
		for _, line := range lines {
			if r, ok := parse(line); ok && !yield(r) {
				return
			}
		}
	}
}

// Len is how many sessions are kept.
func (k *Kept) Len() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.last)
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
		// The newline in front ends a line that a crash has cut.
		out.WriteString("\n" + line + "\n")
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

// fold writes the file anew with one line for each transcript, the latest sessions
// first to stay. What another process appends at that moment is read again later.
func (k *Kept) fold() error {
	type aged struct {
		path string
		at   time.Time
	}
	var all []aged
	for path, line := range k.last {
		if r, ok := parse(line); ok {
			all = append(all, aged{path, r.ModTime})
		} else {
			delete(k.last, path)
		}
	}
	slices.SortFunc(all, func(a, b aged) int { return cmp.Or(b.at.Compare(a.at), cmp.Compare(a.path, b.path)) })
	for _, old := range all[min(len(all), maxRows):] {
		delete(k.last, old.path)
	}
	k.live = 0
	err := atomicfile.Write(k.path, func(w io.Writer) error {
		for _, a := range all[:min(len(all), maxRows)] {
			n, err := io.WriteString(w, k.last[a.path]+"\n")
			if k.live += int64(n); err != nil {
				return err
			}
		}
		return nil
	})
	k.size = k.live
	return err
}

// A line has its fields between tabs, and ends with a dot as the last of them.

// stamp are the first fields behind the path: those by which a file is seen to be as it
// was.
func stamp(f transcript.File) string {
	return "\t" + number(int(f.Size)) + "\t" + strconv.FormatInt(f.ModTime.UnixNano(), 36) + "\t"
}

func number(n int) string { return strconv.Itoa(n) }

// seconds are a time in a line: since 1970, "" for none.
func seconds(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return strconv.FormatInt(t.Unix(), 36)
}

// The signs between what stands in one field.
const (
	between = "\x1f"
	behind  = "\x1e"
)

// word is a text in a line, which cannot end it or its field.
func word(s string) string {
	const most = 4 << 10
	if len(s) > most {
		return ""
	}
	s = strings.Map(func(r rune) rune {
		if r < ' ' {
			return -1
		}
		return r
	}, s)
	if len(s) > most { // what is no UTF-8 takes three bytes now
		return ""
	}
	return s
}

func format(r *Record) string {
	s := &r.Session
	var flags string
	for _, f := range []struct {
		is   bool
		mark string
	}{{s.Scripted, "s"}, {r.Cut, "c"}} {
		if f.is {
			flags += f.mark
		}
	}
	did := make([]string, len(r.Did))
	for i, n := range r.Did {
		did[i] = number(n)
	}
	errs := make([]string, len(r.Errors))
	for i, e := range r.Errors {
		errs[i] = strings.Join([]string{word(string(e.ID)), number(e.Count), seconds(e.First), seconds(e.Last), word(e.Doing), word(e.Says)}, between)
	}
	fields := []string{
		string(r.Format), word(r.Agent), word(s.ID), word(s.Parent), word(s.Dir), word(s.Role), seconds(s.Start), seconds(r.End), flags,
		number(r.Lines), number(r.BadLines), number(r.Human), number(r.Calls), number(r.ToolErrors), number(r.Refusals),
		number(r.Corrections), number(r.Spin), number(r.Again), number(r.Blind), strings.Join(did, ","),
		word(r.Sequence), word(r.Stuck), word(r.Prompt), strings.Join(errs, behind), ".",
	}
	return r.Path + stamp(r.File) + strings.Join(fields, "\t")
}

// parse reads a line; false for one that is not of this form.
func parse(line string) (r Record, ok bool) {
	f := fields{rest: line}
	r.Path = f.text()
	r.Size = int64(f.number())
	r.ModTime = time.Unix(0, f.base36()).UTC()
	r.Format, r.Agent = transcript.Format(f.text()), f.text()
	s := &r.Session
	s.Agent, s.ID, s.Parent, s.Dir, s.Role, s.Start, r.End = r.Format, f.text(), f.text(), f.text(), f.text(), f.time(), f.time()
	flags := f.text()
	s.Scripted, r.Cut = strings.Contains(flags, "s"), strings.Contains(flags, "c")
	for _, n := range []*int{&r.Lines, &r.BadLines, &r.Human, &r.Calls, &r.ToolErrors, &r.Refusals, &r.Corrections, &r.Spin, &r.Again, &r.Blind} {
		*n = f.number()
	}
	did := fields{rest: f.text(), sep: ","}
	for i := range r.Did {
		r.Did[i] = did.number()
	}
	r.Sequence, r.Stuck, r.Prompt = f.text(), f.text(), f.text()
	for part := range strings.SplitSeq(f.text(), behind) {
		if part == "" || len(r.Errors) == maxErrors {
			continue
		}
		e := fields{rest: part, sep: between}
		r.Errors = append(r.Errors, Error{ID: lessons.ID(e.text()), Count: e.number(), First: e.time(), Last: e.time(), Doing: e.text(), Says: e.text()})
		f.bad = f.bad || e.bad
	}
	return r, f.text() == "." && !f.bad && !did.bad && f.rest == "" && r.Path != ""
}

// fields takes a line apart. bad says that there was something else than is expected.
type fields struct {
	rest string
	sep  string // "" is a tab
	done bool
	bad  bool
}

func (f *fields) text() string {
	if f.done {
		f.bad = true
		return ""
	}
	s, rest, more := strings.Cut(f.rest, cmp.Or(f.sep, "\t"))
	f.rest, f.done = rest, !more
	return s
}

// number is one that is not below 0.
func (f *fields) number() int {
	n, err := strconv.Atoi(f.text())
	f.bad = f.bad || err != nil || n < 0
	return max(n, 0)
}

func (f *fields) base36() int64 {
	n, err := strconv.ParseInt(f.text(), 36, 64)
	f.bad = f.bad || err != nil
	return n
}

func (f *fields) time() time.Time {
	s := f.text()
	if s == "" {
		return time.Time{}
	}
	n, err := strconv.ParseInt(s, 36, 64)
	f.bad = f.bad || err != nil
	return time.Unix(n, 0).UTC()
}
