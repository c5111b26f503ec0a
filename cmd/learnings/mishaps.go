package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"learnings/cmd/internal/term"
	"learnings/extractor"
	"learnings/extractor/redact"
	"learnings/extractor/rules"
	"learnings/extractor/transcript"
	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/match"
	"learnings/lessons/store"
)

// A mishap is one mistake, wherever it was made.
type mishap struct {
	print, doing, error string
	count               int
	sessions            map[string]bool
	projects            map[string]int
	first, last         time.Time
	seen                []lessons.Evidence // one for each session, at most maxPlaces
}

// Limits of what is kept of one transcript, and of all.
const (
	maxFailures = 20_000
	maxPrints   = 200_000
	maxPlaces   = 20 // where it was made, for one mistake: more tell a reviewer nothing new
	nearby      = 10 // lessons of the index that may speak of a mistake
)

// A failed call, as a worker found it.
type failed struct {
	rules.Mistake
	record   uint64 // hash of the record's id, 0 for none: agents copy records into new sessions
	project  string
	evidence lessons.Evidence
}

// mishaps reads the transcripts, several at once, and gathers their errors by
// fingerprint. What cannot be read is told and counted.
func (a *app) mishaps(ctx context.Context, from []string, project string) (map[string]*mishap, int, error) {
	marks, err := a.marks()
	if err != nil {
		return nil, 0, err
	}
	files, unread, err := chosenFiles(a, extractOptions{from: from}, marks)
	if err != nil {
		return nil, 0, err
	}
	a.project(a.cwd) // make the finder before several goroutines ask for it
	bar := a.NewBar(a.now)
	defer bar.Clear()
	p := extractor.Progress{Files: len(files)}
	for _, f := range files {
		p.Bytes += f.Size
	}
	found := gathering{all: map[string]*mishap{}, records: map[uint64]bool{}}
	for f, r := range a.readFailures(ctx, files) {
		if ctx.Err() != nil {
			return nil, unread, ctx.Err()
		}
		p.Path, p.Done, p.Read = f.Path, p.Done+1, p.Read+f.Size
		p.Lessons += len(r.failures)
		showProgress(bar, p, "error")
		if r.err != nil {
			a.Warn("%v", r.err)
			unread++
			continue
		}
		for _, x := range r.failures {
			if project == "" || x.project == project {
				found.add(x)
			}
		}
	}
	return found.all, unread, nil
}

// A gathering is what was gathered so far.
type gathering struct {
	all     map[string]*mishap
	records map[uint64]bool
}

func (g *gathering) add(x failed) {
	if x.record != 0 {
		if g.records[x.record] {
			return
		}
		g.records[x.record] = true
	}
	m := g.all[x.Print]
	if m == nil {
		if len(g.all) >= maxPrints {
			return
		}
		m = &mishap{print: x.Print, doing: x.Doing, error: x.Error, sessions: map[string]bool{}, projects: map[string]int{}}
		g.all[x.Print] = m
	}
	m.count++
	m.projects[x.project]++
	m.when(x.evidence.At)
	if !m.sessions[x.evidence.Session] && len(m.seen) < maxPlaces {
		m.seen = append(m.seen, x.evidence)
	}
	m.sessions[x.evidence.Session] = true
}

func (m *mishap) when(t time.Time) {
	if t.IsZero() {
		return
	}
	if m.first.IsZero() || t.Before(m.first) {
		m.first = t
	}
	if t.After(m.last) {
		m.last = t
	}
}

// unite takes another mishap into this one.
func (m *mishap) unite(o *mishap) {
	m.count += o.count
	for s := range o.sessions {
		m.sessions[s] = true
	}
	for p, n := range o.projects {
		m.projects[p] += n
	}
	m.when(o.first)
	m.when(o.last)
	for _, e := range o.seen {
		same := func(have lessons.Evidence) bool { return have.Session == e.Session }
		if len(m.seen) < maxPlaces && !slices.ContainsFunc(m.seen, same) {
			m.seen = append(m.seen, e)
		}
	}
}

// A reading is what one transcript held.
type reading struct {
	failures []failed
	err      error
}

// readFailures reads files with as many workers as there are processors, and
// yields in the order of the files.
func (a *app) readFailures(ctx context.Context, files []transcript.File) func(func(transcript.File, reading) bool) {
	return func(yield func(transcript.File, reading) bool) {
		ctx, stop := context.WithCancel(ctx)
		var wg sync.WaitGroup
		defer wg.Wait()
		defer stop()
		type job struct {
			f    transcript.File
			done chan reading
		}
		workers := runtime.GOMAXPROCS(0)
		waiting, ready := make(chan job, 4*workers), make(chan job)
		wg.Go(func() {
			defer close(ready)
			defer close(waiting)
			for _, f := range files {
				j := job{f, make(chan reading, 1)}
				select {
				case waiting <- j:
				case <-ctx.Done():
					return
				}
				ready <- j // a worker always comes: after a stop, jobs end at once
			}
		})
		for range workers {
			wg.Go(func() {
				for j := range ready {
					var r reading
					if ctx.Err() == nil {
						r.failures, r.err = a.failures(ctx, j.f)
					}
					j.done <- r
				}
			})
		}
		for j := range waiting {
			if !yield(j.f, <-j.done) {
				return
			}
		}
	}
}

// failures reads the errors of one transcript.
func (a *app) failures(ctx context.Context, f transcript.File) ([]failed, error) {
	file, found, err := transcript.Open(f.Path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	o := found.Options()
	o.Growing = true
	r := transcript.NewReader(file, found.Format, o)
	var out []failed
	for t, err := range r.Turns() {
		var bad *transcript.LineError
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.As(err, &bad):
			continue
		case err != nil:
			return nil, fmt.Errorf("reading %s: %w", f.Path, err)
		case !t.Failed || len(out) == maxFailures:
			continue
		}
		m, ok := rules.MistakeOf(&t)
		if !ok {
			continue
		}
		s := r.Session()
		x := failed{Mistake: m, evidence: lessons.Evidence{
			Agent: string(found.Format), Session: cmp.Or(t.Session, s.ID, f.Path), UUID: t.UUID, Path: f.Path, Line: t.Line,
			By: lessons.ByTool, From: "tool-error", At: t.At, Quote: m.Error,
		}}
		if t.Tool.Command != "" {
			x.evidence.Before = []string{"agent, " + t.Tool.Name + ": " + clipped(t.Tool.Command, 300)}
		}
		if t.UUID != "" {
			h := fnv.New64a()
			_, _ = h.Write([]byte(t.UUID + "\x00" + m.Print))
			x.record = h.Sum64()
		}
		out = append(out, x)
	}
	project := a.project(r.Session().Dir)
	for i := range out {
		out[i].project = project
	}
	return out, nil
}

// clustered joins the mistakes that read alike and gives those that were made
// in so many sessions, the most widespread first. Their names hold no word that
// redact takes out.
func clustered(found map[string]*mishap, least int, redact func(string) string) []habit {
	all := make([]*mishap, 0, len(found))
	for _, m := range found {
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b *mishap) int { return byReach(*a, *b) })
	texts := make([][]string, len(all))
	for i, m := range all {
		texts[i] = slices.DeleteFunc(index.Words(rules.Stable(m.error)), func(w string) bool { return replaced[w] })
	}
	rarity := match.NewRarity(texts)
	members := map[int][][]string{}
	leaders := rarity.Leaders(texts, match.AlikeErrors)
	for i, k := range leaders {
		members[k] = append(members[k], texts[i])
		if k != i {
			all[k].unite(all[i])
		}
	}
	var out []habit
	for i, m := range all {
		if leaders[i] == i && len(m.sessions) >= least {
			h := habit{mishap: *m, id: lessons.IDFrom("recurring", m.print), shown: redact(m.error), ways: len(members[i])}
			safe := index.Words(rules.Stable(h.shown))
			names := slices.DeleteFunc(rarity.Name(members[i], len(texts[i])), func(w string) bool { return !slices.Contains(safe, w) })
			h.name = spelled(names[:min(3, len(names))], h.shown)
			out = append(out, h)
		}
	}
	slices.SortStableFunc(out, func(a, b habit) int { return byReach(a.mishap, b.mishap) })
	return out
}

// replaced are the words that [rules.Stable] puts in the place of others.
var replaced = map[string]bool{"0": true, "url": true, "time": true, "id": true, "tmp": true}

// spelled gives stems as the words that they are in a text.
func spelled(stems []string, text string) string {
	out := slices.Clone(stems)
	for _, w := range match.Words(rules.Stable(text)) {
		for i, stem := range stems {
			if out[i] == stem && slices.Equal(index.Words(w), []string{stem}) {
				out[i] = w
			}
		}
	}
	return strings.Join(out, " ")
}

// taught finds the lessons that there are for mistakes.
func (a *app) taught(ctx context.Context, hs []habit) error {
	s, x, err := a.both()
	if err != nil {
		return err
	}
	if _, err := a.curation.Sync(ctx); err != nil && ctx.Err() == nil {
		a.Warn("lessons of the last minutes may be missing: %v", err)
	}
	for i := range hs {
		h := &hs[i]
		if l, err := s.Get(h.id); err == nil {
			h.lesson = &l
			continue
		}
		like := lessons.Lesson{Status: lessons.Pending, Wording: lessons.Wording{Content: h.doing + " " + h.error}, Scope: lessons.Scope{Global: true}}
		hits, err := x.Similar(ctx, like, nearby)
		if ctx.Err() != nil {
			return ctx.Err()
		} else if err != nil {
			continue // no index yet: then there are no lessons, or the next call finds them
		}
		for _, hit := range hits {
			if l := hit.Lesson; l.Status != lessons.Merged && speaksOf(l, h.error) {
				h.lesson = &l
				break
			}
		}
	}
	return nil
}

// speaksOf reports that a lesson is about an error: its sentence or what it was
// learned from.
func speaksOf(l lessons.Lesson, wrong string) bool {
	if match.OnSubject(l.Content, wrong) {
		return true
	}
	return slices.ContainsFunc(l.Evidence, func(e lessons.Evidence) bool {
		return e.By == lessons.ByTool && rules.Stable(e.Quote) == rules.Stable(wrong)
	})
}

// proposeHabit makes one proposal of a mistake.
func (a *app) proposeHabit(ctx context.Context, h habit, redactor *redact.Redactor, asJSON bool) error {
	who := curate.Agent(a.getenv)
	if who == "" {
		var err error
		if who, err = a.me(); err != nil {
			return err
		}
	}
	s, err := a.corpus()
	if err != nil {
		return err
	}
	if old, err := s.Get(h.id); err == nil {
		return term.Hint(fmt.Errorf("%w: it is a lesson already: %s is %s", lessons.ErrConflict, old.ID, old.Status), "`learnings show %s` shows it", old.ID)
	}
	c, err := a.configuration()
	if err != nil {
		return err
	}
	l := redactor.Lesson(h.proposal(c.Role.Value, a.now()))
	ls, err := s.Put(store.Write{Op: "propose", By: who, Undoable: true, Why: "of a recurring mistake"}, l)
	if err != nil {
		return err
	}
	a.follow(ctx)
	return a.tell("proposed", ls, asJSON)
}

// proposal is the lesson that a person is asked to finish: what went wrong is
// known, what avoids it is not.
func (h habit) proposal(role string, now time.Time) lessons.Lesson {
	projects := h.projectNames()
	l := lessons.Lesson{
		ID: h.id, Status: lessons.Pending, Category: "error", Created: now, Confidence: sureOf(len(h.sessions)),
		Wording: lessons.Wording{
			Content: fmt.Sprintf("`%s` fails again and again: %s", h.doing, clipped(h.shown, maxError)),
			Insight: fmt.Sprintf("It failed so %s in %s of %s, %s.\n\nWhat avoids it? Say that in place of this before you approve.",
				term.Plural(h.count, "time"), term.Plural(len(h.sessions), "session"), strings.Join(projects, ", "), h.span()),
		},
		Tags: strings.Fields(h.name), Triggers: []string{h.doing},
		Scope:    lessons.Scope{Role: role, Global: len(projects) > 1},
		Evidence: h.seen,
		Origin:   lessons.Origin{Extractor: "recurring", Rule: fmt.Sprintf("the same error in %s", term.Plural(len(h.sessions), "session"))},
	}
	if len(projects) > 0 {
		l.Scope.Project = projects[0]
	}
	if len(h.seen) > 0 {
		l.Origin.Source = h.seen[0].Session
	}
	if l.Quarantined() {
		l.Confidence = min(l.Confidence, lessons.MaxHearsay)
	}
	return l
}

const maxError = 300

// sureOf is claude-reflect's confidence of a pattern that was seen so often.
func sureOf(times int) lessons.Confidence {
	switch {
	case times >= 5:
		return 0.90
	case times >= 3:
		return 0.85
	case times >= 2:
		return 0.70
	}
	return 0.5
}
