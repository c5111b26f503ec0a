package intake

import (
	"context"
	"iter"

	"learnings/extractor"
	"learnings/extractor/transcript"
)

// Run reads transcripts as [extractor.Run] does, with the same errors. Before it yields
// a batch it stores what came of it, then commits the mark. After a crash between the
// two, or when the caller stops early, at most one transcript is read again, which
// gives the same lessons with the same ids.
//
// Run sets Options.Known to [Intake.Known], and Options.Weigh from the person's
// decisions (see [proof.Calibration]). With Options.From it commits a mark only if the
// ledger's is not further on, because others may have read on. A nil ledger reads
// everything from its start and commits nothing.
//
// After a *[extractor.FileError], which belongs to one transcript, Run goes on with the
// next. Any other error is the last thing it yields.
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
				continue // extractor.Run ends after a fatal error
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

// DryRun yields what Run would store if the corpus were empty, and stores nothing.
func DryRun(ctx context.Context, files []transcript.File, marks *extractor.Ledger, o extractor.Options) iter.Seq2[Taken, error] {
	o.Weigh = doubted
	return func(yield func(Taken, error) bool) {
		for b, err := range extractor.Run(ctx, files, marks, o) {
			if !yield(Taken{Batch: b, Stored: b.Lessons}, err) {
				return
			}
		}
	}
}

// listen passes on what the person said in a transcript.
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
