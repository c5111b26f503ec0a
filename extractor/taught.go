package extractor

import (
	"context"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// maxTaught is how long a transcript may be for [Taught] to be told in the time of a
// hook.
const maxTaught = 8 << 20

// Taught reports whether the proposers would make a lesson, and a likely one, of what a
// person has said in a session so far. It remembers nothing. Of a very long transcript
// it is false, and so it is of one that is excluded.
func Taught(ctx context.Context, path string, o Options) (bool, error) {
	in, f, err := transcript.Open(path)
	if err != nil {
		return false, err
	}
	in.Close()
	if f.Size > maxTaught {
		return false, nil
	}
	f.Named = true
	b, err := Extract(ctx, f, Mark{}, o)
	if err != nil {
		return false, err
	}
	for _, l := range b.Lessons {
		if l.Lane != lessons.Maybe && l.SaidBy() == lessons.ByPerson {
			return true, nil
		}
	}
	return false, nil
}
