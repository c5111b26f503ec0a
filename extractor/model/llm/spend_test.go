package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

type answers func(Request) (Response, error)

func (a answers) Complete(_ context.Context, r Request) (Response, error) { return a(r) }

func meter(t *testing.T, path string, now time.Time) Meter {
	return Meter{
		To: answers(func(Request) (Response, error) {
			return Response{Text: "x", Usage: Usage{In: 100_000, Out: 20_000}}, nil
		}),
		Model: Model{Anthropic, "claude-haiku-4-5"}, Price: Price{In: 1, Out: 5}, Priced: true, Tokens: func(s string) int { return 100_000 * len(s) },
		Spend: &Spend{Path: path, Run: "r1", Now: func() time.Time { return now }},
	}
}

func TestLedger(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "spend.jsonl")
	april := time.Date(2026, 4, 5, 14, 30, 0, 0, time.UTC)
	m := meter(t, path, april)
	resp, err := m.Complete(For(t.Context(), "session-1"), Request{User: "x"})
	if err != nil || resp.Cost.String() != "$0.2000" {
		t.Fatalf("%+v, %v", resp, err)
	}
	data, _ := os.ReadFile(path)
	const want = `{"at":"2026-04-05T14:30:00Z","run":"r1","model":"anthropic:claude-haiku-4-5","what":"session-1","usage":{"in":100000,"out":20000},"usd":0.2,"known":true}`
	if strings.TrimSpace(string(data)) != want {
		t.Errorf("got  %s\nwant %s", data, want)
	}
	// A line that a crash cut, and another run's.
	f, _ := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	io.WriteString(f, `{"at":"2026-04-05T14:3`)
	f.Close()
	other := meter(t, path, april.AddDate(0, 0, 1))
	other.Spend.Run = "r2"
	if _, err := other.Complete(t.Context(), Request{User: "x"}); err != nil {
		t.Fatal(err)
	}
	run, month, err := other.Spend.Totals()
	if err != nil || run.Calls != 1 || month.Calls != 2 || month.Cost.String() != "$0.4000" || month.Usage.In != 200_000 {
		t.Errorf("run %+v, month %+v, %v", run, month, err)
	}
	may := meter(t, path, april.AddDate(0, 1, 0))
	if run, month, err := may.Spend.Totals(); err != nil || run.Calls != 1 || month.Calls != 0 {
		t.Errorf("in May: run %+v, month %+v, %v", run, month, err)
	}
}

func TestCeilings(t *testing.T) {
	now := time.Date(2026, 4, 5, 0, 0, 0, 0, time.UTC)
	path := filepath.Join(t.TempDir(), "spend.jsonl")
	m := meter(t, path, now)
	m.Spend.PerMonth = 0.5
	calls := 0
	inner := m.To
	m.To = answers(func(r Request) (Response, error) { calls++; return inner.Complete(t.Context(), r) })
	var err error
	for err == nil && calls < 10 {
		_, err = m.Complete(t.Context(), Request{User: "x"})
	}
	// 0.2 each, estimated at 0.1125: the fourth could go over.
	if calls != 2 || !errors.Is(err, ErrCeiling) || !strings.Contains(err.Error(), "month") || !strings.Contains(err.Error(), "$0.50") {
		t.Errorf("%d calls, %v", calls, err)
	}
	m.Spend.PerMonth, m.Spend.PerRun = 0, 0.45
	if _, err := m.Complete(t.Context(), Request{User: "x"}); !errors.Is(err, ErrCeiling) || !strings.Contains(err.Error(), "this run") {
		t.Errorf("run: %v", err)
	}
	m.Priced = false
	if _, err := m.Complete(t.Context(), Request{User: "x"}); !errors.Is(err, ErrCeiling) || !strings.Contains(err.Error(), "not known") {
		t.Errorf("unknown price under a ceiling: %v", err)
	}
	m.Limit = 0.01
	if _, err := m.Complete(t.Context(), Request{User: "x"}); err != nil {
		t.Errorf("unknown price, but a limit of the call, under a ceiling: %v", err)
	}
	m.Limit, m.Spend.Unpriced = 0, true
	if _, err := m.Complete(t.Context(), Request{User: "x"}); err != nil {
		t.Errorf("unknown price under a ceiling, and the person agrees: %v", err)
	}
	m.Limit, m.Spend.Unpriced = 0.01, false
	m.Spend.PerRun = 0
	if resp, err := m.Complete(t.Context(), Request{User: "x"}); err != nil || resp.Cost.String() != "unknown cost" {
		t.Errorf("unknown price without a ceiling: %+v, %v", resp, err)
	}
}

// TestCeilingWithManyAtOnce makes twenty calls at once under a ceiling that their
// estimates together exceed many times. No call is refused while what the others have
// come to cost leaves room for it, and the ceiling is kept.
func TestCeilingWithManyAtOnce(t *testing.T) {
	const ceiling, atOnce = 0.5, 4 // 0.1125 are reserved for each
	for in, want := range map[int]int{20_000: 20, 100_000: 4} {
		m := meter(t, filepath.Join(t.TempDir(), "spend.jsonl"), time.Date(2026, 4, 5, 0, 0, 0, 0, time.UTC))
		m.Spend.PerRun = ceiling
		begun, gate := make(chan struct{}, 20), make(chan struct{})
		m.To = answers(func(Request) (Response, error) {
			begun <- struct{}{}
			<-gate
			return Response{Text: "x", Usage: Usage{In: in}}, nil
		})
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if _, err := m.Complete(t.Context(), Request{User: "x"}); err != nil && !errors.Is(err, ErrCeiling) {
					t.Error(err)
				}
			})
		}
		for range atOnce {
			<-begun
		}
		close(gate)
		wg.Wait()
		if run, _, err := m.Spend.Totals(); err != nil || run.Calls != want || run.Cost.USD > ceiling {
			t.Errorf("calls of $%.2f: %d of %d were made, for $%.2f, %v", float64(in)/1e6, run.Calls, want, run.Cost.USD, err)
		}
	}
}

// TestWaitForRoomEnds gives up a call that waits for another.
func TestWaitForRoomEnds(t *testing.T) {
	s := meter(t, filepath.Join(t.TempDir(), "spend.jsonl"), time.Now()).Spend
	s.PerRun = 1
	if err := s.Reserve(t.Context(), Cost{USD: 0.9, Known: true}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Reserve(ctx, Cost{USD: 0.9, Known: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("a second call: %v", err)
	}
}

func TestFailedCallsThatCost(t *testing.T) {
	m := meter(t, filepath.Join(t.TempDir(), "spend.jsonl"), time.Date(2026, 4, 5, 0, 0, 0, 0, time.UTC))
	m.To = answers(func(Request) (Response, error) { return Response{Usage: Usage{In: 1000}}, ErrRefused })
	if _, err := m.Complete(t.Context(), Request{User: "x"}); !errors.Is(err, ErrRefused) {
		t.Error(err)
	}
	m.To = answers(func(Request) (Response, error) { return Response{}, ErrBusy })
	if _, err := m.Complete(t.Context(), Request{User: "x"}); !errors.Is(err, ErrBusy) {
		t.Error(err)
	}
	if run, _, err := m.Spend.Totals(); err != nil || run.Calls != 1 || run.Cost.USD != 0.001 {
		t.Errorf("%+v %v", run, err)
	}
}

// A call that is given up while it is made counts with what it can have cost.
func TestGivenUpCallsCount(t *testing.T) {
	for name, c := range map[string]struct {
		fails func(stop func()) error
		want  float64
		calls int
	}{
		"the person stops it": {func(stop func()) error { stop(); return context.Canceled }, 0.1125, 1},
		"no answer in time":   {func(func()) error { return fmt.Errorf("no answer: %w", context.DeadlineExceeded) }, 0.1125, 1},
		"no connection":       {func(func()) error { return errors.New("connection refused") }, 0, 0},
	} {
		ctx, stop := context.WithCancel(t.Context())
		m := meter(t, filepath.Join(t.TempDir(), "spend.jsonl"), time.Date(2026, 4, 5, 0, 0, 0, 0, time.UTC))
		m.To = answers(func(Request) (Response, error) { return Response{}, c.fails(stop) })
		if _, err := m.Complete(ctx, Request{User: "x"}); err == nil {
			t.Errorf("%s: no error", name)
		}
		if run, _, err := m.Spend.Totals(); err != nil || run.Calls != c.calls || run.Cost.USD != c.want {
			t.Errorf("%s: %+v, %v", name, run, err)
		}
		stop()
		if _, err := m.Complete(ctx, Request{User: "x"}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, stopped before: %v", name, err)
		}
		if run, _, _ := m.Spend.Totals(); run.Calls != c.calls {
			t.Errorf("%s: a call that was not made counts: %+v", name, run)
		}
		m.Price, m.Spend = Price{}, &Spend{Path: filepath.Join(t.TempDir(), "free.jsonl"), Now: m.Spend.Now}
		if _, err := m.Complete(t.Context(), Request{User: "x"}); err == nil {
			t.Errorf("%s, free: no error", name)
		}
		if run, _, _ := m.Spend.Totals(); run.Calls != 0 {
			t.Errorf("%s: a free call counts: %+v", name, run)
		}
	}
}

func TestAvailable(t *testing.T) {
	_, base := serve(t, say(200, `{"object":"list","data":[{"id":"qwen3:8b"},{"id":"--x"},{"id":"gemma3"}]}`))
	_, stranger := serve(t, say(200, `<html>`))
	_, slow := serve(t, hang)
	found := Available(t.Context(), Surroundings{
		Env: func(n string) string {
			if n == "ANTHROPIC_AUTH_TOKEN" {
				return "secret-token"
			}
			return ""
		},
		LookPath: func(n string) (string, error) {
			if n == "claude" {
				return "/usr/bin/claude", nil
			}
			return "", exec.ErrNotFound
		},
		Command: []string{"my-llm", "--fast"},
		Servers: map[Provider]string{Ollama: base + "/v1", LMStudio: stranger + "/v1", VLLM: slow + "/v1"},
		Timeout: 200 * time.Millisecond,
	})
	got, _ := json.Marshal(found)
	if len(found) != 4 || found[0].Model != "anthropic:claude-haiku-5-5" || !found[0].Costs || found[1].Model != "claude:haiku" || !found[1].Costs || found[2].Model != "command" || found[2].Where != "my-llm" || !strings.Contains(found[2].Note, "not found") || found[3].Model != "ollama:qwen3:8b" || found[3].Costs || len(found[3].Models) != 2 {
		t.Errorf("got %s", got)
	}
	if strings.Contains(string(got), "secret-token") {
		t.Error("the key is shown")
	}
	none := Available(t.Context(), Surroundings{Env: func(string) string { return "" }, LookPath: func(string) (string, error) { return "", exec.ErrNotFound }, Servers: map[Provider]string{Ollama: "", LMStudio: "", VLLM: ""}})
	if len(none) != 0 {
		t.Errorf("found %+v", none)
	}
}

func TestBatches(t *testing.T) {
	const state = `{"id":"msgbatch_1","type":"message_batch","processing_status":"%s","request_counts":{"processing":2,"succeeded":0,"errored":0,"canceled":0,"expired":0},"created_at":"2026-04-05T00:00:00Z","expires_at":"2026-04-06T00:00:00Z","results_url":null}`
	status, nonce := "in_progress", ""
	results := `{"custom_id":"N-2","result":{"type":"succeeded","message":` + wires[0].fine + `}}
{"custom_id":"N-1","result":{"type":"errored","error":{"type":"error","error":{"type":"invalid_request_error","message":"too long"}}}}
{"custom_id":"unknown","result":{"type":"expired"}}
{"custom_id":"N-3","result":{"type":"expired"}}
`
	s, base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodPost:
			say(200, strings.Replace(state, "%s", "in_progress", 1))(w, r)
		case strings.HasSuffix(r.URL.Path, "/results"):
			say(200, strings.ReplaceAll(results, "N-", nonce+"-"), "content-type", "application/x-jsonl")(w, r)
		default:
			say(200, strings.Replace(state, "%s", status, 1))(w, r)
		}
	})
	dir := filepath.Join(t.TempDir(), "batches")
	now := func() time.Time { return time.Date(2026, 4, 5, 0, 0, 0, 0, time.UTC) }
	b, err := NewBatches(wires[0].config(base), dir, now)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Submit(t.Context(), []Item{{"a.jsonl", ask}, {"b.jsonl", ask}, {"c.jsonl", ask}}, Cost{0.1, true}); err != nil {
		t.Fatal(err)
	}
	first, _ := json.Marshal(s.bodies[0]["requests"].([]any)[1])
	nonce, _, _ = strings.Cut(s.bodies[0]["requests"].([]any)[1].(map[string]any)["custom_id"].(string), "-")
	if len(nonce) < 8 || !strings.Contains(string(first), `-2","params"`) || !strings.Contains(string(first), `"output_config":{"format"`) {
		t.Errorf("sent %s", first)
	}
	again, err := NewBatches(wires[0].config(base), dir, now) // another run
	if err != nil {
		t.Fatal(err)
	}
	pending, err := again.Pending()
	if err != nil || len(pending) != 1 || pending[0].ID != "msgbatch_1" || pending[0].Keys[nonce+"-2"] != "b.jsonl" {
		t.Fatalf("pending %+v, %v", pending, err)
	}
	for _, err := range again.Collect(t.Context(), pending[0]) {
		if !errors.Is(err, ErrNotReady) {
			t.Errorf("in progress: %v", err)
		}
	}
	status = "ended"
	got := make(map[string]Outcome)
	for o, err := range again.Collect(t.Context(), pending[0]) {
		if err != nil {
			t.Fatal(err)
		}
		got[o.Key] = o
	}
	if len(got) != 3 || got["b.jsonl"].Response.Text == "" || got["b.jsonl"].Err != nil || got["a.jsonl"].Err == nil || !strings.Contains(got["a.jsonl"].Err.Error(), "too long") || got["c.jsonl"].Err == nil {
		t.Errorf("got %+v", got)
	}
	if err := again.Forget(pending[0]); err != nil {
		t.Fatal(err)
	}
	if pending, err := b.Pending(); err != nil || len(pending) != 0 {
		t.Errorf("still pending: %+v, %v", pending, err)
	}
}

func TestBatchThatIsNotTaken(t *testing.T) {
	now := time.Now
	dir := t.TempDir()
	_, base := serve(t, say(401, wires[0].denied))
	b, _ := NewBatches(wires[0].config(base), dir, now)
	if _, err := b.Submit(t.Context(), []Item{{"a", ask}}, Cost{}); !errors.Is(err, ErrAuth) {
		t.Error(err)
	}
	if p, err := b.Pending(); err != nil || len(p) != 0 {
		t.Errorf("refused, but pending: %+v %v", p, err)
	}
	s, base := serve(t, say(500, "", "retry-after-ms", "1"))
	b, _ = NewBatches(wires[0].config(base), dir, now)
	if _, err := b.Submit(t.Context(), []Item{{"a", ask}}, Cost{}); err == nil {
		t.Error("no error")
	}
	p, err := b.Pending()
	if err != nil || len(p) != 1 || p[0].ID != "" {
		t.Fatalf("unsure, and forgotten: %+v %v", p, err)
	}
	if len(s.bodies) != 1 {
		t.Errorf("sent %d times, and each may have been taken", len(s.bodies))
	}
	for _, err := range b.Collect(t.Context(), p[0]) {
		if err == nil || !strings.Contains(err.Error(), "never confirmed") {
			t.Error(err)
		}
	}
}

// TestConfirm looks for a batch that was sent by a run which never heard back.
func TestConfirm(t *testing.T) {
	made := time.Date(2026, 4, 5, 12, 0, 0, 0, time.UTC)
	const entry = `{"id":%q,"created_at":%q,"processing_status":%q,"request_counts":{"processing":%d,"succeeded":%d}}`
	other := fmt.Sprintf(entry, "b0", "2026-04-05T12:00:30Z", "ended", 0, 2)
	stale := fmt.Sprintf(entry, "b9", "2026-04-05T09:00:00Z", "ended", 0, 2)
	ours := fmt.Sprintf(entry, "b1", "2026-04-05T12:01:00Z", "ended", 0, 2)
	open := fmt.Sprintf(entry, "b1", "2026-04-05T12:01:00Z", "in_progress", 2, 0)
	larger := fmt.Sprintf(entry, "b2", "2026-04-05T12:01:00Z", "ended", 0, 3)
	for name, c := range map[string]struct {
		list  string
		more  bool
		after time.Duration
		id    string
		err   error
	}{
		"found":                       {other + "," + ours, false, time.Hour, "b1", nil},
		"at work":                     {other + "," + open, false, time.Hour, "", ErrUnconfirmed},
		"nothing yet":                 {stale, false, time.Minute, "", ErrUnconfirmed},
		"nothing":                     {stale + "," + larger, false, time.Hour, "", ErrNotTaken},
		"only others":                 {other, false, time.Hour, "", ErrNotTaken},
		"nothing, in a long list":     {other, true, time.Hour, "", ErrUnconfirmed},
		"nothing, and older ones too": {other + "," + stale, true, time.Hour, "", ErrNotTaken},
	} {
		t.Run(name, func(t *testing.T) {
			_, base := serve(t, func(w http.ResponseWriter, r *http.Request) {
				switch {
				case r.Method == http.MethodPost:
					say(500, "")(w, r)
				case strings.HasSuffix(r.URL.Path, "/b1/results"):
					say(200, `{"custom_id":"n-1","result":{"type":"expired"}}`)(w, r)
				case strings.HasSuffix(r.URL.Path, "/results"):
					say(200, `{"custom_id":"x-1","result":{"type":"expired"}}`)(w, r)
				default:
					say(200, fmt.Sprintf(`{"data":[%s],"has_more":%v}`, c.list, c.more))(w, r)
				}
			})
			now := made
			b, err := NewBatches(wires[0].config(base), t.TempDir(), func() time.Time { return now })
			if err != nil {
				t.Fatal(err)
			}
			batch := Batch{Made: made, Keys: map[string]string{"n-1": "a", "n-2": "b"}}
			if err := b.save(&batch); err != nil {
				t.Fatal(err)
			}
			now = made.Add(c.after)
			got, err := b.Confirm(t.Context(), batch)
			if got.ID != c.id || !errors.Is(err, c.err) {
				t.Errorf("got %q, %v", got.ID, err)
			}
			if p, err := b.Pending(); err != nil || len(p) != 1 || p[0].ID != c.id {
				t.Errorf("remembered: %+v, %v", p, err)
			}
		})
	}
}
