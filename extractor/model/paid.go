package model

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"learnings/extractor/model/llm"
	"learnings/lessons/state"
)

// This file keeps the answers that a dry run has paid for.

// answersLive is how long the answers of a dry run are kept.
const answersLive = 30 * 24 * time.Hour

// keyOfRequest returns a key of a question to a model.
func (p *Proposer) keyOfRequest(r llm.Request) string {
	h := sha256.New()
	for _, s := range []string{p.c.LLM.Model.String(), p.c.LLM.BaseURL, r.System, r.User, string(r.Schema)} {
		fmt.Fprintf(h, "%d\x00%s", len(s), s)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// keptAnswer returns the answer that a dry run has kept; "" if there is none.
func (p *Proposer) keptAnswer(key string) (text string, err error) {
	err = state.At(p.c.State).Each(func(r *state.Rows) error { return r.Scan(&text) },
		"SELECT answer FROM answers WHERE question = ? AND at > ?", key, p.o.Now().Add(-answersLive).UnixMilli())
	if err != nil {
		return "", fmt.Errorf("reading what a dry run was answered: %w", err)
	}
	if text != "" {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.taken = append(p.taken, key)
	}
	return text, nil
}

func (p *Proposer) keepAnswer(key, text string) error {
	now := p.o.Now()
	err := state.At(p.c.State).Update(func(t state.Tx) error {
		_, err := t.Exec("INSERT OR REPLACE INTO answers (question, at, answer) VALUES (?, ?, ?)", key, now.UnixMilli(), text)
		if err == nil {
			_, err = t.Exec("DELETE FROM answers WHERE at <= ?", now.Add(-answersLive).UnixMilli())
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("keeping an answer for the run that stores it: %w", err)
	}
	return nil
}

// forgetAnswers forgets the answers that are stored as lessons by now: if a person has a
// session read anew, the model is asked anew.
func (p *Proposer) forgetAnswers() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.taken) == 0 {
		return nil
	}
	err := state.At(p.c.State).Update(func(t state.Tx) error {
		for _, key := range p.taken {
			if _, err := t.Exec("DELETE FROM answers WHERE question = ?", key); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("forgetting the answers of a dry run: %w", err)
	}
	p.taken = nil
	return nil
}
