package model

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"learnings/extractor"
	"learnings/extractor/model/llm"
	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/lessons/pairs"
	"learnings/lessons/state"
)

// This file asks about many transcripts. Most sessions are much shorter than the prompt's
// instructions, so several share a call. The work goes in rounds: read some transcripts and
// note what to ask, ask it, and read them again with the answers as proposals.

// atOnce is the number of concurrent calls. A round holds about as many.
const atOnce = 4

// A round is some transcripts and what to ask about them.
type round struct {
	files     []transcript.File
	from      map[string]extractor.Mark
	asked     map[string]*question // by the key of the turns; nil if there is nothing to ask
	questions []*question          // in the order of their transcripts
	paths     []string             // of the transcripts of the questions
	tokens    int
}

func newRound() *round {
	return &round{from: make(map[string]extractor.Mark), asked: make(map[string]*question)}
}

// Extract asks about what is new in transcripts since their marks. For each round it
// calls take with transcripts and the options to read them with, which propose the
// model's answers. take extracts as usual, stores the lessons, and commits the marks.
// The proposers in o are ignored.
//
// If a call fails, reading each of its sessions returns an [extractor.FileError] and no
// mark, so the next run asks again. An error that every call would meet, or the end of
// ctx, ends Extract; answers received before, which are paid for, are still taken.
func (p *Proposer) Extract(ctx context.Context, files []transcript.File, marks *extractor.Ledger, o extractor.Options,
	take func(context.Context, []transcript.File, extractor.Options) error) error {
	return p.rounds(ctx, files, marks, o, func(r *round, o extractor.Options) error {
		ended := p.askAll(ctx, r)
		files, keep := r.files, ctx
		if ended != nil {
			files, keep = r.answered(), context.WithoutCancel(ctx)
		}
		o.Proposers = []extractor.Proposer{replies(r.asked)}
		err := take(keep, files, o)
		for i, q := range r.questions {
			if q.err == nil && (p.c.Dry || marks == nil || marks.Fresh(r.fileOf(i))) {
				p.remember(q)
			}
		}
		if err == nil && marks != nil && !p.c.Dry {
			err = errors.Join(p.keepSent(r, marks), p.forgetAnswers())
		}
		return errors.Join(err, ended)
	})
}

// Show passes on the calls that [Proposer.Extract] would make, without making them.
func (p *Proposer) Show(ctx context.Context, files []transcript.File, marks *extractor.Ledger, o extractor.Options, each func(Call) error) error {
	compare := p.compareCost()
	return p.rounds(ctx, files, marks, o, func(r *round, _ extractor.Options) error {
		for _, c := range p.calls(r.questions) {
			c.compare = compare
			if err := each(c); err != nil {
				return err
			}
		}
		return nil
	})
}

// rounds reads some transcripts at a time, and passes them on with what to ask about
// them.
func (p *Proposer) rounds(ctx context.Context, files []transcript.File, marks *extractor.Ledger, o extractor.Options, do func(*round, extractor.Options) error) error {
	before := make(sent)
	if marks != nil {
		if err := marks.Refresh(); err != nil {
			return err
		}
		if err := p.readSent(before); err != nil {
			return err
		}
	}
	if o.Anew {
		clear(before)
	}
	var todo []transcript.File
	var all, done, now extractor.Progress // of the run, of the rounds before, and of this one
	for _, f := range files {
		if path, err := filepath.Abs(f.Path); err == nil {
			f.Path = path
		}
		if marks == nil || o.Anew || !marks.Fresh(f) {
			todo = append(todo, f)
			all.Files++
			all.Bytes += f.Size
		}
	}
	r := newRound()
	flush := func() error {
		opts, from := o, r.from
		opts.From, opts.Anew = func(path string) extractor.Mark { return from[path] }, false
		if o.Progress != nil {
			opts.Progress = func(x extractor.Progress) {
				now = x
				o.Progress(extractor.Progress{
					Path: x.Path, Files: all.Files, Bytes: all.Bytes, Lessons: done.Lessons + x.Lessons,
					Done: min(done.Done+x.Done, all.Files), Read: min(done.Read+x.Read, all.Bytes),
				})
			}
			opts.Progress(extractor.Progress{Path: r.files[0].Path}) // the answers take a while
		}
		err := do(r, opts)
		done.Lessons, done.Done = done.Lessons+now.Lessons, done.Done+len(r.files)
		for _, f := range r.files {
			done.Read += f.Size
		}
		r = newRound()
		return err
	}
	for i, f := range todo {
		if err := p.note(ctx, f, marks, o, before, r); err != nil {
			return err
		}
		if r.tokens >= atOnce*p.budget() || i == len(todo)-1 {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// note adds a transcript to a round, with what to ask about it. A transcript that
// cannot be read is added too, so that take reports the error.
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

// A collector notes what to ask, and proposes nothing.
type collector struct {
	p      *Proposer
	before sent
	round  *round
	path   string
}

func (c collector) Propose(ctx context.Context, s transcript.Session, turns []transcript.Turn) ([]lessons.Lesson, error) {
	key, r := keyOf(s, turns), c.round
	if _, ok := r.asked[key]; ok {
		return nil, nil // a copy of the file
	}
	q, err := c.p.question(ctx, s, turns, c.before)
	if err != nil {
		return nil, err
	}
	r.asked[key] = q
	if q != nil {
		for _, sum := range q.sums() {
			c.before[sum] = true
		}
		r.questions, r.paths = append(r.questions, q), append(r.paths, c.path)
		r.tokens += q.cost
	}
	return nil, nil
}

// fileOf returns the transcript of a question.
func (r *round) fileOf(question int) transcript.File {
	i := slices.IndexFunc(r.files, func(f transcript.File) bool { return f.Path == r.paths[question] })
	return r.files[i]
}

// answered returns the transcripts with nothing left to ask.
func (r *round) answered() (out []transcript.File) {
	open := make(map[string]bool)
	for i, q := range r.questions {
		open[r.paths[i]] = open[r.paths[i]] || !q.answered
	}
	for _, f := range r.files {
		if !open[f.Path] {
			out = append(out, f)
		}
	}
	return out
}

// askAll makes the calls of a round, some at once when one has been answered. After an error that every call would
// meet it starts no more, but waits for those under way, which are paid for.
func (p *Proposer) askAll(ctx context.Context, r *round) error {
	var wg sync.WaitGroup
	free, ended := make(chan struct{}, atOnce), make(chan error, 1) // holds the first error
	for i, c := range p.calls(r.questions) {
		free <- struct{}{}
		if len(ended) > 0 {
			break
		}
		wg.Go(func() {
			defer func() { <-free }()
			if err := p.ask(ctx, c); err != nil {
				select {
				case ended <- err:
				default:
				}
			}
		})
		if i == 0 && !p.tried() { // the first call says whether the model can answer at all
			wg.Wait()
		}
	}
	wg.Wait()
	close(ended)
	return <-ended
}

// keyOf returns a key of some turns of a session.
func keyOf(s transcript.Session, turns []transcript.Turn) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00", s.ID)
	for _, t := range turns {
		fmt.Fprintf(h, "%d %s %d\x00", t.Line, t.UUID, len(t.Text))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// replies proposes what a model has answered, by the key of the turns. The value is nil
// if nothing was asked.
type replies map[string]*question

func (r replies) Propose(ctx context.Context, s transcript.Session, turns []transcript.Turn) ([]lessons.Lesson, error) {
	q, ok := r[keyOf(s, turns)]
	switch {
	case !ok:
		return nil, askAgain(s, errors.New("the session has changed while the model was asked about it"))
	case q == nil:
		return nil, nil
	case q.err != nil || !q.answered:
		return nil, askAgain(s, cmp.Or(q.err, errors.New("the model was not asked about it")))
	}
	if q.result.GaveUp != nil {
		return byRules(ctx, s, turns)
	}
	return q.result.Lessons, nil
}

// byRules proposes without a model.
func byRules(ctx context.Context, s transcript.Session, turns []transcript.Turn) (out []lessons.Lesson, err error) {
	for _, p := range extractor.ByRules() {
		found, err := p.Propose(ctx, s, turns)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// Agents copy the records of a resumed or forked session into the new file. A record that was
// sent from one file is never sent again from another: its sum is kept in the state.

// sent holds the sums of records that were sent to a model.
type sent map[string]bool

// sumOf returns a sum that is the same for all copies of a record. It is "" for a
// record with neither id nor time, because another may just say the same.
func sumOf(t *transcript.Turn) string {
	id := t.UUID
	if id == "" {
		if t.At.IsZero() {
			return ""
		}
		id = t.At.UTC().Format(time.RFC3339Nano)
	}
	h := sha256.Sum256([]byte(id + "\x00" + string(t.Kind) + "\x00" + t.Text))
	return hex.EncodeToString(h[:8])
}

// sums returns the sums of the records that a question sends, except the person's last
// words: what came of them may not be in the file yet.
func (q *question) sums() (out []string) {
	last := -1
	for i, t := range q.digest.turns {
		if t.Speaker == transcript.Person && !t.Sidechain {
			last = i
		}
	}
	for _, l := range q.digest.lines {
		if sum := sumOf(&q.digest.turns[l.turn]); sum != "" && l.turn != last && l.label != labelAgent {
			out = append(out, sum)
		}
	}
	return out
}

// readSent adds the sums that earlier runs kept.
func (p *Proposer) readSent(to sent) error {
	err := state.At(p.c.State).Each(func(r *state.Rows) error {
		var sum string
		err := r.Scan(&sum)
		to[sum] = true
		return err
	}, "SELECT sum FROM sent")
	if err != nil {
		return fmt.Errorf("reading what was sent before: %w", err)
	}
	return nil
}

// keepSent keeps the sums of what was sent of the transcripts that are marked by now.
// The others are to be sent again.
func (p *Proposer) keepSent(r *round, marks *extractor.Ledger) error {
	err := state.At(p.c.State).Update(func(t state.Tx) error {
		for i, q := range r.questions {
			if !marks.Fresh(r.fileOf(i)) {
				continue
			}
			for _, sum := range q.sums() {
				if _, err := t.Exec("INSERT OR IGNORE INTO sent (sum) VALUES (?)", sum); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("remembering what was sent: %w", err)
	}
	return nil
}

// This file keeps the answers that a dry run has paid for.

// answersLive is how long the answers of a dry run are kept.
const answersLive = 30 * 24 * time.Hour

// keyOfRequest returns a key of a question to a model.
func (p *Proposer) keyOfRequest(r llm.Request) string {
	h := sha256.New()
	for _, s := range []string{p.c.LLM.Model.String(), p.c.LLM.BaseURL, r.System, r.User, string(r.Schema)} {
		fmt.Fprintf(h, "%d\x00%s", len(s), s)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// keptAnswer returns the answer that a dry run has kept; "" if there is none.
func (p *Proposer) keptAnswer(key string) (text string, err error) {
	err = state.At(p.c.State).Each(func(r *state.Rows) error { return r.Scan(&text) },
		"SELECT answer FROM answers WHERE question = ? AND at > ?", key, p.o.Now().Add(-answersLive).UnixMilli())
	if err != nil {
		return "", fmt.Errorf("reading what a dry run was answered: %w", err)
	}
	if text != "" {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.taken = append(p.taken, key)
	}
	return text, nil
}

func (p *Proposer) keepAnswer(key, text string) error {
	now := p.o.Now()
	err := state.At(p.c.State).Update(func(t state.Tx) error {
		_, err := t.Exec("INSERT OR REPLACE INTO answers (question, at, answer) VALUES (?, ?, ?)", key, now.UnixMilli(), text)
		if err == nil {
			_, err = t.Exec("DELETE FROM answers WHERE at <= ?", now.Add(-answersLive).UnixMilli())
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("keeping an answer for the run that stores it: %w", err)
	}
	return nil
}

// forgetAnswers forgets the answers that are stored as lessons by now: if a person has a
// session read anew, the model is asked anew.
func (p *Proposer) forgetAnswers() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.taken) == 0 {
		return nil
	}
	err := state.At(p.c.State).Update(func(t state.Tx) error {
		for _, key := range p.taken {
			if _, err := t.Exec("DELETE FROM answers WHERE question = ?", key); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("forgetting the answers of a dry run: %w", err)
	}
	p.taken = nil
	return nil
}

// This file chooses which known lessons a model is told: those that share rare words with
// what was said in its sessions.

// nearest returns lessons by their nearness to some sessions, each once: the nearest of
// each session, then the second ones, and so on. At the end are a few that share no word
// with any, in their own order, because a session may say one in other words.
func nearest(qs []*question, of func(*question) []lessons.Lesson) (out []lessons.Lesson) {
	lists, longest := make([][]lessons.Lesson, len(qs)), 0
	var far []lessons.Lesson
	for i, q := range qs {
		var rest []lessons.Lesson
		lists[i], rest = nearTo(q.digest.words(), of(q))
		longest, far = max(longest, len(lists[i])), append(far, rest...)
	}
	seen := make(map[lessons.ID]bool)
	add := func(l lessons.Lesson) bool {
		if seen[l.ID] {
			return false
		}
		seen[l.ID] = true
		out = append(out, l)
		return true
	}
	for rank := range longest {
		for _, list := range lists {
			if rank < len(list) {
				add(list[rank])
			}
		}
	}
	for n, i := 0, 0; i < len(far) && n < farMost; i++ {
		if add(far[i]) {
			n++
		}
	}
	return out
}

// nearTo separates the lessons that share words with what was said, the nearest first,
// from those that do not. A word counts the more the fewer lessons have it.
func nearTo(said map[string]bool, ls []lessons.Lesson) (near, far []lessons.Lesson) {
	words, have := make([][]string, len(ls)), make(map[string]int)
	for i, l := range ls {
		words[i] = pairs.Keywords(l.Content + " " + strings.Join(l.Triggers, " "))
		for _, w := range words[i] {
			have[w]++
		}
	}
	scores := make(map[lessons.ID]float64)
	for i, l := range ls {
		shared, all := 0.0, 0.0
		for _, w := range words[i] {
			weight := math.Log(1 + float64(len(ls))/float64(have[w]))
			if all += weight; said[w] {
				shared += weight
			}
		}
		if shared == 0 {
			far = append(far, l)
			continue
		}
		scores[l.ID] = shared / math.Sqrt(all)
		near = append(near, l)
	}
	slices.SortStableFunc(near, func(a, b lessons.Lesson) int { return cmp.Compare(scores[b.ID], scores[a.ID]) })
	return near, far
}

// words returns the keywords of all that a digest sends.
func (d *digest) words() map[string]bool {
	if d.keywords == nil {
		d.keywords = make(map[string]bool)
		for _, l := range d.lines {
			for _, w := range pairs.Keywords(l.text) {
				d.keywords[w] = true
			}
		}
	}
	return d.keywords
}

// unsure reports whether a known lesson waits as maybe because a model was not sure of it.
func unsure(l lessons.Lesson) bool {
	return l.Waits() == lessons.Maybe && l.Origin.ByModel() && l.Confidence < lessons.LikelyAt && len(l.Origin.Unsaid) == 0
}
