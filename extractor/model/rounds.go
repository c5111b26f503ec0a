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
// instructions of the prompt, so that several share a call. It goes in rounds: read
// some transcripts and note what there is to ask, ask it, and read them once more
// with the answers for proposals.

// atOnce is how many calls are made at the same time, which is also what a round
// holds.
const atOnce = 4

// A round is some transcripts and what there is to ask about them.
type round struct {
	files     []transcript.File
	from      map[string]extractor.Mark
	questions map[string][]*question // by the path of the transcript
	known     map[string]*question   // by the key of the turns; nil where nothing is to be asked
	tokens    int
}

// Extract asks about transcripts, as far as they hold something new behind their
// marks, and gives each round of them to take with options by which the answers are
// read; take is to do with them what it does with other transcripts, and to commit
// the marks. No other options of a proposer count.
//
// What goes wrong with one call is an [extractor.FileError] of each of its sessions
// when they are read, and the next run asks about them again. An error that each
// call would meet ends it, and so does the end of ctx: what was answered until then
// is paid for, and is taken before the error is given.
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
		if p.c.Sent != "" && !p.c.Dry {
			if err := keepSent(p.c.Sent, r.sums()); err != nil {
				return errors.Join(err, ended)
			}
		}
		return ended
	})
}

// Show gives the calls that [Proposer.Extract] would make, and makes none.
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

// rounds reads transcripts and gives them on with what there is to ask, some at a
// time.
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

// note notes what there is to ask about a transcript. One that cannot be read is in
// the round too: whoever takes it meets the error.
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

// sums are those of the records that a question sends. The person's last words are
// none of them: what came of them may not have been in the file yet.
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

// sums are those of all records that were sent and answered.
func (r *round) sums() []string {
	var out []string
	for _, q := range r.all() {
		if q.answered && q.err == nil {
			out = append(out, q.sums()...)
		}
	}
	return out
}

// all are the questions in the order of their transcripts.
func (r *round) all() []*question {
	var out []*question
	for _, f := range r.files {
		out = append(out, r.questions[f.Path]...)
	}
	return out
}

// answered are the transcripts about which nothing is left to be asked.
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

// askAll makes the calls of a round, some at a time. After an error that each would
// meet no more are begun; those that were are waited for, since they are paid for.
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

// keyOf tells turns from others that a session has.
func keyOf(s transcript.Session, turns []transcript.Turn) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00", s.ID)
	for _, t := range turns {
		fmt.Fprintf(h, "%d %s %d\x00", t.Line, t.UUID, len(t.Text))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// replies propose what a model has answered, by the key of the turns.
type replies map[string]*question

func (r replies) Propose(_ context.Context, s transcript.Session, turns []transcript.Turn) ([]lessons.Lesson, error) {
	q, ok := r[keyOf(s, turns)]
	err := errors.New("the session has changed while the model was asked about it")
	switch {
	case ok && q == nil:
		return nil, nil
	case ok && q.err == nil:
		return q.result.Lessons, nil
	case ok:
		err = q.err
	}
	return nil, askAgain(s, err)
}

// tally makes the progress of rounds that of the whole run.
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
