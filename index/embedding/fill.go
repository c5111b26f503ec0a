package embedding

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"learnings/extractor/model/llm"
	"learnings/index"
	"learnings/index/meaning"
	"learnings/lessons"
)

// Of one request. Servers on small machines take seconds for as many.
const (
	perRequest      = 64
	charsPerRequest = 64 << 10
)

// A Plan is of which lessons a server is to make vectors. Any number of goroutines may add
// to it.
type Plan struct {
	Missing  int // have no vector
	Known    int
	Excluded int // are never sent
	Tokens   int // of what is missing, about

	mu    sync.Mutex
	s     *Server
	have  kept
	texts []string
	keys  []meaning.Key
	live  map[meaning.Key]bool
}

// ErrLocked says that another run makes vectors.
var ErrLocked = errors.New("another run makes vectors just now")

// Plan begins a plan without lessons. It asks nobody.
func (s *Server) Plan() (*Plan, error) {
	have, err := s.open()
	if err != nil && !errors.Is(err, ErrNone) && !errors.Is(err, ErrUseless) {
		return nil, fmt.Errorf("reading vectors: %w", err)
	}
	return &Plan{s: s, have: have, live: map[meaning.Key]bool{}}, nil
}

// Add adds a lesson. One that is excluded is not sent.
func (p *Plan) Add(l lessons.Lesson, excluded bool) {
	said := meaning.Said(l.Content, l.Triggers, l.Insight)
	k := meaning.KeyOf(said)
	p.mu.Lock()
	defer p.mu.Unlock()
	_, known := p.have.at[k]
	switch {
	case excluded:
		p.Excluded++
	case p.live[k]:
	case known:
		p.live[k] = true
		p.Known++
	default:
		p.live[k] = true
		text := p.s.fit(said)
		p.texts, p.keys = append(p.texts, text), append(p.keys, k)
		p.Tokens += len(text)/charsPerToken + 1
		p.Missing++
	}
}

// Cover plans vectors of all lessons of an index that count: the active ones and proposals.
func (s *Server) Cover(ctx context.Context, x *index.Index, excluded func(lessons.Lesson) bool) (*Plan, error) {
	p, err := s.Plan()
	if err != nil {
		return nil, err
	}
	q := index.Query{Now: s.Now()}.Where(index.Status, string(lessons.Approved)).Where(index.Status, string(lessons.Pending))
	if err := x.Each(ctx, q, func(l lessons.Lesson) { p.Add(l, excluded(l)) }); err != nil {
		return nil, fmt.Errorf("reading the lessons to make vectors of: %w", err)
	}
	return p, nil
}

// Cost is what the plan may cost.
func (p *Plan) Cost() llm.Cost { return p.s.Model.Estimate(p.Tokens) }

// String says how many lessons there are of each kind.
func (p *Plan) String() string {
	s := fmt.Sprintf("%d without a vector, %d with one", p.Missing, p.Known)
	if p.Excluded > 0 {
		s += fmt.Sprintf(", %d excluded", p.Excluded)
	}
	return s
}

// Fill makes the vectors of a plan, and calls progress after each request with how many
// there are. What was made before an error, or before ctx ended, is kept.
func (s *Server) Fill(ctx context.Context, p *Plan, progress func(made int)) (made int, err error) {
	if err := os.MkdirAll(s.Folder, 0o700); err != nil {
		return 0, fmt.Errorf("making the folder of vectors: %w", err)
	}
	unlock, err := s.lock()
	if err != nil {
		return 0, err
	}
	defer unlock()
	have, err := s.open()
	if errors.Is(err, ErrNone) || errors.Is(err, ErrUseless) {
		have, err = s.begin(ctx)
	}
	if err != nil {
		return 0, err
	}
	for texts, keys, n := p.texts, p.keys, 0; len(texts) > 0; texts, keys = texts[n:], keys[n:] {
		n = request(texts)
		vectors, err := s.make(ctx, s.Model, have, texts[:n])
		if err != nil {
			return made, err
		}
		entries := make([]entry, n)
		for i, v := range vectors {
			entries[i] = entry{keys[i], v}
		}
		if err := add(s.path(), entries); err != nil {
			return made, fmt.Errorf("keeping vectors: %w", err)
		}
		made += n
		if progress != nil {
			progress(made)
		}
	}
	return made, s.tidy(p.live)
}

// request is how many of some texts are sent at once.
func request(texts []string) (n int) {
	chars := 0
	for n < min(len(texts), perRequest) && (n == 0 || chars+len(texts[n]) <= charsPerRequest) {
		chars += len(texts[n])
		n++
	}
	return n
}

// begin makes the vectors of the probes, with which a file begins.
func (s *Server) begin(ctx context.Context) (kept, error) {
	vectors, err := s.make(ctx, s.Model, kept{}, probes)
	if err != nil {
		return kept{}, err
	}
	entries := make([]entry, len(probes))
	made := map[meaning.Key]meaning.Vector{}
	for i, v := range vectors {
		entries[i] = entry{meaning.KeyOf(probes[i]), v}
		made[entries[i].key] = v
	}
	if _, err := scaleOf(func(k meaning.Key) meaning.Vector { return made[k] }); err != nil {
		return kept{}, err
	}
	if err := s.forget(); err != nil {
		return kept{}, err
	}
	if err := add(s.path(), entries); err != nil {
		return kept{}, fmt.Errorf("keeping vectors: %w", err)
	}
	return s.open()
}

// Forget removes the vectors of this model, for a person who wants them made anew.
func (s *Server) Forget() error {
	unlock, err := s.lock()
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer unlock()
	return s.forget()
}

func (s *Server) forget() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last.file != nil {
		s.last.file.Close()
		s.last = kept{}
	}
	for _, path := range []string{s.path(), s.asked(), s.failure()} {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("removing vectors: %w", err)
		}
	}
	return nil
}

const (
	sparePast  = 1000 // vectors of earlier texts that are kept in any case
	mostModels = 3    // of which vectors are kept
)

// tidy writes the file anew where most of it is of texts that no lesson has any more, or
// where it is of many pieces, and removes the vectors of models that were asked long ago.
func (s *Server) tidy(live map[meaning.Key]bool) error {
	_ = os.Remove(s.failure())
	have, err := s.open()
	if err != nil {
		return err
	}
	past := 0
	for k := range have.at {
		if !live[k] {
			past++
		}
	}
	small := have.chunks > 64 && len(have.at) < have.chunks*perRequest*2
	if past > len(live)+sparePast || small {
		if err := keep(s.path(), func(k meaning.Key) bool { return live[k] || isProbe(k) || past <= len(live)+sparePast }); err != nil {
			return fmt.Errorf("tidying vectors: %w", err)
		}
	}
	s.oldModels()
	return nil
}

// oldModels removes the vectors of all models but the last few.
func (s *Server) oldModels() {
	files, err := filepath.Glob(filepath.Join(s.Folder, "*.vec"))
	if err != nil || len(files) <= mostModels {
		return
	}
	age := func(path string) time.Time {
		info, err := os.Stat(path)
		if err != nil {
			return time.Time{}
		}
		return info.ModTime()
	}
	slices.SortFunc(files, func(a, b string) int { return age(b).Compare(age(a)) })
	for _, path := range files[mostModels:] {
		for _, end := range []string{"", "-asked", "-failed"} {
			_ = os.Remove(path + end)
		}
	}
}

// lock keeps others from writing. It does not wait.
func (s *Server) lock() (unlock func(), err error) {
	l := flock.New(filepath.Join(s.Folder, "lock"))
	ok, err := l.TryLock()
	switch {
	case err != nil:
		return nil, fmt.Errorf("locking the vectors: %w", err)
	case !ok:
		return nil, ErrLocked
	}
	return func() { _ = l.Close() }, nil
}

// State is how many lessons of a model have vectors, and what they take on disk.
func (s *Server) State() (kept int, bytes int64, err error) {
	have, err := s.open()
	if err != nil {
		return 0, 0, err
	}
	return max(len(have.at)-len(probes), 0), have.size, nil
}
