package llm

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// programs are those that the providers which are commands run.
var programs = map[Provider]string{Claude: "claude", Codex: "codex", Gemini: "gemini", OllamaRun: "ollama"}

// Ready returns why a model could not be asked, as far as that can be told without asking
// anybody: a key or a program that is not there, an address that is none. lookPath is as
// exec.LookPath.
func (c Config) Ready(lookPath func(string) (string, error)) error {
	if _, err := New(c); err != nil {
		return err
	}
	program := programs[c.Model.Provider]
	if c.Model.Provider == Custom {
		program = c.Command[0]
	}
	if program == "" {
		return nil
	}
	if _, err := lookPath(program); err != nil {
		return fmt.Errorf("model %s: there is no program %s", c.Model, excerpt(program, c.Redact))
	}
	return nil
}

// reachTime is how long a server may take to say which models it has.
const reachTime = 5 * time.Second

// Reach asks the server of a model once which models it has, which costs nothing, and
// returns why it cannot be reached or does not accept the key. What a command would ask is
// not known: for one it does nothing.
func (c Config) Reach(ctx context.Context) error {
	c.Timeout, c.Attempt, c.Retries = reachTime, reachTime, -1
	c = c.withDefaults()
	if c.BaseURL == "" {
		return nil
	}
	if err := c.checkServer(); err != nil {
		return err
	}
	l, url := newOpenAI(c).line, c.BaseURL+"/models"
	if c.Model.Provider == Anthropic {
		l, url = newAnthropic(c).line, c.BaseURL+"/v1/models"
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	status, header, body, err := l.send(ctx, http.MethodGet, url, nil)
	switch {
	case err != nil:
		return err
	case status == http.StatusOK, status == http.StatusNotFound, status == http.StatusMethodNotAllowed:
		return nil // there is a server, with or without such a list
	}
	return l.refused(status, header, body)
}
