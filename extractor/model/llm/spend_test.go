package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

type answers func(Request) (Response, error)

func (a answers) Complete(_ context.Context, r Request) (Response, error) { return a(r) }

func meter(t *testing.T, dir string, now time.Time) Meter {
	return Meter{
		To: answers(func(Request) (Response, error) {
			return Response{Text: "x", Usage: Usage{In: 100_000, Out: 20_000}}, nil
		}),
		Model: Model{Anthropic, "claude-haiku-4-5"}, Price: Price{In: 1, Out: 5}, Priced: true, Tokens: func(s string) int { return 100_000 * len(s) },
		Spend: &Spend{Dir: dir, Run: "r1", Now: func() time.Time { return now }},
	}
}

func TestLedger(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	april := time.Date(2026, 4, 5, 14, 30, 0, 0, time.UTC)
	m := meter(t, path, april)
	resp, err := m.Complete(t.Context(), "session-1", Request{User: "x"})
	if err != nil || resp.Cost.String() != "$0.2000" {
		t.Fatalf("%+v, %v", resp, err)
	}
	other := meter(t, path, april.AddDate(0, 0, 1))
	other.Spend.Run = "r2"
	if _, err := other.Complete(t.Context(), "", Request{User: "x"}); err != nil {
		t.Fatal(err)
	}
	run, month, err := other.Spend.Totals()
	if err != nil || run.Calls != 1 || month.Calls != 2 || month.Cost.String() != "$0.4000" || month.Usage.In != 200_000 {
		t.Errorf("run %+v, month %+v, %v", run, month, err)
	}
	months, runs, err := Sums(path)
	if err != nil || len(months) != 1 || months[0].Name != "2026-04" || months[0].Calls != 2 || len(runs) != 2 || runs[0].Name != "r1" || !slices.Equal(runs[1].Models, []string{"anthropic:claude-haiku-4-5"}) || !runs[0].First.Equal(april) {
		t.Errorf("%+v, %+v, %v", months, runs, err)
	}
	may := meter(t, path, april.AddDate(0, 1, 0))
	if run, month, err := may.Spend.Totals(); err != nil || run.Calls != 1 || month.Calls != 0 {
		t.Errorf("in May: run %+v, month %+v, %v", run, month, err)
	}
}

func TestCeilings(t *testing.T) {
	now := time.Date(2026, 4, 5, 0, 0, 0, 0, time.UTC)
	path := t.TempDir()
	m := meter(t, path, now)
	m.Spend.PerMonth = 0.5
	calls := 0
	inner := m.To
	m.To = answers(func(r Request) (Response, error) { calls++; return inner.Complete(t.Context(), r) })
	var err error
	for err == nil && calls < 10 {
		_, err = m.Complete(t.Context(), "", Request{User: "x"})
	}
	// 0.2 each, estimated at 0.14096: the fourth could go over.
	if calls != 2 || !errors.Is(err, ErrCeiling) || !strings.Contains(err.Error(), "month") || !strings.Contains(err.Error(), "$0.50") {
		t.Errorf("%d calls, %v", calls, err)
	}
	m.Spend.PerMonth, m.Spend.PerDay = 0, 0.54
	if _, err := m.Complete(t.Context(), "", Request{User: "x"}); !errors.Is(err, ErrCeiling) || !strings.Contains(err.Error(), "this day has cost $0.4000 of $0.54") {
		t.Errorf("day: %v", err)
	}
	m.Spend.PerDay, m.Spend.PerRun = 0, 0.45
	if _, err := m.Complete(t.Context(), "", Request{User: "x"}); !errors.Is(err, ErrCeiling) || !strings.Contains(err.Error(), "this run") {
		t.Errorf("run: %v", err)
	}
	m.Priced = false
	if _, err := m.Complete(t.Context(), "", Request{User: "x"}); !errors.Is(err, ErrCeiling) || !strings.Contains(err.Error(), "not known") {
		t.Errorf("unknown price under a ceiling: %v", err)
	}
	m.Limit = 0.01
	if _, err := m.Complete(t.Context(), "", Request{User: "x"}); err != nil {
		t.Errorf("unknown price, but a limit of the call, under a ceiling: %v", err)
	}
	m.Limit, m.Spend.Unpriced = 0, true
	if _, err := m.Complete(t.Context(), "", Request{User: "x"}); err != nil {
		t.Errorf("unknown price under a ceiling, and the person agrees: %v", err)
	}
	m.Limit, m.Spend.Unpriced = 0.01, false
	m.Spend.PerRun = 0
	if resp, err := m.Complete(t.Context(), "", Request{User: "x"}); err != nil || resp.Cost.String() != "$0.0100" {
		t.Errorf("a call with a limit that reports no cost: %+v, %v", resp, err)
	}
}

// TestCeilingWithManyAtOnce makes twenty calls at once under a ceiling that their
// estimates together exceed many times. No call is refused while what the others have
// come to cost leaves room for it, and the ceiling is kept.
func TestCeilingWithManyAtOnce(t *testing.T) {
	const ceiling, atOnce = 0.6, 4 // 0.141 are reserved for each
	for in, want := range map[int]int{20_000: 20, 100_000: 5} {
		m := meter(t, t.TempDir(), time.Date(2026, 4, 5, 0, 0, 0, 0, time.UTC))
		m.Spend.PerRun = ceiling
		begun, gate := make(chan struct{}, 20), make(chan struct{})
		m.To = answers(func(Request) (Response, error) {
			begun <- struct{}{}
			<-gate
			return Response{Usage: Usage{In: in}}, nil
		})
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if _, err := m.Complete(t.Context(), "", Request{User: "x"}); err != nil && !errors.Is(err, ErrCeiling) {
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

// TestWaitForRoomEnds gives up a call that waits for another. A call of another process
// is not waited for: it counts with what it can cost, also if that process has died.
func TestWaitForRoomEnds(t *testing.T) {
	dir := t.TempDir()
	s, other := meter(t, dir, time.Now()).Spend, meter(t, dir, time.Now()).Spend
	other.PerRun = 1
	s.PerRun = 1
	if _, err := s.reserve(t.Context(), Model{}, "", Cost{USD: 0.9, Known: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := other.reserve(t.Context(), Model{}, "", Cost{USD: 0.2, Known: true}); !errors.Is(err, ErrCeiling) {
		t.Errorf("a call of another process: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.reserve(ctx, Model{}, "", Cost{USD: 0.9, Known: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("a second call: %v", err)
	}
}

func TestFailedCallsThatCost(t *testing.T) {
	m := meter(t, t.TempDir(), time.Date(2026, 4, 5, 0, 0, 0, 0, time.UTC))
	m.To = answers(func(Request) (Response, error) { return Response{Usage: Usage{In: 1000}}, ErrRefused })
	if _, err := m.Complete(t.Context(), "", Request{User: "x"}); !errors.Is(err, ErrRefused) {
		t.Error(err)
	}
	m.To = answers(func(Request) (Response, error) { return Response{}, ErrBusy })
	if _, err := m.Complete(t.Context(), "", Request{User: "x"}); !errors.Is(err, ErrBusy) {
		t.Error(err)
	}
	if run, _, err := m.Spend.Totals(); err != nil || run.Calls != 1 || run.Cost.USD != 0.001 {
		t.Errorf("%+v %v", run, err)
	}
}

// A server that reports no usage, or half of it, does not make calls free.
func TestUnreportedUsageCountsAtItsEstimate(t *testing.T) {
	for name, resp := range map[string]Response{"none": {Text: "x"}, "no output": {Text: "x", Usage: Usage{In: 900}}, "no input": {Text: "x", Usage: Usage{Out: 80}}} {
		m, calls := meter(t, t.TempDir(), time.Date(2026, 4, 5, 0, 0, 0, 0, time.UTC)), 0
		m.Spend.PerRun = 0.3 // two estimates
		m.To = answers(func(Request) (Response, error) { calls++; return resp, nil })
		var err error
		for err == nil && calls < 10 {
			_, err = m.Complete(t.Context(), "", Request{User: "x"})
		}
		if run, _, _ := m.Spend.Totals(); calls != 2 || !errors.Is(err, ErrCeiling) || run.Cost.String() != "$0.2819" {
			t.Errorf("%s: %d calls, %+v, %v", name, calls, run, err)
		}
	}
}

// A call that is given up while it is made counts with what it can have cost.
func TestGivenUpCallsCount(t *testing.T) {
	for name, c := range map[string]struct {
		fails func(stop func()) error
		want  float64
		calls int
	}{
		"the person stops it":   {func(stop func()) error { stop(); return context.Canceled }, 0.14096, 1},
		"no answer in time":     {func(func()) error { return fmt.Errorf("no answer: %w", context.DeadlineExceeded) }, 0.14096, 1},
		"the connection breaks": {func(func()) error { return fmt.Errorf("asking: %w", ErrLost) }, 0.14096, 1},
		"no connection":         {func(func()) error { return errors.New("connection refused") }, 0, 0},
	} {
		ctx, stop := context.WithCancel(t.Context())
		m := meter(t, t.TempDir(), time.Date(2026, 4, 5, 0, 0, 0, 0, time.UTC))
		m.To = answers(func(Request) (Response, error) { return Response{}, c.fails(stop) })
		if _, err := m.Complete(ctx, "", Request{User: "x"}); err == nil {
			t.Errorf("%s: no error", name)
		}
		if run, _, err := m.Spend.Totals(); err != nil || run.Calls != c.calls || run.Cost.USD != c.want {
			t.Errorf("%s: %+v, %v", name, run, err)
		}
		stop()
		if _, err := m.Complete(ctx, "", Request{User: "x"}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, stopped before: %v", name, err)
		}
		if run, _, _ := m.Spend.Totals(); run.Calls != c.calls {
			t.Errorf("%s: a call that was not made counts: %+v", name, run)
		}
		m.Price, m.Spend = Price{}, &Spend{Dir: t.TempDir(), Now: m.Spend.Now}
		if _, err := m.Complete(t.Context(), "", Request{User: "x"}); err == nil {
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
