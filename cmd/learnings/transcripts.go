package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/sample"
	"learnings/extractor"
	"learnings/extractor/transcript"
)

// absolute is the path of a file as marks have it.
func (a *app) absolute(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(a.cwd, path)
	}
	return filepath.Clean(path)
}

func fromFlag(cmd *cobra.Command, from *[]string) {
	cmd.Flags().StringArrayVar(from, "from", nil, "look in this file or folder instead; repeat it for more")
}

// transcripts are where sessions are looked for.
func (a *app) transcripts(from []string) (transcript.Places, error) {
	if len(from) > 0 {
		var out transcript.Places
		for _, f := range from {
			if !filepath.IsAbs(f) {
				f = filepath.Join(a.cwd, f)
			}
			out = append(out, transcript.Place{Path: f, Named: true})
		}
		return out, nil
	}
	p, err := a.located()
	if err != nil {
		return nil, err
	}
	if a.sample {
		return sample.Transcripts(filepath.Dir(p.Corpus)), nil
	}
	return transcript.DefaultPlaces(a.home, a.getenv), nil
}

// notRead tells where agents keep sessions that are not read; of places that a
// person named it has nothing to tell.
func (a *app) notRead(from []string) (out []error) {
	if len(from) > 0 || a.sample {
		return nil
	}
	for _, u := range transcript.NotRead(a.home, a.getenv) {
		out = append(out, fmt.Errorf("%s in %s is not read: %s", u.Agent, a.short(u.Path), u.Why))
	}
	return out
}

// marks is the ledger of what was extracted from which transcript.
func (a *app) marks() (*extractor.Ledger, error) {
	p, err := a.located()
	if err != nil {
		return nil, err
	}
	return extractor.OpenLedger(p.State)
}

// modelMarks is the ledger of what a model has read.
func (a *app) modelMarks() (*extractor.Ledger, error) {
	p, err := a.located()
	if err != nil {
		return nil, err
	}
	return extractor.OpenModelLedger(p.State)
}
