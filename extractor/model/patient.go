package model

import (
	"cmp"
	"context"
	"errors"

	"learnings/extractor"
	"learnings/extractor/model/llm"
	"learnings/extractor/transcript"
	"learnings/lessons"
)

// A Patient asks a model about one session after the other. An error that each
// session would meet ends the run; any other is an [extractor.FileError] of its
// session.
type Patient struct{ *Proposer }

// Propose implements [extractor.Proposer].
func (p Patient) Propose(ctx context.Context, s transcript.Session, turns []transcript.Turn) ([]lessons.Lesson, error) {
	found, err := p.Proposer.Propose(ctx, s, turns)
	if err == nil || EndsAsking(ctx, err) {
		return found, err
	}
	return nil, askAgain(s, err)
}

// askAgain is the error of one session about which the next run asks again.
func askAgain(s transcript.Session, err error) error {
	return &extractor.FileError{Path: cmp.Or(s.ID, "a session"), Err: err, Hint: "it is asked about again by the next `learnings extract --model`"}
}

// EndsAsking reports whether err is one that the next question to the model would
// meet too.
func EndsAsking(ctx context.Context, err error) bool {
	return err != nil && (ctx.Err() != nil || errors.Is(err, llm.ErrAuth) || errors.Is(err, llm.ErrCeiling) || errors.Is(err, llm.ErrNested))
}
