package llm

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func embedder(t *testing.T, url string, price *Price) *Embedder {
	t.Helper()
	e, err := NewEmbedder(Config{Model: Model{Name: "m"}, BaseURL: url, Key: "k-secret"}, price)
	if err != nil {
		t.Fatal(err)
	}
	e.sleep = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	return e
}

// TestEmbed: vectors come in the order of the texts, whatever the server's is.
func TestEmbed(t *testing.T) {
	s, url := serve(t, say(503, `{"error":"loading"}`), say(200, `{"object":"list","data":[{"index":1,"embedding":[0,2]},{"index":0,"embedding":[1,0.5]}],"usage":{"prompt_tokens":9,"total_tokens":9}}`))
	spend := &Spend{Path: filepath.Join(t.TempDir(), "spend.jsonl"), Run: "r", PerRun: 1, Now: time.Now}
	got, err := embedder(t, url+"/v1/", &Price{In: 2}).Embed(t.Context(), spend, []string{"a", "b"}, 10)
	if err != nil || len(got) != 2 || got[0][1] != 0.5 || got[1][1] != 2 {
		t.Errorf("got %v, %v", got, err)
	}
	if s.paths[1] != "/v1/embeddings" || s.bodies[1]["model"] != "m" || s.bodies[1]["encoding_format"] != "float" || s.headers[1].Get("authorization") != "Bearer k-secret" {
		t.Errorf("asked %s for %v", s.paths[1], s.bodies[1])
	}
	if run, _, err := spend.Totals(); err != nil || run.Calls != 1 || run.Usage.In != 9 || run.Cost.USD != 9*2/1e6 || !run.Cost.Known {
		t.Errorf("the ledger has %+v, %v", run, err)
	}
}

// TestEmbedBad: what is no answer to the question is an error, and names no key.
func TestEmbedBad(t *testing.T) {
	for name, test := range map[string]struct {
		answer http.HandlerFunc
		want   error
		says   string
	}{
		"too few":    {say(200, `{"data":[{"index":0,"embedding":[1]}]}`), ErrProtocol, "1 vectors for 2 texts"},
		"too many":   {say(200, `{"data":[{"embedding":[1]},{"embedding":[1]},{"embedding":[1]}]}`), ErrProtocol, "3 vectors for 2 texts"},
		"twice":      {say(200, `{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`), ErrProtocol, "it has two vectors"},
		"lengths":    {say(200, `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}`), ErrProtocol, "2 numbers beside one of 1"},
		"NaN":        {say(200, `{"data":[{"index":0,"embedding":[NaN]},{"index":1,"embedding":[1]}]}`), ErrProtocol, "invalid character"},
		"null":       {say(200, `{"data":[{"index":0,"embedding":[null]},{"index":1,"embedding":[1]}]}`), ErrProtocol, "is none"},
		"too large":  {say(200, `{"data":[{"index":0,"embedding":[1e39]},{"index":1,"embedding":[1]}]}`), ErrProtocol, "is none"},
		"zeros":      {say(200, `{"data":[{"index":0,"embedding":[0]},{"index":1,"embedding":[1]}]}`), ErrProtocol, "nothing but zeros"},
		"cut":        {say(200, `{"data":[{"index":0,"embedding":[1,`), ErrProtocol, "unexpected end"},
		"no model":   {say(404, `{"error":{"message":"model m not found, k-secret"}}`), nil, "404 Not Found: model m not found, ***"},
		"wrong key":  {say(401, `{}`), ErrAuth, "401"},
		"an error":   {say(200, `{"error":{"message":"no"}}`), ErrProtocol, "no"},
		"dies":       {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, nil, "EOF"},
		"dies later": {half, nil, "EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			_, url := serve(t, test.answer)
			_, err := embedder(t, url, nil).Embed(t.Context(), nil, []string{"a", "b"}, 2)
			if err == nil || test.want != nil && !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "k-secret") {
				t.Errorf("got %v", err)
			}
		})
	}
}

// half is a server that dies in the middle of an answer.
func half(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("content-length", "1000")
	_, _ = w.Write([]byte(`{"data":[`))
	panic(http.ErrAbortHandler)
}

// TestEmbedHangs: who has no time gets none.
func TestEmbedHangs(t *testing.T) {
	_, url := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	_, err := embedder(t, url, nil).In(20*time.Millisecond).Embed(t.Context(), nil, []string{"a"}, 1)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

// TestEmbedUnpriced: a server elsewhere of which nobody knows what it costs is held to a ceiling by not being asked.
func TestEmbedUnpriced(t *testing.T) {
	far, err := NewEmbedder(Config{Model: Model{Name: "m"}, BaseURL: "https://embeddings.example/v1"}, nil)
	if err != nil || far.Local() {
		t.Fatalf("local %v, %v", far.Local(), err)
	}
	spend := &Spend{Path: filepath.Join(t.TempDir(), "spend.jsonl"), PerRun: 1, Now: time.Now}
	if _, err := far.Embed(t.Context(), spend, []string{"a"}, 1); !errors.Is(err, ErrUnpriced) {
		t.Errorf("got %v", err)
	}
}

func TestNewEmbedder(t *testing.T) {
	for _, c := range []Config{
		{Model: Model{Name: "m"}, BaseURL: "localhost:11434"},
		{Model: Model{Name: "m"}, BaseURL: "http://u:p@localhost/v1"},
		{BaseURL: "http://localhost/v1"},
		{Model: Model{Name: "m"}, BaseURL: "http://embeddings.example/v1", Key: "k"},
	} {
		if _, err := NewEmbedder(c, nil); err == nil {
			t.Errorf("%+v is taken", c)
		}
	}
	for url, local := range map[string]bool{"http://localhost:11434/v1": true, "http://127.0.0.1:1/v1/embeddings": true, "http://[::1]/v1": true, "http://10.0.0.1/v1": false} {
		e, err := NewEmbedder(Config{Model: Model{Name: "m"}, BaseURL: url}, nil)
		if err != nil || e.Local() != local {
			t.Errorf("%s is local: %v, %v", url, e.Local(), err)
		}
	}
}

func FuzzReadVectors(f *testing.F) {
	f.Add(`{"data":[{"index":0,"embedding":[1,2]}],"usage":{"prompt_tokens":3}}`, 1)
	f.Add(`{"data":[{"index":-1,"embedding":[null]}]}`, 1)
	f.Add(`{"data":[{},{}],"error":null}`, 2)
	f.Fuzz(func(t *testing.T, body string, n int) {
		n &= 7
		got, _, err := readVectors([]byte(body), n)
		if err != nil {
			return
		}
		if len(got) != n {
			t.Fatalf("%d vectors for %d texts", len(got), n)
		}
		for _, v := range got {
			some := false
			for _, x := range v {
				some = some || x != 0
				if x != x {
					t.Fatal("no number")
				}
			}
			if !some || len(v) != len(got[0]) {
				t.Fatalf("%v beside %v", v, got[0])
			}
		}
	})
}
