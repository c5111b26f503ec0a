package intake

import (
	"context"
	"iter"

	"learnings/extractor"
	"learnings/extractor/transcript"
)

// Run reads transcripts as [extractor.Run] does, with the same errors, and keeps
// what comes of each before it yields it: it stores, and then commits the
// mark. A crash between the two, or a caller that stops early, leaves at most
// one transcript to be read once more, which gives the same lessons with the
// same ids.
//
// Options.Known is set to [Intake.Known], and Options.Weigh to what the person's
// decisions say (see [proof.Calibration]). With Options.From a mark is committed
// only if the ledger's is not further on: others have read on since. A nil
// ledger reads everything from its start and commits nothing.
//
// An error that is a *[extractor.FileError] belongs to one transcript, and Run
// goes on with the next; any other is the last thing that is yielded.
func (in *Intake) Run(ctx context.Context, files []transcript.File, marks *extractor.Ledger, o extractor.Options) iter.Seq2[Taken, error] {
	o.Known, o.Weigh = in.Known, in.weigh
	return func(yield func(Taken, error) bool) {
		if in.Listener != nil {
			defer in.Listener.Keep(ctx)
		}
		for b, err := range extractor.Run(ctx, files, marks, o) {
			if err != nil {
				if !yield(Taken{Batch: b}, err) {
					return
				}
				continue // extractor.Run ends after an error that ends it
			}
			t, err := in.Keep(b)
			if err == nil && marks != nil {
				err = commit(b.Mark, marks, o)
			}
			if err == nil && marks != nil && !o.Anew {
				in.listen(ctx, b, o)
			}
			if !yield(t, err) || err != nil {
				return
			}
		}
	}
}

// DryRun gives what Run would store if nothing were known, and stores nothing.
func DryRun(ctx context.Context, files []transcript.File, marks *extractor.Ledger, o extractor.Options) iter.Seq2[Taken, error] {
	return func(yield func(Taken, error) bool) {
		for b, err := range extractor.Run(ctx, files, marks, o) {
			if !yield(Taken{Batch: b, Stored: b.Lessons}, err) {
				return
			}
		}
	}
}

// listen passes on what the person said in a transcript that is read once.
func (in *Intake) listen(ctx context.Context, b extractor.Batch, o extractor.Options) {
	if in.Listener == nil || b.Short || b.Excluded != "" || len(b.Prompts) == 0 {
		return
	}
	project := ""
	if o.Project != nil && b.Session.Dir != "" {
		project = o.Project(b.Session.Dir)
	}
	in.Listener.Hear(b.Session.ID, project, b.Prompts)
}

func commit(m extractor.Mark, marks *extractor.Ledger, o extractor.Options) error {
	if now, ok := marks.Mark(m.Path); ok && o.From != nil && now.Offset > m.Offset {
		return nil
	}
	return marks.Commit(m)
}
