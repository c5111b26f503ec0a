package transcript

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"time"
)

// A place in a file is an offset and the number of its line.
type place struct {
	off  int64
	line int
}

// Options say where in a file a [Reader] begins and what it leaves out. The zero value
// reads a whole file that nobody is writing to.
type Options struct {
	Path    string  // for errors
	Offset  int64   // of r's first byte in the file, as [Reader.Next] gave it
	Line    int     // number of the line that Offset lies in; 0 means 1
	Session Session // known from an earlier read of the same file
	Growing bool    // an agent may still be writing: a last record that is cut is left for later and is no error
}

// A Reader reads one session. It learns about the session while its turns are read. It
// is not safe for concurrent use.
//
// A Reader that begins in the middle of a file does not know earlier calls: their
// results have a Tool with only an ID.
type Reader struct {
	lines   lines
	opts    Options
	session Session
	latest  time.Time
	form    *form // the row of the table; nil until Turns has seen the head, or for an unknown format
	format  decoder
	tools   calls
	fields  object
	line    int
	out     []Turn
	behind  []Turn  // held back by the format until their kind is clear
	next    place   // after the last record read
	held    place   // of the record that the format holds back
	read    int     // lines passed to the format, including bad ones
	doc     docText // of a format that is one document
	places  placesOf
}

// A decoder turns the records of one format into turns and passes them to emit. It
// embeds a [base] and overrides the methods that its container calls.
type decoder interface {
	record(o object)            // a record: an object on a line, or in a list of a document
	member(key string, val raw) // a member of a document that is not a list of records
	text(line []byte)           // a line of a text, without its end; the bytes are valid during the call
	waiting() int               // the line of a record that is held back until the next one, or 0
	flush()                     // emits what is held back
}

// base is embedded in all decoders. It reads nothing and holds nothing back.
type base struct{ d *Reader }

func (base) record(object)      {}
func (base) member(string, raw) {}
func (base) text([]byte)        {}
func (base) waiting() int       { return 0 }
func (base) flush()             {}

// plainly decodes records that need no state.
type plainly struct {
	base
	read func(*Reader, object)
}

func (p plainly) record(o object) { p.read(p.d, o) }

// here returns a turn with the place and ids of the current record.
func (d *Reader) here(at time.Time) Turn {
	return Turn{Line: d.line, Session: d.session.ID, At: at}
}

// NewReader returns a Reader of the session r in format f. An unknown format yields one
// error and no turns. If changed files of the format are read from their start, r must
// begin there.
func NewReader(r io.Reader, f Format, o Options) *Reader {
	o.Line = max(o.Line, 1)
	d := &Reader{opts: o, session: o.Session, next: place{o.Offset, o.Line}}
	d.lines = lines{r: buffered(r), off: o.Offset, n: o.Line - 1}
	d.session.Agent = f
	return d
}

// open finds the row of the format. It may need the head of the file, because an agent
// may have several containers.
func (d *Reader) open() error {
	rows := rowsOf(d.session.Agent)
	if len(rows) == 0 {
		return fmt.Errorf("reading %s: unknown format %q", d.opts.Path, d.session.Agent)
	}
	if d.form = rows[0]; len(rows) > 1 {
		head, _ := d.lines.r.Peek(HeadSize) // the next read returns the error again
		d.form = cmp.Or(detect(head, rows), d.form)
	}
	if d.form.packed {
		r, err := unpackIfPacked(d.lines.r, d.opts.Growing)
		if err != nil {
			return fmt.Errorf("reading %s: %w", d.opts.Path, err)
		}
		d.lines.r = r
	}
	if d.form.stem && d.session.ID == "" {
		d.session.ID = d.stem()
	}
	if d.form.open != nil {
		d.format = d.form.open(base{d})
	} else {
		d.format = plainly{base{d}, d.form.read}
	}
	if d.form.dir != nil && d.session.Dir == "" && d.opts.Path != "" {
		d.session.Dir = d.form.dir(d.opts.Path)
	}
	return nil
}

// Session returns what has been read about the session so far. If nothing names the
// working directory, Dir is the one that contains most paths of its calls.
func (d *Reader) Session() Session {
	s := d.session
	if s.Dir == "" {
		s.Dir = d.places.guess()
	}
	return s
}

// Next returns where a later read of the same file should begin: the offset after the
// last complete record, and its line number. It is final when [Reader.Turns] has ended
// on its own. For a format whose files are rewritten in place it is always the start.
func (d *Reader) Next() (offset int64, line int) {
	if d.form != nil && d.form.anew {
		return 0, 1
	}
	return d.next.off, d.next.line
}

// Turns yields the turns of the session in the order of the file, except that a turn
// may be held back until the next record shows what it is. After a *[LineError] it goes
// on; any other error is a failed read and comes last. It can be ranged over once.
func (d *Reader) Turns() iter.Seq2[Turn, error] {
	return func(yield func(Turn, error) bool) {
		if err := d.open(); err != nil {
			yield(Turn{}, err)
			return
		}
		if d.form.whole != nil {
			d.document(yield)
		} else {
			d.eachLine(yield)
		}
	}
}

// eachLine reads a file with a record on each line, or lines of text.
func (d *Reader) eachLine(yield func(Turn, error) bool) {
	for {
		line, whole, err := d.lines.next()
		if err != nil && !errors.Is(err, errLong) {
			d.finish(err, yield)
			return
		}
		if growing := !whole && d.opts.Growing; growing && (err != nil || d.form.text != nil && !d.form.anew) {
			d.finish(io.EOF, yield) // the rest of the line may still come
			return
		}
		d.line = d.lines.n
		at := place{d.lines.off - int64(len(line)), d.line}
		if whole {
			at.off-- // without its newline
		}
		switch {
		case err != nil:
		case d.form.text == nil:
			err = d.records(line, at, whole, yield)
		default:
			d.format.text(bytes.TrimSuffix(line, []byte{'\r'}))
			if d.hold(at); !d.give(yield) {
				return
			}
		}
		switch {
		case errors.Is(err, errStop):
			return
		case err != nil && !whole && d.opts.Growing:
			d.finish(io.EOF, yield)
			return
		}
		d.read++
		if d.next = (place{d.lines.off, d.line}); whole {
			d.next.line++
		}
		if err != nil && !yield(Turn{}, &LineError{Path: d.opts.Path, Line: d.line, Err: err}) {
			return
		}
	}
}

// finish emits what is left at the end.
func (d *Reader) finish(err error, yield func(Turn, error) bool) {
	if d.opts.Growing && !d.form.anew && d.format.waiting() > 0 {
		d.next = d.held // what it waits for may still come
		return
	}
	d.format.flush()
	if !d.give(yield) || errors.Is(err, io.EOF) {
		return
	}
	if bad := (*packError)(nil); errors.As(err, &bad) {
		yield(Turn{}, &LineError{Path: d.opts.Path, Line: d.line + 1, Err: bad})
		return
	}
	yield(Turn{}, fmt.Errorf("reading %s: %w", d.opts.Path, err))
}

// errStop means that the caller wants no more turns.
var errStop = errors.New("stopped")

// records decodes the objects of a line; there may be several.
func (d *Reader) records(line []byte, at place, whole bool, yield func(Turn, error) bool) error {
	record := func(o object, i int) bool {
		d.format.record(o)
		d.hold(place{at.off + int64(i), at.line})
		return d.give(yield)
	}
	for i := space(line, 0); i < len(line); {
		o, end, err := parseObject(line, i, d.fields[:0])
		if d.fields = o; err != nil {
			if o, from := behindCut(line, i+1, d.fields[:0]); whole && from > 0 && !record(o, from) {
				return errStop
			}
			return err
		}
		if !record(o, i) {
			return errStop
		}
		d.next = place{at.off + int64(end), at.line}
		i = space(line, end)
	}
	return nil
}

// hold remembers where a record begins that the format has begun to hold back.
func (d *Reader) hold(at place) {
	if held := d.format.waiting(); held == 0 {
		d.held = place{}
	} else if held != d.held.line {
		d.held = at
	}
}

// behindCut finds the record with which an agent continued a line that it had left
// unfinished when it died. It must be an object that ends with the line: objects inside
// the broken record are followed by braces.
func behindCut(line []byte, from int, dst object) (object, int) {
	const tries = 64 // bounds the work on a line that is all braces
	for range tries {
		i := bytes.Index(line[min(from, len(line)):], []byte(`{"`))
		if i < 0 {
			break
		}
		from += i
		if o, end, err := parseObject(line, from, dst); err == nil && space(line, end) == len(line) {
			return o, from
		}
		from++
	}
	return nil, 0
}

// emit appends t to the stream, after what is held back.
func (d *Reader) emit(t Turn) {
	if len(d.behind) > 0 {
		d.behind = append(d.behind, t)
		return
	}
	if d.session.Dir == "" {
		d.places.see(&t)
	}
	d.out = append(d.out, t)
}

// release emits the held turns that are wanted, and drops the others.
func (d *Reader) release(want func(Turn) bool) {
	held := d.behind
	d.behind = nil
	for _, t := range held {
		if want(t) {
			d.emit(t)
		}
	}
}

// give yields what the format has emitted.
func (d *Reader) give(yield func(Turn, error) bool) bool {
	for i, t := range d.out {
		d.out[i] = Turn{}
		if !yield(t, nil) {
			return false
		}
	}
	d.out = d.out[:0]
	return true
}

// at parses the time of a record and keeps the session's earliest and latest.
func (d *Reader) at(v raw) time.Time {
	if !v.isString() {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339Nano, string(v[1:len(v)-1]))
	if err != nil {
		return time.Time{}
	}
	return d.seen(t)
}

// atUnix parses a time in seconds or milliseconds since 1970, told apart by its size,
// with or without a fraction.
func (d *Reader) atUnix(v raw) time.Time {
	const micros = 1e6
	n, err := strconv.ParseFloat(string(v), 64)
	if err != nil || !(n > 0) || n > latestSecond*1000 {
		return time.Time{}
	}
	if n > latestSecond {
		n /= 1000
	}
	return d.seen(time.UnixMicro(int64(n * micros)).UTC())
}

// latestSecond is the year 2242 in seconds since 1970; larger times are in milliseconds.
const latestSecond = 1 << 33

// seen keeps the session's earliest and latest time.
func (d *Reader) seen(t time.Time) time.Time {
	if d.session.Start.IsZero() || t.Before(d.session.Start) {
		d.session.Start = t
	}
	if t.After(d.latest) {
		d.latest = t
	}
	return t
}

// fill sets *to from a string if it is still empty.
func fill(to *string, v raw) {
	if *to == "" {
		*to = v.text()
	}
}

// lazyRegexp gives a regular expression that is compiled when it is first asked for: a hook runs
// for some milliseconds, and would spend two of them on expressions that it never uses.
func lazyRegexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// Save saves a transcript that did not come in a file, because evidence has to name
// one. It creates the folder, and names the file after its content. The error is
// [ErrNoSession] if the data is not a session of a known agent.
func Save(dir string, data []byte) (path string, err error) {
	format, ok, _ := detectIn(bytes.NewReader(data), int64(len(data)), true) // memory can be read
	if !ok {
		return "", ErrNoSession
	}
	if format == GitHub {
		if data, err = GitHubLines(data); err != nil {
			return "", err
		}
	}
	sum := sha256.Sum256(data)
	path = filepath.Join(dir, hex.EncodeToString(sum[:8])+".jsonl")
	if err = os.MkdirAll(dir, 0o700); err == nil {
		err = os.WriteFile(path, data, 0o600)
	}
	if err != nil {
		return "", fmt.Errorf("saving a transcript: %w", err)
	}
	return path, nil
}
