package model_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"

	"learnings/extractor/model"
	"learnings/extractor/model/llm"
	"learnings/extractor/transcript"
)

// A model is asked about a session. It is believed only where it quotes the
// session: who said it, and where, is read from the transcript.
func ExampleProposer_Propose() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintln(w, `{"model":"small","choices":[{"finish_reason":"stop","message":{"role":"assistant","content":"{\"lessons\":[`+
			`{\"quote\":\"never use npm in this repository\",\"content\":\"Use pnpm, not npm.\",\"category\":\"preference\",\"confidence\":0.9},`+
			`{\"quote\":\"always deploy on Fridays\",\"content\":\"Deploy on Fridays.\",\"confidence\":0.9}]}"}}],"usage":{"prompt_tokens":900,"completion_tokens":60}}`)
	}))
	defer server.Close()
	dir, err := os.MkdirTemp("", "model")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	p, err := model.New(model.Config{
		LLM:   llm.Config{Model: llm.Model{Provider: llm.OpenAI, Name: "small"}, BaseURL: server.URL + "/v1", Key: "secret"},
		State: dir, // where it records what each call costs
	}, model.Options{
		Report: func(_ transcript.Session, r model.Result) { fmt.Println("dropped:", r.Dropped) },
	})
	if err != nil {
		log.Fatal(err)
	}
	found, err := p.Propose(context.Background(), transcript.Session{ID: "s1"}, []transcript.Turn{
		{Line: 1, Speaker: transcript.Agent, Kind: transcript.Message, Text: "I ran npm install."},
		{Line: 2, Speaker: transcript.Person, Kind: transcript.Message, Text: "No, never use npm in this repository. Use pnpm."},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, l := range found {
		fmt.Println(l.Status, l.Category, "|", l.Content, "| line", l.Evidence[0].Line, "by a", l.Evidence[0].By)
	}
	// Output:
	// dropped: map[the quote is not in the session:1]
	// pending preference | Use pnpm, not npm. | line 2 by a person
}
