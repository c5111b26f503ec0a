package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A batchServer speaks Anthropic's Message Batches. What it does is set by the
// fields between calls; there is one call at a time.
type batchServer struct {
	*httptest.Server
	done    bool // the batches have ended
	deaf    bool // a batch is taken, and the answer is lost
	down    bool // a batch is not taken, and nobody can tell
	half    bool // the results break off
	made    string
	batches [][]batchRequest
}

type batchRequest struct {
	ID     string `json:"custom_id"`
	Params struct {
		Messages []struct {
			Content []struct{ Text string }
		}
	} `json:"params"`
}

func newBatchServer(t *testing.T) *batchServer {
	s := &batchServer{made: "2026-11-20T09:00:01Z"}
	state := func(i int) string {
		status, working, finished := "in_progress", len(s.batches[i]), 0
		if s.done {
			status, working, finished = "ended", 0, working
		}
		return fmt.Sprintf(`{"id":"b%d","type":"message_batch","processing_status":%q,"created_at":%q,"request_counts":{"processing":%d,"succeeded":%d}}`, i, status, s.made, working, finished)
	}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := strings.TrimPrefix(r.URL.Path, "/v1/messages/batches")
		var i int
		fmt.Sscanf(path, "/b%d", &i)
		w.Header().Set("content-type", "application/json")
		switch {
		case r.Method == http.MethodPost && s.down:
			w.WriteHeader(http.StatusBadGateway)
		case r.Method == http.MethodPost:
			var body struct{ Requests []batchRequest }
			if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
				t.Error(err)
			}
			s.batches = append(s.batches, body.Requests)
			if s.deaf {
				w.WriteHeader(http.StatusBadGateway)
				return
			}
			fmt.Fprint(w, state(len(s.batches)-1))
		case path != "" && i >= len(s.batches):
			w.WriteHeader(http.StatusNotFound)
		case path == "":
			var all []string
			for i := range s.batches {
				all = append(all, state(i))
			}
			fmt.Fprintf(w, `{"data":[%s],"has_more":false}`, strings.Join(all, ","))
		case strings.HasSuffix(path, "/results"):
			for _, q := range s.batches[i] {
				text, _ := json.Marshal(twoLessons)
				fmt.Fprintf(w, `{"custom_id":%q,"result":{"type":"succeeded","message":{"type":"message","role":"assistant","model":"claude-haiku-4-5","content":[{"type":"text","text":%s}],"stop_reason":"end_turn","usage":{"input_tokens":1000,"output_tokens":100}}}}`+"\n", q.ID, text)
				if s.half {
					fmt.Fprint(w, `{"custom_id":"`)
					return
				}
			}
		default:
			fmt.Fprint(w, state(i))
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// with runs the program in a world of its own that knows the server.
func (s *batchServer) with(t *testing.T, dir, now string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	return runWith(t, dir, now, map[string]string{"ANTHROPIC_API_KEY": "k-test", "ANTHROPIC_BASE_URL": s.URL}, args...)
}

// batchSessions makes a folder with one session, which speaks of npm.
func batchSessions(t *testing.T, dir string) string {
	t.Helper()
	folder := filepath.Join(dir, "sessions")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(sampleSession(t))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, "a.jsonl"), string(text))
	return folder
}

const batchModel = "anthropic:claude-haiku-4-5"

func TestExtractInBatch(t *testing.T) {
	s, dir := newBatchServer(t), t.TempDir()
	sessions := batchSessions(t, dir)
	const at = "2026-11-20T09:00:00Z"
	extract := func(want int, args ...string) (string, string) {
		t.Helper()
		out, errs, code := s.with(t, dir, at, append([]string{"extract", sessions, "--model", batchModel, "--batch"}, args...)...)
		if code != want {
			t.Fatalf("exit %d: %s", code, errs)
		}
		return out, errs
	}

	// A dry run and a ceiling send nothing.
	if _, errs := extract(exitOK, "--dry-run"); !strings.Contains(errs, "would send 1 session to "+batchModel+" in a batch, at most $0.0") || len(s.batches) != 0 {
		t.Errorf("a dry run: %s", errs)
	}
	if _, errs := extract(exitError, "--max-usd", "0.001"); !strings.Contains(errs, "nothing was sent, of 1 session") || !strings.Contains(errs, "ceiling") || len(s.batches) != 0 {
		t.Errorf("over the ceiling: %s", errs)
	}

	// It is sent once, whoever asks again while it waits, by whatever means.
	if _, errs := extract(exitOK); !strings.Contains(errs, "sent 1 session") || len(s.batches) != 1 || len(s.batches[0]) != 1 {
		t.Fatalf("sent %d batches: %s", len(s.batches), errs)
	}
	if _, errs := extract(exitOK); !strings.Contains(errs, "not ready yet: 1 of 1 requests") || len(s.batches) != 1 {
		t.Errorf("while it waits: %s", errs)
	}
	if _, errs, code := s.with(t, dir, at, "extract", sessions, "--model", batchModel); code != exitOK || !strings.Contains(errs, "wait in a batch") {
		t.Errorf("asked apart from the batch: exit %d, %s", code, errs)
	}
	if out, _, _ := s.with(t, dir, at, "models", "--spend"); strings.Count(out, "\n") != 2 {
		t.Errorf("the estimate is not in the ledger: %s", out)
	}

	// The session grows before it is collected: what is new then is new.
	file := filepath.Join(sessions, "a.jsonl")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSuffix(string(text), "\n")+"\n", "\n")
	var grown string
	for _, l := range lines {
		if strings.Contains(l, "never use npm") {
			grown = strings.NewReplacer("never use npm in this repo, only pnpm", "from now on write each test before the code", `"uuid":"`, `"uuid":"9`).Replace(l)
		}
	}
	write(t, file, string(text)+grown)

	// A collection that breaks off stores nothing twice and is made up for.
	s.done, s.half = true, true
	if _, errs := extract(exitError); !strings.Contains(errs, "collecting the batch of 2026-11-20T09:00:00Z") {
		t.Errorf("broken off: %s", errs)
	}
	s.half = false
	out, errs, code := s.with(t, dir, "2026-11-20T10:00:00Z", "extract", "--batch", "--json")
	if code != exitOK {
		t.Errorf("collected without a model's name: exit %d", code)
	}
	if strings.Count(out, "Use pnpm, never npm.") != 1 || !strings.Contains(out, "model:"+batchModel) || len(s.batches) != 1 {
		t.Fatalf("collected: %s\n%s", out, errs)
	}
	// Nothing waits any more; what was written since is sent, and it alone.
	s.done = false
	if _, errs := extract(exitOK); !strings.Contains(errs, "sent 1 session") || len(s.batches) != 2 {
		t.Fatalf("the growth was not sent: %s", errs)
	}
	if sent := s.batches[1][0].Params.Messages[0].Content[0].Text; !strings.Contains(sent, "write each test before the code") {
		t.Errorf("sent: %s", sent)
	}
	s.done = true
	if out, errs := extract(exitOK, "--json"); strings.Contains(out, "pnpm") {
		t.Errorf("proposed again: %s\n%s", out, errs)
	}
	if _, errs := extract(exitOK); len(s.batches) != 2 || strings.Contains(errs, "sent") {
		t.Errorf("all is read, and something was sent: %s", errs)
	}
	if out, _, _ := runWith(t, dir, at, map[string]string{"LEARNINGS_TEST_TTY": "out"}, "models", "--spend"); !strings.Contains(out, "-$0.0") || !strings.Contains(out, "set right when it is collected") {
		t.Errorf("for a person: %s", out)
	}
	// Twice 1,000 tokens read and 100 written, at half the price.
	spent, _, _ := s.with(t, dir, at, "models", "--spend", "--json")
	var month struct {
		USD     float64
		In, Out int
		Known   bool
	}
	if err := json.Unmarshal([]byte(strings.SplitN(spent, "\n", 2)[0]), &month); err != nil || fmt.Sprintf("%.5f", month.USD) != "0.00150" || month.In != 2000 || month.Out != 200 || !month.Known {
		t.Errorf("%v: spent %s", err, spent)
	}
}

// TestBatchUnheard has the connection fail at the moment in which a batch is
// sent: it is never sent twice while it may have been taken, and is found again
// or known not to be there.
func TestBatchUnheard(t *testing.T) {
	s, dir := newBatchServer(t), t.TempDir()
	sessions := batchSessions(t, dir)
	extract := func(now string, want int) (string, string) {
		t.Helper()
		out, errs, code := s.with(t, dir, now, "extract", sessions, "--model", batchModel, "--batch", "--json")
		if code != want {
			t.Fatalf("exit %d: %s", code, errs)
		}
		return out, errs
	}
	s.down = true
	if _, errs := extract("2026-11-20T09:00:00Z", exitError); !strings.Contains(errs, "may have been taken") {
		t.Errorf("down: %s", errs)
	}
	s.down = false
	if _, errs := extract("2026-11-20T09:01:00Z", exitOK); !strings.Contains(errs, "cannot be told yet") || len(s.batches) != 0 {
		t.Errorf("sent %d times: %s", len(s.batches), errs)
	}
	// Surely not taken: what it was to cost is given back, and it is sent; again
	// the answer is lost, but this time it was taken.
	s.deaf = true
	s.made = "2026-11-20T09:30:02Z"
	if _, errs := extract("2026-11-20T09:30:00Z", exitError); !strings.Contains(errs, "has not taken") || len(s.batches) != 1 {
		t.Errorf("sent %d times: %s", len(s.batches), errs)
	}
	s.deaf, s.done = false, true
	out, errs := extract("2026-11-20T09:31:00Z", exitOK)
	if strings.Count(out, "Use pnpm, never npm.") != 1 || len(s.batches) != 1 {
		t.Errorf("sent %d times: %s\n%s", len(s.batches), out, errs)
	}
}

// TestBatchGone has the provider lose a batch: within a month that is an error,
// and then it is sent again.
func TestBatchGone(t *testing.T) {
	s, dir := newBatchServer(t), t.TempDir()
	args := []string{"extract", batchSessions(t, dir), "--model", batchModel, "--batch"}
	s.with(t, dir, "2026-11-20T09:00:00Z", args...)
	s.batches = nil
	if _, errs, code := s.with(t, dir, "2026-11-21T09:00:00Z", args...); code != exitError || !strings.Contains(errs, "404") || !strings.Contains(errs, "account") || s.batches != nil {
		t.Errorf("on the next day: exit %d, %s", code, errs)
	}
	if _, errs, code := s.with(t, dir, "2026-12-24T09:00:00Z", args...); code != exitOK || !strings.Contains(errs, "sent again") || len(s.batches) != 1 {
		t.Errorf("a month later: exit %d, %s", code, errs)
	}
}

func TestBatchUsage(t *testing.T) {
	s, dir := newBatchServer(t), t.TempDir()
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--batch"}, exitNothing, "nothing waits in a batch"},
		{[]string{"--batch", "--model", "openai:m"}, exitError, "batches are for the models of anthropic"},
		{[]string{"--batch", "--model", batchModel, "--dry-run", "--show-prompt"}, exitUsage, "leave out --batch"},
	} {
		if _, errs, code := s.with(t, dir, "2026-11-20T09:00:00Z", append([]string{"extract", sampleSession(t)}, c.args...)...); code != c.code || !strings.Contains(errs, c.says) {
			t.Errorf("%v: exit %d, %s", c.args, code, errs)
		}
	}
}
