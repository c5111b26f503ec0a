package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"learnings/extractor"
	"learnings/extractor/model/llm"
	"learnings/extractor/transcript"
	"learnings/lessons"
)

// A SentFile says how to read a file again as it was when it was sent in a batch.
// What was written to it since then is for the next batch.
type SentFile struct {
	Path   string         `json:"path"` // absolute
	Size   int64          `json:"size"`
	From   extractor.Mark `json:"from"`
	Budget int            `json:"budget"`
}

// SentFiles gives the files of a batch.
func SentFiles(batch llm.Batch) ([]SentFile, error) {
	var out []SentFile
	for _, key := range keys(batch) {
		var f SentFile
		if err := json.Unmarshal([]byte(key), &f); err != nil {
			return nil, fmt.Errorf("reading what was sent in the batch of %s: %v", batch.Made.Format(time.RFC3339), err)
		}
		out = append(out, f)
	}
	return out, nil
}

// WaitingFiles gives the paths of the files in the batches that are remembered in
// a folder. They are paid for: nobody else is to be asked about them.
func WaitingFiles(dir string) (map[string]bool, error) {
	batches, err := llm.Pending(dir)
	out := make(map[string]bool)
	for _, b := range batches {
		files, err := SentFiles(b)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			out[f.Path] = true
		}
	}
	return out, err
}

// AddFile adds the requests for what the file f holds behind from, and reports
// whether there is anything to ask. When there is not, the mark says how far the
// file was read. Options are those of an extraction; their proposers and marks do
// not count. After an error nothing of the file is in the next batch.
func (b *Bulk) AddFile(ctx context.Context, f transcript.File, from extractor.Mark, opts extractor.Options) (added bool, mark extractor.Mark, err error) {
	key, err := json.Marshal(SentFile{Path: f.Path, Size: f.Size, From: from, Budget: b.p.c.Budget})
	if err != nil {
		return false, mark, fmt.Errorf("remembering %s: %v", f.Path, err)
	}
	before := b.Len()
	opts.Proposers = []extractor.Proposer{questions{b, string(key)}}
	opts.From = func(string) extractor.Mark { return from }
	opts.Anew = false // from says it
	batch, err := extractor.Extract(ctx, f, from, opts)
	if err != nil {
		b.Cut(before)
	}
	return b.Len() > before, batch.Mark, err
}

// questions add a request for the turns that they are shown, and propose
// nothing.
type questions struct {
	bulk *Bulk
	key  string
}

func (q questions) Propose(ctx context.Context, s transcript.Session, turns []transcript.Turn) ([]lessons.Lesson, error) {
	_, err := q.bulk.Add(ctx, q.key, s, turns)
	return nil, err
}

// Replay collects a batch, and changes the options of an extraction so that it
// reads the files of the batch as far as they were sent, with the answers for
// proposals. When all of these are stored, forget the batch.
func (b *Bulk) Replay(ctx context.Context, batch llm.Batch, sent []SentFile, opts extractor.Options) ([]transcript.File, extractor.Options, error) {
	batch, err := b.Confirm(ctx, batch)
	if err != nil {
		return nil, opts, err
	}
	have := answers{bulk: b, by: make(map[string]Answer)}
	for answer, err := range b.Collect(ctx, batch) {
		if err != nil {
			return nil, opts, err
		}
		have.by[answer.Print] = answer
	}
	from := make(map[string]extractor.Mark)
	var files []transcript.File
	for _, f := range sent {
		from[f.Path] = f.From
		files = append(files, transcript.File{Path: f.Path, Size: f.Size})
	}
	opts.Proposers, opts.MinChars, opts.Anew = []extractor.Proposer{have}, 0, false
	opts.From = func(path string) extractor.Mark { return from[path] }
	return files, opts, nil
}

// answers propose what a model has answered.
type answers struct {
	bulk *Bulk
	by   map[string]Answer // by the print of what was sent
}

func (h answers) Propose(ctx context.Context, s transcript.Session, turns []transcript.Turn) ([]lessons.Lesson, error) {
	print := h.bulk.Print(s, turns)
	if print == "" {
		return nil, nil
	}
	again := func(err error) error {
		return &extractor.FileError{Path: s.ID, Err: err, Hint: "it is sent again by the next `learnings extract --batch`"}
	}
	a, ok := h.by[print]
	switch {
	case !ok:
		return nil, again(errors.New("the session is not what it was when it was sent"))
	case a.Err != nil:
		return nil, again(a.Err)
	}
	r, err := h.bulk.Read(ctx, a, s, turns)
	if err != nil && ctx.Err() == nil {
		err = again(err)
	}
	return r.Lessons, err
}
