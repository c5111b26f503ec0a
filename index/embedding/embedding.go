// Package embedding says how near lessons are in what they mean by vectors that a server
// of the person's own choice has made, kept on this machine.
//
// It never makes an order worse than the built-in vectors would: where the server does not
// answer in time, answers what is none, or has become another model under the same name,
// those decide, and the person is told why. What is sent is redacted, and nothing of what
// the person excludes is sent.
package embedding

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"learnings/extractor/model/llm"
	"learnings/extractor/redact"
	"learnings/index/meaning"
)

// A Server is a model at a server, and the vectors that it has made. Any number of
// goroutines may use it. The fields must not change once it is in use.
type Server struct {
	Model  *llm.Embedder
	Folder string // where vectors are kept; it may be missing
	Redact func(string) string
	Wait   time.Duration // for the vector of a question; then the built-in vectors decide
	Total  time.Duration // for those of all questions; 0 for any time
	Spend  *llm.Spend    // nil keeps no ledger
	Warn   func(error)   // is told, once, why the server's vectors are not used; nil tells nobody
	Keep   bool          // remember the vectors of questions too
	Now    func() time.Time

	once sync.Once
	mu   sync.Mutex
	last kept // what was opened last
	took time.Duration
}

// A kept file as it was at some time.
type kept struct {
	file *os.File
	vectors
	size     int64
	modified time.Time
	scale    scale
}

// Waits for the vector of a question: of a person, and of all questions of a hook.
const (
	patient = 3 * time.Second
	quick   = 250 * time.Millisecond
)

// New gives the vectors in a folder that a model has made, for somebody who waits. What
// it costs is held to the ceilings of a ledger; nil keeps none.
func New(model *llm.Embedder, folder string, spend *llm.Spend, warn func(error)) *Server {
	return &Server{Model: model, Folder: folder, Redact: redact.New().Redact, Wait: patient, Spend: spend, Warn: warn, Keep: true, Now: time.Now}
}

// Quick gives the same for a hook, which waits but a moment.
func Quick(model *llm.Embedder, folder string) meaning.Source {
	return &Server{Model: model, Folder: folder, Redact: redact.New().Redact, Wait: quick, Total: quick, Now: time.Now}
}

// Errors that a person can do something about.
var (
	ErrNone    = errors.New("it has made no vectors of lessons yet")
	ErrChanged = errors.New("another model answers under its name")
	ErrUseless = errors.New("its vectors do not tell what means the same from what does not")
)

// pause is how long a server that has failed is left alone by those that have no time.
const pause = time.Minute

// path is the file of the vectors of lessons, and asked that of questions.
func (s *Server) path() string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s.Model.Name()))
	return filepath.Join(s.Folder, strconv.FormatUint(h.Sum64(), 16)+".vec")
}

func (s *Server) asked() string { return s.path() + "-asked" }

// failure is where it is noted that the server has failed, and when.
func (s *Server) failure() string { return s.path() + "-failed" }

// open gives the vectors of lessons, opened anew when the file has changed. They must not
// be closed.
func (s *Server) open() (kept, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	info, err := os.Stat(s.path())
	if errors.Is(err, fs.ErrNotExist) {
		return kept{}, ErrNone
	} else if err != nil {
		return kept{}, err
	}
	if s.last.file != nil && info.Size() == s.last.size && info.ModTime().Equal(s.last.modified) {
		return s.last, nil
	}
	f, v, err := open(s.path())
	if errors.Is(err, errNoVectors) {
		return kept{}, ErrNone // it is written anew
	} else if err != nil {
		return kept{}, err
	}
	k := kept{file: f, vectors: v, size: info.Size(), modified: info.ModTime()}
	if k.scale, err = scaleOf(v.vector); err != nil {
		f.Close()
		return kept{}, err
	}
	if s.last.file != nil {
		s.last.file.Close()
	}
	s.last = k
	return k, nil
}

// Asked measures how near lessons are to a text. The server is asked once for each text.
func (s *Server) Asked(ctx context.Context, text string) meaning.Measure {
	m, err := s.measure(ctx, text)
	if err != nil && ctx.Err() == nil {
		s.tell(err)
	}
	return m
}

func (s *Server) tell(err error) {
	if s.Warn != nil {
		s.once.Do(func() { s.Warn(fmt.Errorf("%s: %w; the built-in vectors are used", s.Model.Name(), err)) })
	}
}

func (s *Server) measure(ctx context.Context, text string) (meaning.Measure, error) {
	have, err := s.open()
	if err != nil {
		return nil, err
	}
	text = s.fit(text)
	key := meaning.KeyOf(text)
	if v := s.remembered(key, have.dim); v != nil {
		return have.measure(v), nil
	}
	if info, err := os.Stat(s.failure()); err == nil && !s.Keep && s.Now().Sub(info.ModTime()).Abs() < pause {
		return nil, fmt.Errorf("it failed less than %s ago", pause)
	}
	wait, begun := s.left(0), time.Now()
	if wait <= 0 {
		return nil, context.DeadlineExceeded
	}
	made, err := s.make(ctx, s.Model.In(wait), have, []string{text})
	s.left(time.Since(begun))
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	} else if err != nil {
		_ = os.WriteFile(s.failure(), []byte(err.Error()+"\n"), 0o600) // the next one asks again
		return nil, err
	}
	_ = os.Remove(s.failure())
	if s.Keep {
		s.remember(entry{key, made[0]})
	}
	return have.measure(made[0]), nil
}

// left notes for how long a question was waited, and says for how long the next may be.
func (s *Server) left(took time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.took += took; s.Total > 0 {
		return min(s.Wait, s.Total-s.took)
	}
	return s.Wait
}

// Failed is what the server last failed with, and when; "" when it has answered since.
func (s *Server) Failed() (why string, at time.Time) {
	b, err := os.ReadFile(s.failure())
	if err != nil {
		return "", at
	}
	if info, err := os.Stat(s.failure()); err == nil {
		at = info.ModTime()
	}
	return strings.TrimSpace(string(b)), at
}

// Reach asks the server for one vector, and says what is wrong with it. It is not
// remembered.
func (s *Server) Reach(ctx context.Context) error {
	have, err := s.open()
	if err == nil {
		_, err = s.make(ctx, s.Model.In(s.Wait), have, probes[1:2])
	}
	return err
}

// make has texts turned into vectors, which fit those that are kept. With them it sends a
// sentence of which the vector is known: a server may have got another model under the
// same name, and its vectors mean nothing beside the others.
func (s *Server) make(ctx context.Context, by *llm.Embedder, have kept, texts []string) ([]meaning.Vector, error) {
	all := append(texts[:len(texts):len(texts)], probes[0])
	tokens := 0
	for _, t := range all {
		tokens += len(t)/charsPerToken + 1
	}
	wide, err := by.Embed(ctx, s.Spend, all, tokens)
	if err != nil {
		return nil, err
	}
	out := make([]meaning.Vector, len(wide))
	for i, v := range wide {
		if out[i] = meaning.Shrunk(v); out[i] == nil {
			return nil, fmt.Errorf("%w: a vector without a direction", llm.ErrProtocol)
		}
	}
	if have.file != nil && len(out[0]) != have.dim {
		return nil, fmt.Errorf("%w: its vectors have %d numbers in place of %d", ErrChanged, len(out[0]), have.dim)
	}
	if have.file != nil && out[len(texts)].Cosine(have.vector(meaning.KeyOf(probes[0]))) < sameVector {
		return nil, fmt.Errorf("%w: it has other vectors for the same words", ErrChanged)
	}
	return out[:len(texts)], nil
}

// sameVector is how near two vectors of one text by one model are at least: servers
// compute with few digits.
const sameVector = 0.97

// charsPerToken is about how many characters a token of English has.
const charsPerToken = 4

// mostChars is how much of a text is sent: most models read no more.
const mostChars = 2000

// fit is what is sent of a text.
func (s *Server) fit(text string) string {
	if s.Redact != nil {
		text = s.Redact(text)
	}
	if len(text) > mostChars {
		text = string([]rune(text)[:min(mostChars, len([]rune(text)))])
	}
	return text
}

// Like measures how near lessons are to one of which there is a vector.
func (s *Server) Like(k meaning.Key) meaning.Measure {
	have, err := s.open()
	if err != nil {
		return nil
	}
	v := have.vector(k)
	if v == nil {
		return nil
	}
	return have.measure(v)
}

func (have kept) measure(asked meaning.Vector) meaning.Measure {
	return func(lessons []meaning.Key, near []float64) {
		buffer := make([]byte, have.dim)
		for i, k := range lessons {
			if row := have.of(k, buffer); row != nil {
				near[i] = have.scale.on(asked.Near(row))
			}
		}
	}
}

// mostAsked is how many questions are remembered.
const mostAsked = 512

// remembered is the vector of a question that was asked before.
func (s *Server) remembered(k meaning.Key, dim int) meaning.Vector {
	f, v, err := open(s.asked())
	if err != nil {
		return nil
	}
	defer f.Close()
	if v.dim != dim {
		return nil
	}
	return v.vector(k)
}

// remember keeps the vector of a question, and forgets all others when they are many. It
// is a help: where it fails, the server is asked again.
func (s *Server) remember(e entry) {
	unlock, err := s.lock()
	if err != nil {
		return
	}
	defer unlock()
	if f, v, err := open(s.asked()); err == nil {
		f.Close()
		if len(v.at) >= mostAsked || v.dim != len(e.vector) {
			_ = os.Remove(s.asked())
		}
	}
	_ = add(s.asked(), []entry{e})
}
