package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"learnings/index/meaning"
)

// cmdVectors is `vectorserver FILE`: a server of embeddings on this machine, whose address is
// $VECTORS. FILE says how it is: well, down, short (a vector too few), or long (other
// vectors than before). What it was sent is in FILE.sent.
func cmdVectors(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: vectorserver FILE")
	}
	file := ts.MkAbs(args[0])
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		how, _ := os.ReadFile(file)
		var in struct {
			Model string
			Input []string
		}
		if r.URL.Path != "/v1/embeddings" || json.NewDecoder(r.Body).Decode(&in) != nil || strings.Contains(string(how), "down") {
			http.Error(w, `{"error":{"message":"the model does not run"}}`, http.StatusBadRequest)
			return
		}
		if f, err := os.OpenFile(file+".sent", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
			_, _ = f.WriteString(strings.Join(in.Input, "\n") + "\n")
			f.Close()
		}
		var data []any
		for i, text := range in.Input {
			v := make([]float64, 64)
			for k, x := range meaning.Words().Of(text) {
				v[k] = float64(x)
			}
			if v[0]++; strings.Contains(string(how), "long") {
				v = append(v, 1)
			}
			data = append(data, map[string]any{"object": "embedding", "index": i, "embedding": v})
		}
		if strings.Contains(string(how), "short") {
			data = data[1:]
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "model": in.Model, "data": data, "usage": map[string]int{"prompt_tokens": 5, "total_tokens": 5}})
	}))
	ts.Defer(server.Close)
	ts.Setenv("VECTORS", server.URL+"/v1")
}
