package extractor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"learnings/extractor/redact"
	"learnings/extractor/rules"
	"learnings/extractor/transcript"
	"learnings/lessons"
)

// Extract reads a transcript from a mark on and returns what the proposers suggest,
// finished. It does not ask Known and compares nothing with other files; [Run] does
// both. If the mark no longer fits the file, Extract reads the file from its start. The
// error is a *[FileError] when the file cannot be read; the batch is then invalid.
func Extract(ctx context.Context, f transcript.File, from Mark, o Options) (Batch, error) {
	path := absolute(f.Path)
	file, found, err := transcript.Open(path)
	if err != nil {
		info, _ := os.Stat(path)
		return Batch{}, fileError(path, info, err)
	}
	defer file.Close()
	if o.From != nil {
		found.Size = min(found.Size, f.Size)
	}
	if f.Named {
		o.MinChars = 0
	}
	src := &source{ctx: ctx, file: file}
	if o.Anew || !from.follows(file, found.Size) {
		from = Mark{Lessons: from.Lessons, Given: from.Given}
	}
	p := pass{ctx: ctx, o: o, src: src, batch: Batch{File: found}, at: found.ModTime, sum: make(map[saying]int), taken: make(map[int]bool)}
	p.whole = from.Offset == 0
	if p.exclude(from) {
		return p.batch, ctx.Err()
	}
	err = p.read(from)
	if err == nil {
		err = p.mark(from)
	}
	if stopped := ctx.Err(); stopped != nil {
		return Batch{}, stopped
	}
	if err != nil {
		return Batch{}, err
	}
	return p.batch, nil
}

// A source is an open transcript. It counts the bytes read and stops when the context
// is done.
type source struct {
	ctx  context.Context
	file transcript.Source
	read int64
}

func (s *source) ReadAt(p []byte, off int64) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := s.file.ReadAt(p, off)
	s.read += int64(n)
	return n, err
}

// A pass is the reading of one file.
type pass struct {
	ctx    context.Context
	o      Options
	src    *source
	reader *transcript.Reader
	calls  map[string]*transcript.ToolCall // of the turns before the mark
	batch  Batch
	sum    map[saying]int // index in batch.Lessons of each proposal
	// What followed a person's last words, or the agent's last attempt, may come after
	// the end of the file. So both are judged again when the file has grown, except for
	// the lines that already gave a lesson.
	open   int          // line of the last turn of a person before the mark; 0 if none
	person int          // the same, over everything read
	own    bool         // the session is an extraction of ours
	taken  map[int]bool // lines that gave a lesson
	given  []Given      // lessons that the session was given; those from before the mark have line 0

	whole bool      // it is read from its start
	at    time.Time // of the last turn that has a time; before that, of the file
	chars int       // said and done so far, counted up to Options.MinChars
}

// A window is a stretch of turns that proposers see at once. It begins with the last
// turns of the window before and ends before a turn of a person, so that a proposer
// sees what the person answered and what followed.
type window struct {
	turns  []transcript.Turn
	before int // number of turns that the window before also had
	weight int // bytes
}

const (
	windowTurns  = 4000
	windowWeight = 8 << 20
	contextTurns = 40
	// contextBytes is how much before a mark is read again for context.
	contextBytes = 64 << 10
)

// read reads the file from a mark on.
func (p *pass) read(from Mark) error {
	f := p.batch.File
	w := p.context(from)
	p.givenBefore(from.Given)
	opts := f.Options()
	opts.Offset, opts.Line = from.Offset, from.Line
	if from.Offset > 0 {
		opts.Session = from.Session
	}
	section := io.NewSectionReader(p.src, from.Offset, f.Size-from.Offset)
	p.reader = transcript.NewReader(section, f.Format, opts)
	for t, err := range p.reader.Turns() {
		var bad *transcript.LineError
		switch {
		case errors.As(err, &bad):
			p.bad(bad)
			continue
		case err != nil:
			return fileError(f.Path, nil, err)
		}
		full := len(w.turns)-w.before >= windowTurns || w.weight >= windowWeight
		over := len(w.turns)-w.before >= 2*windowTurns || w.weight >= 2*windowWeight
		if full && t.Speaker == transcript.Person || over {
			if err := p.propose(w); err != nil {
				return err
			}
			w = w.next()
		}
		if p.paused(t) {
			continue
		}
		p.give(t)
		t = p.known(withoutInjected(t))
		t.Scripted = t.Scripted && !p.o.ScriptsAreMine
		if t.Speaker == transcript.Person {
			p.own = p.own || p.person == 0 && isOwn(t.Text)
			p.person = t.Line
			p.prompt(t)
		}
		w.turns = append(w.turns, t)
		w.weight += weight(t)
		if p.chars < p.o.MinChars {
			p.chars += chars(t)
		}
	}
	if p.whole && w.before == 0 && p.chars < p.o.MinChars {
		taught, err := p.taught(w)
		if !taught || err != nil {
			p.batch.Short, p.batch.Session = true, p.reader.Session()
			return err
		}
	}
	if err := p.propose(w); err != nil {
		return err
	}
	p.limit()
	p.reply()
	return nil
}

// surely is the confidence from which the rules' proposals count in a session shorter
// than Options.MinChars. A correction or a prohibition in plain words has at least this
// much. A first try that is stopped and corrected is that short.
const surely lessons.Confidence = 0.55

// taught reports whether a person plainly taught something in a window.
func (p *pass) taught(w window) (bool, error) {
	if p.own {
		return false, nil
	}
	ls, err := rules.Rules{Least: surely}.Propose(p.ctx, p.reader.Session(), w.turns)
	return slices.ContainsFunc(ls, func(l lessons.Lesson) bool {
		l, founded := witnessed(l, w.turns)
		return founded && l.Confidence >= surely && l.SaidBy() == lessons.ByPerson
	}), err
}

func (p *pass) bad(e *transcript.LineError) {
	if len(p.batch.Bad) < maxBad {
		p.batch.Bad = append(p.batch.Bad, e)
	} else {
		p.batch.BadMore++
	}
}

// context returns the last turns before a mark. It ignores errors: they only mean less
// context.
func (p *pass) context(from Mark) window {
	p.open, p.person, p.own = from.Person, from.Person, from.Own
	for _, line := range from.Taken {
		p.taken[line] = true
	}
	if from.Offset >= p.batch.File.Size {
		return window{}
	}
	start := max(from.Offset-contextBytes, 0)
	head := make([]byte, from.Offset-start)
	n, _ := p.src.ReadAt(head, start)
	head = head[:n]
	line := from.Line - bytes.Count(head, newline)
	if start > 0 { // in the middle of a line
		i := bytes.Index(head, newline)
		if i < 0 {
			return window{}
		}
		head, start, line = head[i+1:], start+int64(i)+1, line+1
	}
	if len(head) == 0 {
		return window{}
	}
	opts := p.batch.File.Options()
	opts.Offset, opts.Line, opts.Session = start, line, from.Session
	var turns []transcript.Turn
	p.calls = make(map[string]*transcript.ToolCall)
	for t, err := range transcript.NewReader(bytes.NewReader(head), p.batch.File.Format, opts).Turns() {
		if err != nil {
			continue
		}
		if t.Kind == transcript.Call && t.Tool != nil && t.Tool.ID != "" {
			p.calls[t.Tool.ID] = t.Tool
		}
		if p.paused(t) {
			continue
		}
		t.Scripted = t.Scripted && !p.o.ScriptsAreMine
		turns = append(turns, withoutInjected(t))
	}
	return window{turns: turns}.next()
}

// paused reports whether a turn was said during a pause. A turn without a time has that
// of the last turn with one, or else the modification time of the file.
func (p *pass) paused(t transcript.Turn) bool {
	if !t.At.IsZero() {
		p.at = t.At
	}
	return p.o.Paused != nil && p.o.Paused(p.at)
}

// The most prompts that a batch reports, and the bytes kept of each.
const mostPrompts, promptBytes = 2000, 4000

// prompt notes what a person typed.
func (p *pass) prompt(t transcript.Turn) {
	if t.Scripted || t.Sidechain || t.Kind != transcript.Message || t.Text == "" || len(p.batch.Prompts) >= mostPrompts {
		return
	}
	p.batch.Prompts = append(p.batch.Prompts, redact.New().Redact(strings.ToValidUTF8(t.Text[:min(len(t.Text), promptBytes)], "")))
}

var newline = []byte("\n")

// known fills in the call of a result whose call was made before the mark.
func (p *pass) known(t transcript.Turn) transcript.Turn {
	if t.Tool != nil && t.Tool.Name == "" {
		if call := p.calls[t.Tool.ID]; call != nil {
			t.Tool = call
		}
	}
	return t
}

// next returns the window after w, which begins with the end of w for context.
func (w window) next() window {
	turns := slices.Clone(w.turns[max(0, len(w.turns)-contextTurns):])
	return window{turns: turns, before: len(turns)}
}

func weight(t transcript.Turn) int {
	n := 256 + len(t.Text)
	if t.Tool != nil {
		n += len(t.Tool.Command) + len(t.Tool.Old) + len(t.Tool.New) + len(t.Tool.Input)
	}
	return n
}

// chars counts the characters of what was said or done in a turn.
func chars(t transcript.Turn) int {
	n := utf8.RuneCountInString(t.Text)
	if c := t.Tool; c != nil && t.Kind == transcript.Call {
		n += max(utf8.RuneCountInString(c.Input), utf8.RuneCountInString(c.Command)+utf8.RuneCountInString(c.Old)+utf8.RuneCountInString(c.New))
	}
	return n
}

// propose passes a window to the proposers and finishes what they suggest.
func (p *pass) propose(w window) error {
	p.batch.Session = p.reader.Session()
	if len(w.turns) == w.before || p.own {
		return nil
	}
	for _, proposer := range p.o.Proposers {
		found, err := proposer.Propose(p.ctx, p.batch.Session, w.turns)
		if err != nil {
			return fmt.Errorf("proposing lessons from %s: %w", p.batch.File.Path, err)
		}
		var seen []lessons.Lesson
		if o, ok := proposer.(Observer); ok {
			if seen, err = o.Observe(p.ctx, p.batch.Session, w.turns); err != nil {
				return fmt.Errorf("observing %s: %w", p.batch.File.Path, err)
			}
		}
		p.each(found, w, p.add)
		p.each(seen, w, p.observe)
	}
	return nil
}

// each finishes proposals and passes them to a function.
func (p *pass) each(ls []lessons.Lesson, w window, to func(lessons.Lesson)) {
	for _, l := range ls {
		if l, ok := p.finish(l, w); ok {
			to(l)
		}
	}
}

// mark says how far the file has been read.
func (p *pass) mark(from Mark) error {
	f := p.batch.File
	if p.batch.Short { // nothing read yet at this size
		p.batch.Read = p.src.read
		p.batch.Mark = Mark{
			Path: filepath.Clean(f.Path), Size: f.Size, ModTime: f.ModTime, Format: f.Format, Agent: f.Agent, Session: p.batch.Session, Given: p.givenIDs(),
		}
		return nil
	}
	offset, line := p.reader.Next()
	print, err := fingerprint(p.src, offset)
	if err != nil {
		return fileError(f.Path, nil, fmt.Errorf("reading %s: %w", f.Path, err))
	}
	var taken []int
	for line := range p.taken {
		if line >= p.person {
			taken = append(taken, line)
		}
	}
	slices.Sort(taken)
	p.batch.Read = p.src.read
	p.batch.Mark = Mark{
		Path: filepath.Clean(f.Path), Size: f.Size, ModTime: f.ModTime, Format: f.Format, Agent: f.Agent, Offset: offset, Line: line, Print: print,
		Lessons: from.Lessons + len(p.batch.Lessons), Session: p.batch.Session, Person: p.person, Taken: taken, Given: p.givenIDs(), Observed: kept(from.Observed, p.batch.Seen),
		Own: p.own,
	}
	return nil
}

// limit keeps the surest lessons, in their order, when there are too many.
func (p *pass) limit() {
	ls := p.batch.Lessons
	if len(ls) <= maxLessons {
		return
	}
	scores := make([]lessons.Confidence, len(ls))
	for i, l := range ls {
		scores[i] = l.Confidence
	}
	slices.Sort(scores)
	least := scores[len(ls)-maxLessons]
	kept := ls[:0]
	for _, l := range ls {
		if l.Confidence >= least && len(kept) < maxLessons {
			kept = append(kept, l)
		}
	}
	p.batch.Lessons = kept
}
