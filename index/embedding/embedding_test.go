package embedding

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"learnings/extractor/model/llm"
	"learnings/index/meaning"
	"learnings/lessons"
)

// A fake is a server that speaks the protocol. Its vectors are those of the built-in table,
// on another scale, and of other lengths.
type fake struct {
	extra int           // numbers more
	hang  bool          // it does not answer
	other bool          // it has become another model
	alike bool          // all its vectors are the same
	few   bool          // it leaves out the last vector
	dieAt int32         // it breaks off the answer to this request
	asked atomic.Int32  // requests
	texts chan []string // what it was asked
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in struct{ Input []string }
	_ = json.NewDecoder(r.Body).Decode(&in)
	n := f.asked.Add(1)
	select {
	case f.texts <- in.Input:
	default:
	}
	if f.hang {
		<-r.Context().Done()
		return
	}
	type one struct {
		Object    string    `json:"object"`
		Index     int       `json:"index"`
		Embedding []float64 `json:"embedding"`
	}
	var data []one
	for i, text := range in.Input {
		v := make([]float64, 64+f.extra)
		for k, x := range meaning.Words().Of(text) {
			if v[k] = float64(x) / 64; f.other {
				v[k] = float64(x) * float64(k%7-3)
			}
			if f.alike {
				v[k] = 1
			}
		}
		v[0] += 2 // all are near to one another
		data = append(data, one{"embedding", i, v})
	}
	if f.few {
		data = data[1:]
	}
	b, _ := json.Marshal(map[string]any{"object": "list", "data": data, "usage": map[string]int{"prompt_tokens": 7, "total_tokens": 7}})
	if n == f.dieAt {
		w.Header().Set("content-length", fmt.Sprint(len(b)))
		_, _ = w.Write(b[:len(b)/2])
		panic(http.ErrAbortHandler)
	}
	_, _ = w.Write(b)
}

// serve gives a Server of a fake in a folder.
func serve(t *testing.T, f *fake, folder string) (*Server, *[]error) {
	t.Helper()
	f.texts = make(chan []string, 100)
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	return at(t, server.URL, folder)
}

func at(t *testing.T, url, folder string) (*Server, *[]error) {
	t.Helper()
	e, err := llm.NewEmbedder(llm.Config{Model: llm.Model{Name: "m"}, BaseURL: url + "/v1", Retries: -1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var warned []error
	return &Server{
		Model: e, Folder: folder, Wait: 5 * time.Second, Now: time.Now, Keep: true, Warn: func(err error) { warned = append(warned, err) },
		Redact: func(s string) string { return strings.ReplaceAll(s, "hunter2", "[secret]") },
	}, &warned
}

func plan(t *testing.T, s *Server, contents ...string) *Plan {
	t.Helper()
	p, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range contents {
		p.Add(lessons.Lesson{Wording: lessons.Wording{Content: c}}, strings.Contains(c, "diary"))
	}
	return p
}

func key(content string) meaning.Key { return meaning.KeyOf(meaning.Said(content, nil, "")) }

var contents = []string{"Never allow concurrent access without a mutex", "Deploy with the blue script", "The password is hunter2", "Write the diary"}

// TestFill: vectors are made once, of what is not excluded, and without secrets.
func TestFill(t *testing.T) {
	f := &fake{}
	s, warned := serve(t, f, t.TempDir())
	if m := s.Asked(t.Context(), "race condition"); m != nil || len(*warned) != 1 || !errors.Is((*warned)[0], ErrNone) {
		t.Errorf("without vectors it measures; told %v", *warned)
	}
	p := plan(t, s, contents...)
	if p.Missing != 3 || p.Excluded != 1 || p.Tokens == 0 || p.Cost().USD != 0 || !p.Cost().Known {
		t.Errorf("planned %+v", p)
	}
	if n, err := s.Fill(t.Context(), p, nil); n != 3 || err != nil {
		t.Fatalf("made %d, %v", n, err)
	}
	for len(f.texts) > 0 {
		if all := strings.Join(<-f.texts, "\n"); strings.Contains(all, "hunter2") || strings.Contains(all, "diary") {
			t.Errorf("sent %q", all)
		}
	}
	if p := plan(t, s, contents...); p.Missing != 0 || p.Known != 3 {
		t.Errorf("then planned %+v", p)
	}
	if n, size, err := s.State(); n != 3 || size == 0 || err != nil {
		t.Errorf("it has %d, %v", n, err)
	}
	near := []float64{0.11, 0.22, 0.33}
	m := s.Asked(t.Context(), "race condition")
	if m == nil {
		t.Fatal("it does not measure")
	}
	m([]meaning.Key{key(contents[0]), key(contents[1]), key(contents[3])}, near)
	if near[0] < near[1]+0.1 || near[2] != 0.33 {
		t.Errorf("near are %v", near)
	}
	asked := f.asked.Load()
	if s.Asked(t.Context(), "race condition") == nil || f.asked.Load() != asked {
		t.Error("a question is asked twice")
	}
	if m := s.Like(key(contents[0])); m == nil || s.Like(12345) != nil || f.asked.Load() != asked {
		t.Error("it is not measured by the vector of a lesson")
	}
}

// TestScale: what one model finds near, another finds near too, whatever its cosines are.
func TestScale(t *testing.T) {
	s, _ := serve(t, &fake{}, t.TempDir())
	if _, err := s.Fill(t.Context(), plan(t, s, contents...), nil); err != nil {
		t.Fatal(err)
	}
	m := s.Asked(t.Context(), "which script deploys")
	near := make([]float64, 2)
	m([]meaning.Key{key(contents[0]), key(contents[1])}, near)
	for i, c := range contents[:2] {
		own := meaning.Words().Of("which script deploys").Near(meaning.Words().Lesson(c, nil, ""))
		if d := near[i] - own; d > 0.25 || d < -0.25 {
			t.Errorf("%q is %.2f near, and by the built-in vectors %.2f", c, near[i], own)
		}
	}
}

// TestBad: a server with which something is wrong is told about and not used, and what is
// kept stays.
func TestBad(t *testing.T) {
	for name, test := range map[string]struct {
		now  *fake
		says string
	}{
		"hangs":         {&fake{hang: true}, "no answer within"},
		"dies":          {&fake{dieAt: 1}, "EOF"},
		"too few":       {&fake{few: true}, "1 vectors for 2 texts"},
		"dimension":     {&fake{extra: 3}, "its vectors have 67 numbers in place of 64"},
		"another model": {&fake{other: true}, "it has other vectors for the same words"},
		"all the same":  {&fake{alike: true}, "other vectors for the same words"},
	} {
		t.Run(name, func(t *testing.T) {
			var now atomic.Pointer[fake]
			now.Store(&fake{})
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { now.Load().ServeHTTP(w, r) }))
			t.Cleanup(server.Close)
			s, warned := at(t, server.URL, t.TempDir())
			if _, err := s.Fill(t.Context(), plan(t, s, contents...), nil); err != nil {
				t.Fatal(err)
			}
			before, err := os.ReadFile(s.path())
			if err != nil {
				t.Fatal(err)
			}
			now.Store(test.now)
			if test.now.hang {
				s.Wait = 20 * time.Millisecond
			}
			if s.Asked(t.Context(), "race condition") != nil {
				t.Error("its vectors are used")
			}
			if len(*warned) != 1 || !strings.Contains((*warned)[0].Error(), test.says) {
				t.Errorf("told %v", *warned)
			}
			if why, _ := s.Failed(); why == "" {
				t.Error("it is not noted")
			}
			if !test.now.hang { // it would be waited for
				if n, err := s.Fill(t.Context(), plan(t, s, "Something new about tests"), nil); n != 0 && test.now.dieAt == 0 || err == nil && test.now.dieAt == 0 {
					t.Errorf("it makes %d more, %v", n, err)
				}
			}
			after, err := os.ReadFile(s.path())
			if err != nil || test.now.dieAt == 0 && string(after) != string(before) {
				t.Errorf("what was kept has changed, %v", err)
			}
			now.Store(&fake{})
			if s.Asked(t.Context(), "race condition") == nil {
				t.Error("once it is well again, it is not used")
			}
		})
	}
}

// TestHasty: who has no time does not ask a server that has just failed.
func TestHasty(t *testing.T) {
	f := &fake{}
	s, _ := serve(t, f, t.TempDir())
	if _, err := s.Fill(t.Context(), plan(t, s, contents...), nil); err != nil {
		t.Fatal(err)
	}
	f.few, s.Keep = true, false
	if s.Asked(t.Context(), "a") != nil {
		t.Error("it measures")
	}
	asked := f.asked.Load()
	if f.few = false; s.Asked(t.Context(), "b") != nil || f.asked.Load() != asked {
		t.Error("it is asked again at once")
	}
	s.Now = func() time.Time { return time.Now().Add(2 * pause) }
	if s.Asked(t.Context(), "c") == nil {
		t.Error("it is not asked again later")
	}
}

// TestUseless: a model whose vectors tell nothing is not taken, at whatever place it begins.
func TestUseless(t *testing.T) {
	s, _ := serve(t, &fake{alike: true}, t.TempDir())
	if n, err := s.Fill(t.Context(), plan(t, s, contents...), nil); n != 0 || !errors.Is(err, ErrUseless) {
		t.Errorf("made %d, %v", n, err)
	}
}

// TestInterrupted: what was made before a server died is not made again.
func TestInterrupted(t *testing.T) {
	f := &fake{dieAt: 3}
	s, _ := serve(t, f, t.TempDir())
	var many []string
	for i := range 100 {
		many = append(many, fmt.Sprintf("Lesson %d about tests", i))
	}
	if n, err := s.Fill(t.Context(), plan(t, s, many...), nil); n != perRequest || err == nil {
		t.Fatalf("made %d, %v", n, err)
	}
	if n, err := s.Fill(t.Context(), plan(t, s, many...), nil); n != 100-perRequest || err != nil {
		t.Errorf("then made %d, %v", n, err)
	}
}

// TestForget: a person may begin anew with what another model has made.
func TestForget(t *testing.T) {
	f := &fake{}
	s, _ := serve(t, f, t.TempDir())
	if _, err := s.Fill(t.Context(), plan(t, s, contents...), nil); err != nil {
		t.Fatal(err)
	}
	f.extra = 5
	if err := s.Forget(); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Fill(t.Context(), plan(t, s, contents...), nil); n != 3 || err != nil {
		t.Errorf("made %d, %v", n, err)
	}
	if s.Asked(t.Context(), "race condition") == nil {
		t.Error("it does not measure")
	}
}

// TestTidy: vectors of what no lesson says any more do not pile up.
func TestTidy(t *testing.T) {
	s, _ := serve(t, &fake{}, t.TempDir())
	var many []string
	for i := range sparePast + 200 {
		many = append(many, fmt.Sprintf("Lesson %d about tests", i))
	}
	if _, err := s.Fill(t.Context(), plan(t, s, many...), nil); err != nil {
		t.Fatal(err)
	}
	if n, _, err := s.State(); n != len(many) || err != nil {
		t.Fatalf("%d are kept, %v", n, err)
	}
	if _, err := s.Fill(t.Context(), plan(t, s, many[:10]...), nil); err != nil {
		t.Fatal(err)
	}
	if n, _, err := s.State(); n != 10 || err != nil {
		t.Errorf("%d are kept, %v", n, err)
	}
}
