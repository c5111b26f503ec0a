package past

import (
	"cmp"
	"context"
	"hash/fnv"
	"time"

	"learnings/extractor/rules"
	"learnings/extractor/transcript"
	"learnings/lessons"
)

// maxFailures is how many errors of one transcript are kept, so that a hostile one cannot
// fill the memory.
const maxFailures = 20_000

// A failure is a call that failed.
type failure struct {
	rules.Mistake
	record   uint64 // hash of the record's id, 0 for none: agents copy records into new sessions
	project  string
	evidence lessons.Evidence
	cure     *rules.Cure // how the call worked a little later; nil when nothing shows that
}

// failures gives those of one transcript.
func failures(ctx context.Context, f transcript.File, o Options) ([]failure, error) {
	var out []failure
	var cures rules.Cures
	info, err := o.Listener().Hear(ctx, f, func(t *transcript.Turn, r *transcript.Reader, at time.Time) {
		if len(out) == maxFailures {
			return
		}
		if c, ok := cures.Watch(r.Session().Dir, len(out), t); ok {
			for _, i := range c.Failed {
				out[i].cure = &c
			}
		}
		m, ok := rules.MistakeOf(t)
		if !ok {
			return
		}
		s := r.Session()
		x := failure{Mistake: m, evidence: lessons.Evidence{
			Agent: string(s.Agent), Session: cmp.Or(t.Session, s.ID, f.Path), UUID: t.UUID, Path: f.Path, Line: t.Line,
			By: lessons.ByTool, From: "tool-error", At: t.At, Quote: m.Error,
		}}
		if t.Tool.Command != "" {
			x.evidence.Before = []string{"agent, " + t.Tool.Name + ": " + clipped(t.Tool.Command)}
		}
		if t.UUID != "" {
			h := fnv.New64a()
			_, _ = h.Write([]byte(t.UUID + "\x00" + m.Print))
			x.record = h.Sum64()
		}
		out = append(out, x)
	})
	if err != nil {
		return nil, err
	}
	project := o.Project(info.Session.Dir)
	for i := range out {
		out[i].project = project
	}
	return out, nil
}
