package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/render"
	"learnings/cmd/internal/settings"
	"learnings/cmd/internal/term"
	"learnings/extractor"
	"learnings/extractor/past"
	"learnings/extractor/redact"
	"learnings/extractor/transcript"
)

func newSessions(a *app) *cobra.Command {
	v := a.verb("sessions", needsSettings, countArgs(0, 0, ""), "{language}", past.Language, "{fields}", past.Fields())
	from, project := v.from(), v.project()
	wanted := v.String("where", "", "list those that match, as in 'spin>3 errors>5 project:shop'")
	by := v.String("sort", "", "by this field, the most first; -FIELD the least first (default: the newest first)")
	limit := v.limit("at most so many; 0 for all (default: 50 on a terminal, else all)")
	v.json(a, "one JSON object a line, with all figures")
	return v.Run(func(ctx context.Context, _ []string) error {
		if _, err := render.Choose(nil, *wanted, "", *by, a.now()); err != nil {
			return err // fail before reading anything
		}
		finder, err := sessionFinder(a)
		if finder == nil {
			return err
		} else if err != nil {
			a.Warn("%v", err)
		}
		where := a.transcripts(*from)
		var found []past.Row
		failed := 0
		for row, err := range finder.All(ctx, where) {
			if err != nil {
				a.Warn("%v", err)
				failed++
				continue
			}
			if row.BadLines > 0 {
				a.Warn("%s: %s skipped; the first: %v", a.short(row.Path), term.Plural(row.BadLines, "bad line"), row.FirstBad.Err)
			}
			found = append(found, row)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		list, err := render.Choose(found, *wanted, a.conf.Canonical(*project), *by, a.now())
		if err != nil {
			return err
		}
		list.Where, list.Rows = render.Places(where, a.short), cut(list.Rows, a.atMost(*limit, screenful))
		if err := a.Give(list.Answer()); err != nil {
			return err
		}
		if !a.Terminals.Out {
			a.Note("%s", list.Looked())
		}
		for _, err := range a.notRead(*from, readBefore(found)) {
			a.Note("%v", err)
		}
		if failed > 0 {
			return fmt.Errorf("%s could not be read", term.Plural(failed, "place"))
		}
		return nil
	})
}

// readBefore knows the files of rows.
func readBefore(rows []past.Row) func(transcript.File) (transcript.File, bool) {
	files := map[string]transcript.File{}
	for _, r := range rows {
		files[r.Path] = r.File
	}
	return func(f transcript.File) (transcript.File, bool) { f, ok := files[f.Path]; return f, ok }
}

// transcripts returns the places to look for sessions.
func (a *app) transcripts(from []string) (out transcript.Places) {
	switch {
	case len(from) > 0:
		for _, f := range from {
			if !filepath.IsAbs(f) {
				f = filepath.Join(a.cwd, f)
			}
			out = append(out, transcript.Place{Path: f, Named: true})
		}
		return out
	case a.sample:
		return settings.SampleTranscripts(filepath.Dir(a.places.Corpus))
	}
	return append(transcript.DefaultPlaces(a.home, a.getenv), transcript.InProject(a.cwd)...)
}

// notRead says what in the places of sessions cannot be read, and which agents keep theirs
// where nothing is read.
func (a *app) notRead(from []string, known func(transcript.File) (transcript.File, bool)) []error {
	all := transcript.NotRead(a.transcripts(from), known)
	if len(from) == 0 && !a.sample {
		all = append(all, transcript.Elsewhere(a.home, a.getenv)...)
	}
	return a.unread(all)
}

func (a *app) unread(all []transcript.Unread) (out []error) {
	for _, u := range all {
		where := a.short(u.Path)
		if u.Agent != "" {
			where = u.Agent + " in " + where
		}
		if u.Why == transcript.Unknown {
			out = append(out, fmt.Errorf("seen, not readable yet: %s", where))
			continue
		}
		is := "is not read"
		if u.Some {
			is = "is not all read"
		}
		out = append(out, fmt.Errorf("%s %s: %s", where, is, u.Why))
	}
	return out
}

// sessionFinder returns a finder of sessions, with what was done in them and what the
// corpus knows of them.
func sessionFinder(a *app) (*past.Finder, error) {
	o, unkept, err := a.pastOptions()
	if err != nil {
		return nil, err
	}
	marks, err := extractor.OpenLedger(a.places.State)
	if err != nil {
		return nil, err
	}
	return &past.Finder{Options: o, Marks: marks, Role: a.conf.Role.Value, NotRead: func() []error { return a.notRead(nil, marks.Recall) }, Now: a.now}, unkept
}

// past returns the options for reading past sessions, with the cache of what was read.
func (a *app) past() (past.Options, error) {
	o, unkept, err := a.pastOptions()
	if unkept != nil {
		a.Warn("%v", unkept)
	}
	return o, err
}

// pastOptions returns the options of past, and why there is no cache.
func (a *app) pastOptions() (o past.Options, unkept, err error) {
	a.shared()
	ps, err := a.pauses()
	kept, unkept := past.Open(a.places.State)
	if unkept != nil {
		unkept = fmt.Errorf("%w; all sessions are read", unkept)
	}
	return past.Options{Kept: kept, Project: a.project, Excluded: a.exclusion().Func(), Paused: ps.Holds, Redact: redact.New().Redact}, unkept, err
}

// shared makes what goroutines share of a, before they do.
func (a *app) shared() {
	a.project(a.cwd)
	a.exclusion()
}

// pastSessions returns the sessions for trying guards.
func pastSessions(a *app, from []string) render.PastSessions {
	return func() (files []transcript.File, o past.Options, err error) {
		if o, err = a.past(); err == nil {
			files, _, err = everyTranscript(a, from)
		}
		return files, o, err
	}
}
