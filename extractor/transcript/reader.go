package transcript

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"time"
)

// Options say where in a file a [Reader] begins and what it leaves out. The
// zero value reads a whole file that nobody is writing to.
type Options struct {
	Path    string  // for errors
	Offset  int64   // of r's first byte in the file, as [Reader.Next] gave it
	Line    int     // number of the line that Offset lies in; 0 means 1
	Session Session // known from an earlier read of the same file
	Growing bool    // an agent may still be writing: a last line that is cut is no error, and is left for later
	Seen    *Seen   // skips records that were seen before; nil skips none
}

// A Reader reads one session. What it tells of the session fills up while
// its turns are read. It is for one goroutine.
//
// A Reader that begins in the middle of a file does not know the calls that
// were made before: results of them have a Tool with nothing but its ID.
type Reader struct {
	lines   lines
	opts    Options
	session Session
	latest  time.Time
	format  decoder
	counts  bool // only counting: the words of agents, tools and harness are not decoded
	fields  object
	line    int
	out     []Turn
	next    int64 // behind the last record that was read
	read    int   // lines given to the format, bad ones too
	copied  int   // records that Seen knew
	copyOf  string
}

// A decoder turns the records of one format into turns. It calls emit.
type decoder interface {
	record(o object)
	flush() // gives out what it had held back to see what follows
}

// NewReader returns a Reader of the session r, which is of format f.
// A format that is not known has no turns: each of its lines is an error.
func NewReader(r io.Reader, f Format, o Options) *Reader {
	o.Line = max(o.Line, 1)
	d := &Reader{opts: o, session: o.Session, next: o.Offset}
	d.lines = lines{r: r, max: MaxLine, off: o.Offset, n: o.Line - 1}
	d.session.Agent = f
	switch f {
	case ClaudeCode:
		d.format = newClaude(d)
	case Codex:
		d.format = newCodex(d)
	}
	return d
}

// Read returns the turns of the session r, which is of format f.
func Read(r io.Reader, f Format) iter.Seq2[Turn, error] {
	return NewReader(r, f, Options{}).Turns()
}

// Session returns what has been read of the session so far.
func (d *Reader) Session() Session { return d.session }

// Next returns where a later read of the same file should begin: the offset
// behind the last record that was read whole, and the number of the line that
// it lies in. It is complete when [Reader.Turns] has ended by itself.
func (d *Reader) Next() (offset int64, line int) {
	return d.next, d.line
}

// Turns yields the turns of the session in the order of the file. The errors
// among them are each a *[LineError], behind which it goes on, or, at the
// very end, what reading failed with. It can be ranged over once.
func (d *Reader) Turns() iter.Seq2[Turn, error] {
	return func(yield func(Turn, error) bool) {
		if d.format == nil {
			yield(Turn{}, fmt.Errorf("reading %s: unknown format %q", d.opts.Path, d.session.Agent))
			return
		}
		d.line = d.opts.Line
		for {
			line, whole, err := d.lines.next()
			if errors.Is(err, io.EOF) {
				d.format.flush()
				d.give(yield)
				return
			}
			if err != nil && !errors.Is(err, errLong) {
				d.format.flush()
				_ = d.give(yield) && yield(Turn{}, fmt.Errorf("reading %s: %w", d.opts.Path, err))
				return
			}
			d.line = d.lines.n
			d.read++
			if err == nil {
				start := d.lines.off - int64(len(line))
				if whole {
					start-- // its newline
				}
				if err = d.records(line, start, yield); errors.Is(err, errStop) {
					return
				}
			}
			if err != nil && !whole && d.opts.Growing {
				d.read--
				d.format.flush()
				d.give(yield)
				return
			}
			d.next = d.lines.off
			if err != nil && !yield(Turn{}, &LineError{Path: d.opts.Path, Line: d.line, Err: err}) {
				return
			}
			if whole {
				d.line++
			}
		}
	}
}

// errStop says that the caller wants no more turns.
var errStop = errors.New("stopped")

// records decodes the objects of one line, of which there may be several. The
// line begins at the offset start.
func (d *Reader) records(line []byte, start int64, yield func(Turn, error) bool) error {
	for i := space(line, 0); i < len(line); {
		o, end, err := parseObject(line, i, d.fields[:0])
		d.fields = o
		if err != nil {
			return err
		}
		d.format.record(o)
		if !d.give(yield) {
			return errStop
		}
		d.next = start + int64(end)
		i = space(line, end)
	}
	return nil
}

// emit puts t into the stream.
func (d *Reader) emit(t Turn) { d.out = append(d.out, t) }

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
	if d.session.Start.IsZero() || t.Before(d.session.Start) {
		d.session.Start = t
	}
	if t.After(d.latest) {
		d.latest = t
	}
	return t
}

// cut decodes a text that is cut to MaxText, unless only counts are wanted.
func (d *Reader) cut(v raw) string {
	if d.counts {
		return ""
	}
	return v.cut()
}

// skip says whether a record was seen before, in this file or another.
func (d *Reader) skip(uuid, session string) bool {
	if d.opts.Seen == nil || uuid == "" {
		return false
	}
	first, again := d.opts.Seen.Add(uuid, session)
	if again {
		d.copied++
		d.copyOf = first
	}
	return again
}

// once sets *to from v when it is still empty.
func once(to *string, v raw) {
	if *to == "" && len(v) > 2 {
		*to = v.word()
	}
}
