package model

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"learnings/extractor"
	"learnings/extractor/transcript"
	"learnings/lessons"
)

// This file asks about many transcripts. Most sessions are much shorter than the
// prompt's instructions, so several share a call. The work goes in rounds: read some
// transcripts and note what there is to ask, ask it, and read them a second time with
// the answers as proposals.

// atOnce is how many calls are made at the same time. A round holds about as many.
const atOnce = 4

// A round is some transcripts and what there is to ask about them.
type round struct {
	files     []transcript.File
	from      map[string]extractor.Mark
	questions map[string][]*question // by the path of the transcript
	known     map[string]*question   // by the key of the turns; nil where nothing is to be asked
	tokens    int
}

// Extract asks about what is new in transcripts since their marks. For each round it
// calls take with transcripts and the options to read them with, under which the
// model's answers are the proposals. Take extracts from them as usual, stores what it
// gets, and commits the marks. The proposers in o are not used.
//
// When a call fails, each of its sessions gives an [extractor.FileError] on being read,
// is not marked, and is asked about again by the next run. An error that every call
// would meet, or the end of ctx, ends Extract; what was answered before, and so paid
// for, is still taken.
func (p *Proposer) Extract(ctx context.Context, files []transcript.File, marks *extractor.Ledger, o extractor.Options,
	take func(context.Context, []transcript.File, extractor.Options) error) error {
	return p.rounds(ctx, files, marks, o, func(r *round, o extractor.Options) error {
		ended := p.askAll(ctx, r)
		files, keep := r.files, ctx
		if ended != nil {
			files, keep = r.answered(), context.WithoutCancel(ctx)
		}
		o.Proposers = []extractor.Proposer{replies(r.known)}
		if err := take(keep, files, o); err != nil {
			return errors.Join(err, ended)
		}
		if p.c.Sent != "" && !p.c.Dry && marks != nil {
			if err := keepSent(p.c.Sent, r.sums(marks)); err != nil {
				return errors.Join(err, ended)
			}
		}
		return ended
	})
}

// Show passes on the calls that [Proposer.Extract] would make, without making them.
func (p *Proposer) Show(ctx context.Context, files []transcript.File, marks *extractor.Ledger, o extractor.Options, each func(Call) error) error {
	return p.rounds(ctx, files, marks, o, func(r *round, _ extractor.Options) error {
		for _, c := range p.calls(r.all()) {
			if err := each(c); err != nil {
				return err
			}
		}
		return nil
	})
}

// rounds reads transcripts, some at a time, and passes them on with what there is to
// ask about them.
func (p *Proposer) rounds(ctx context.Context, files []transcript.File, marks *extractor.Ledger, o extractor.Options, do func(*round, extractor.Options) error) error {
	before := make(sent)
	if marks != nil {
		if err := marks.Refresh(); err != nil {
			return err
		}
	}
	if p.c.Sent != "" && !o.Anew {
		var err error
		if before, err = readSent(p.c.Sent); err != nil {
			return err
		}
	}
	var todo []transcript.File
	for _, f := range files {
		if path, err := filepath.Abs(f.Path); err == nil {
			f.Path = path
		}
		if marks == nil || o.Anew || !marks.Fresh(f) {
			todo = append(todo, f)
		}
	}
	progress := tally(todo, o.Progress)
	r := newRound()
	flush := func() error {
		if len(r.files) == 0 {
			return nil
		}
		from := r.from
		opts := o
		opts.From, opts.Anew, opts.Progress = func(path string) extractor.Mark { return from[path] }, false, progress(r.files)
		if opts.Progress != nil {
			opts.Progress(extractor.Progress{Path: r.files[0].Path}) // the answers take a while
		}
		err := do(r, opts)
		r = newRound()
		return err
	}
	for _, f := range todo {
		if err := p.note(ctx, f, marks, o, before, r); err != nil {
			return err
		}
		if r.tokens >= atOnce*p.budget() {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

func newRound() *round {
	return &round{from: make(map[string]extractor.Mark), questions: make(map[string][]*question), known: make(map[string]*question)}
}

// note adds a transcript to a round, with what there is to ask about it. One that
// cannot be read is added too, so that the error is reported when it is taken.
func (p *Proposer) note(ctx context.Context, f transcript.File, marks *extractor.Ledger, o extractor.Options, before sent, r *round) error {
	var from extractor.Mark
	if marks != nil && !o.Anew {
		from, _ = marks.Mark(f.Path)
	}
	r.files = append(r.files, f)
	r.from[f.Path] = from
	f.Named = f.Named || o.MinChars == 0
	o.Proposers = []extractor.Proposer{collector{p, before, r, f.Path}}
	o.From, o.Anew, o.Progress = func(string) extractor.Mark { return from }, false, nil
	_, err := extractor.Extract(ctx, f, from, o)
	if file := (*extractor.FileError)(nil); errors.As(err, &file) {
		return nil
	}
	return err
}

// A collector notes what there is to ask, and proposes nothing.
type collector struct {
	p      *Proposer
	before sent
	round  *round
	path   string
}

func (c collector) Propose(ctx context.Context, s transcript.Session, turns []transcript.Turn) ([]lessons.Lesson, error) {
	key := keyOf(s, turns)
	if _, ok := c.round.known[key]; ok {
		return nil, nil // a copy of the file
	}
	q, err := c.p.question(ctx, s, turns, c.before)
	if err != nil {
		return nil, err
	}
	c.round.known[key] = q
	if q != nil {
		for _, sum := range q.sums() {
			c.before[sum] = true
		}
		c.round.questions[c.path] = append(c.round.questions[c.path], q)
		c.round.tokens += q.cost
	}
	return nil, nil
}

// sums returns the sums of the records that a question sends, except the person's last
// words: the file may not have said yet what came of them.
func (q *question) sums() []string {
	var out []string
	last := -1
	for i, t := range q.digest.turns {
		if t.Speaker == transcript.Person && !t.Sidechain {
			last = i
		}
	}
	for _, l := range q.digest.Lines {
		if sum := sumOf(&q.digest.turns[l.Turn]); sum != "" && l.Turn != last && l.Label != labelAgent {
			out = append(out, sum)
		}
	}
	return out
}

// sums returns the sums of what was sent of the transcripts that are marked by now: of
// any other all is to be sent again.
func (r *round) sums(marks *extractor.Ledger) []string {
	var out []string
	for _, f := range r.files {
		if marks.Fresh(f) {
			for _, q := range r.questions[f.Path] {
				out = append(out, q.sums()...)
			}
		}
	}
	return out
}

// all returns the questions in the order of their transcripts.
func (r *round) all() []*question {
	var out []*question
	for _, f := range r.files {
		out = append(out, r.questions[f.Path]...)
	}
	return out
}

// answered returns the transcripts about which nothing is left to ask.
func (r *round) answered() []transcript.File {
	var out []transcript.File
	for _, f := range r.files {
		open := false
		for _, q := range r.questions[f.Path] {
			open = open || !q.answered
		}
		if !open {
			out = append(out, f)
		}
	}
	return out
}

// askAll makes the calls of a round, some at the same time. After an error that every
// call would meet it begins no more, but waits for those under way: they are paid for.
func (p *Proposer) askAll(ctx context.Context, r *round) error {
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		ended error
	)
	free := make(chan struct{}, atOnce)
	over := func() bool {
		mu.Lock()
		defer mu.Unlock()
		return ended != nil
	}
	for _, c := range p.calls(r.all()) {
		free <- struct{}{}
		if over() {
			break
		}
		wg.Go(func() {
			defer func() { <-free }()
			if err := p.ask(ctx, c); err != nil {
				mu.Lock()
				ended = cmp.Or(ended, err)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return ended
}

// keyOf returns a key that differs for other turns of the same session.
func keyOf(s transcript.Session, turns []transcript.Turn) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00", s.ID)
	for _, t := range turns {
		fmt.Fprintf(h, "%d %s %d\x00", t.Line, t.UUID, len(t.Text))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// replies propose what a model has answered. The keys are those of the turns; the value
// is nil where nothing was asked.
type replies map[string]*question

func (r replies) Propose(_ context.Context, s transcript.Session, turns []transcript.Turn) ([]lessons.Lesson, error) {
	q, ok := r[keyOf(s, turns)]
	switch {
	case !ok:
		return nil, askAgain(s, errors.New("the session has changed while the model was asked about it"))
	case q == nil:
		return nil, nil
	case q.err != nil:
		return nil, askAgain(s, q.err)
	case !q.answered:
		return nil, askAgain(s, errors.New("the model was not asked about it"))
	}
	return q.result.Lessons, nil
}

// tally turns the progress of each round into the progress of the whole run.
func tally(todo []transcript.File, tell func(extractor.Progress)) func([]transcript.File) func(extractor.Progress) {
	var all, done extractor.Progress
	for _, f := range todo {
		all.Files++
		all.Bytes += f.Size
	}
	var last extractor.Progress
	return func(files []transcript.File) func(extractor.Progress) {
		done.Lessons += last.Lessons
		before := done
		for _, f := range files {
			done.Files++
			done.Bytes += f.Size
		}
		last = extractor.Progress{}
		if tell == nil {
			return nil
		}
		return func(x extractor.Progress) {
			last = x
			x.Files, x.Bytes = all.Files, all.Bytes
			x.Done, x.Read, x.Lessons = min(x.Done+before.Files, all.Files), min(x.Read+before.Bytes, all.Bytes), x.Lessons+before.Lessons
			tell(x)
		}
	}
}
