package tui

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"slices"

	tea "charm.land/bubbletea/v2"

	"learnings/extractor/transcript"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/talk"
)

// This file reads transcripts: first what is around a line, then what is to be told of the
// whole, and what has the words that a person looks for.

// readMsg answers readAround, which may answer twice: with the beginning of what it was
// asked for, and then with all of it.
type readMsg struct {
	seq  int
	path string
	part talk.Part
	err  error
	more kit.Job // gives the rest; nil at the end
}

const (
	firstTurns = 80  // behind its line, that are shown before the rest is read
	jumpFrom   = 600 // the line from which on a file is not read from its start, to show what is around
	jumpBack   = 120 // lines that are read before that
)

// readAround reads the turns around a line of a transcript, until stop ends.
func readAround(fx desk.Desk, stop context.Context, seq int, path string, line int) kit.Job {
	return func(ctx context.Context) tea.Msg {
		ctx, cancel := context.WithCancel(ctx)
		context.AfterFunc(stop, cancel)
		found := make(chan readMsg, 2) // both fit: nobody has to take them
		go func() {
			defer cancel()
			defer close(found)
			readParts(ctx, path, line, func(m readMsg) {
				m.seq, m.path = seq, path
				found <- m
			})
		}()
		return nextRead(found)(ctx)
	}
}

func nextRead(found <-chan readMsg) kit.Job {
	return func(context.Context) tea.Msg {
		m, ok := <-found
		if !ok {
			return nil
		}
		if m.more != nil {
			m.more = nextRead(found)
		}
		return m
	}
}

// readParts gives what is around a line as soon as it is known, and then the whole.
func readParts(ctx context.Context, path string, line int, give func(readMsg)) {
	f, file, err := transcript.Open(path)
	if err != nil {
		give(readMsg{err: err})
		return
	}
	defer f.Close()
	given := false
	soon := func(p talk.Part) {
		p.Files, p.Said = slices.Clone(p.Files), slices.Clip(p.Said)
		p.Turns = slices.Clip(p.Turns)
		p.Size, p.Reading, given = file.Size, true, true
		give(readMsg{part: p, more: func(context.Context) tea.Msg { return nil }})
	}
	if p, ok := jump(ctx, f, file, line); ok {
		soon(p)
	}
	var p talk.Part
	r := transcript.NewReader(f, file.Format, file.Options())
	behind := 0
	for t, err := range r.Turns() {
		switch {
		case ctx.Err() != nil:
			give(readMsg{err: ctx.Err()})
			return
		case err != nil:
			p.Bad++
			continue
		}
		if p.Add(t, line); t.Line > line {
			behind++
		}
		if behind == firstTurns && !given {
			p.Session = r.Session()
			soon(p)
		}
	}
	p.Session, p.Size = r.Session(), file.Size
	slices.SortStableFunc(p.Files, func(a, b talk.Touched) int { return cmp.Compare(b.Edits, a.Edits) })
	give(readMsg{part: p})
}

// jump reads what is around a line far into a file, without what is before, where the
// format can be read so.
func jump(ctx context.Context, f transcript.Source, file transcript.File, line int) (p talk.Part, ok bool) {
	if line < jumpFrom || !file.Anywhere() {
		return p, false
	}
	from := line - jumpBack
	off, ok := offsetOf(f, from)
	if !ok {
		return p, false
	}
	o := file.Options()
	o.Offset, o.Line = off, from
	r := transcript.NewReader(io.NewSectionReader(f, off, file.Size-off), file.Format, o)
	behind := 0
	for t, err := range r.Turns() {
		if ctx.Err() != nil || behind == firstTurns {
			break
		}
		if err == nil {
			p.Add(t, line)
		}
		if t.Line > line {
			behind++
		}
	}
	p.Middle = true
	return p, len(p.Turns) > 0
}

// offsetOf is where a line of a file begins.
func offsetOf(f io.ReaderAt, line int) (int64, bool) {
	buf := make([]byte, 256<<10)
	at, left := int64(0), line-1
	for left > 0 {
		n, err := f.ReadAt(buf, at)
		some := buf[:n]
		if c := bytes.Count(some, []byte{'\n'}); c < left {
			if at, left = at+int64(n), left-c; err != nil {
				return 0, false
			}
			continue
		}
		for left > 0 {
			i := bytes.IndexByte(some, '\n') + 1
			some, at, left = some[i:], at+int64(i), left-1
		}
	}
	return at, true
}

// readIn takes what was read of the part that is asked for. Once something is shown, the
// rest comes in around it: cursor, scroll, folds and selection stay on what they are on.
func readIn(d reader, m readMsg) (reader, kit.Out) {
	if m.seq != d.seq || m.path != d.from.Path {
		return d, kit.Out{}
	}
	var o kit.Out
	if m.more != nil {
		o = kit.Run(m.more)
	}
	if d.cur < 0 || len(d.part.Turns) == 0 || m.err != nil {
		d.part, d.err, d.page, d.top = m.part, m.err, &page{}, -1
		d.cur = d.itemAt(d.line)
		return unfolded(d), o
	}
	was := d.laid()
	marks := itemMarks(d.part, was.items)
	off, cur := d.placed()-was.start[d.cur], marks[d.cur]
	anchor := -1
	if d.anchor >= 0 {
		anchor = d.anchor
	}
	turned, n := d.folds.turned, d.folds.n
	d.part, d.err, d.page, d.folds.turned = m.part, nil, &page{}, nil
	if d.folds.n = n + 1; d.top >= 0 {
		d.top = 0
	}
	now := itemMarks(d.part, d.laid().items)
	at := map[itemMark]int{}
	for i, k := range now {
		at[k] = i
	}
	d.folds.turned = map[int]bool{}
	for i, on := range turned {
		if j, ok := at[marks[i]]; ok {
			d.folds.turned[j] = on
		}
	}
	if anchor >= 0 {
		d.anchor = at[marks[anchor]]
	}
	d.folds.n++
	if i, ok := at[cur]; ok {
		d.cur = i
	} else {
		d.cur = d.itemAt(cur.line)
	}
	if p := d.laid(); d.top >= 0 {
		d.top = max(0, p.start[d.cur]+off)
	}
	return d, o
}

// An itemMark tells an item from others, however much of a session is read: the line on
// which it begins, and how many begin there before it.
type itemMark struct{ line, nth int }

func itemMarks(p talk.Part, items []talk.Item) []itemMark {
	out := make([]itemMark, len(items))
	for i, it := range items {
		out[i].line = p.Turns[it.From].Line
		if i > 0 && out[i-1].line == out[i].line {
			out[i].nth = out[i-1].nth + 1
		}
	}
	return out
}

// left ends what is read for the reader.
func left(d reader) {
	for _, stop := range []context.CancelFunc{d.stop, d.hunt.stop} {
		if stop != nil {
			stop()
		}
	}
}
