package extractor

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// Run extracts from many transcripts, several at once, and yields a batch for each that held
// something new, in the order of files. Batches without lessons come too, for their marks.
//
// A nil ledger reads everything from its start. An error of one file is a *[FileError]; its
// batch has only the file, and Run goes on with the next. After any other error Run starts
// no more files. It finishes and yields those being read, because a model may have been paid
// for them, and yields the error last. When ctx is done, Run yields what was finished, then
// the context's error.
//
// Run stores nothing. The Run of package extractor/intake does: it compares with the corpus,
// adds repeated evidence to the lessons that have it, stores, and then commits the mark with
// [Ledger.Commit].
func Run(ctx context.Context, files []transcript.File, marks *Ledger, o Options) iter.Seq2[Batch, error] {
	return func(yield func(Batch, error) bool) {
		if marks != nil {
			if err := marks.Refresh(); err != nil {
				yield(Batch{}, err)
				return
			}
		}
		if o.Workers <= 0 {
			o.Workers = runtime.GOMAXPROCS(0)
		}
		r := run{o: o, marks: marks, seen: map[saying]lessons.ID{}, uuids: map[string]bool{}, observed: map[saying][]sighting{}}
		if marks != nil {
			r.observed = marks.observed()
		}
		work, stop := context.WithCancel(ctx)
		var wg sync.WaitGroup
		defer wg.Wait()
		defer stop()
		todo := r.todo(files)
		waiting := make(chan *job, 4*o.Workers) // bounds the batches that wait for their turn
		wg.Go(func() {
			defer close(waiting)
			workers := make(chan struct{}, o.Workers)
			for _, j := range todo {
				workers <- struct{}{} // a job ends soon after a stop
				if r.halted.Load() || work.Err() != nil {
					return
				}
				wg.Go(func() {
					r.do(work, j)
					close(j.done)
					<-workers
				})
				select {
				case waiting <- j:
				case <-work.Done():
					return
				}
			}
		})
		r.deliver(ctx, waiting, yield)
	}
}

// A job is a file to read. The channel is closed when batch and err are set.
type job struct {
	file  transcript.File
	from  Mark
	batch Batch
	err   error
	done  chan struct{}
}

// size returns how many bytes a job has to read.
func (r *run) size(j *job) int64 {
	if r.o.Anew || j.from.Offset >= j.file.Size {
		return j.file.Size
	}
	return j.file.Size - j.from.Offset
}

type run struct {
	o     Options
	marks *Ledger

	seen  map[saying]lessons.ID // the proposals of earlier batches
	uuids map[string]bool       // the records that they were made of, each with its proposal

	observed map[saying][]sighting // what several sessions may show

	halted   atomic.Bool // no more files are to be started
	progress Progress
}

// todo picks the files with something new.
func (r *run) todo(files []transcript.File) []*job {
	var jobs []*job
	for _, f := range files {
		f.Path = absolute(f.Path)
		f.Named = f.Named || r.o.MinChars == 0
		if r.marks != nil && !r.o.Anew && r.o.From == nil && r.o.HasRead(r.marks, f) {
			continue
		}
		j := &job{file: f, done: make(chan struct{})}
		if r.o.From != nil {
			j.from = r.o.From(f.Path)
		} else if r.marks != nil {
			j.from, _ = r.marks.Mark(f.Path)
		}
		jobs = append(jobs, j)
		r.progress.Bytes += r.size(j)
	}
	r.progress.Files = len(jobs)
	return jobs
}

func (r *run) do(ctx context.Context, j *job) {
	j.batch, j.err = Extract(ctx, j.file, j.from, r.o)
	if file := (*FileError)(nil); j.err != nil && !errors.As(j.err, &file) {
		r.halted.Store(true)
	}
	if j.err == nil && j.batch.Excluded == "" && r.o.After != nil {
		r.o.After(ctx, j.batch.File, r.o)
	}
}

// deliver yields the batches in order.
func (r *run) deliver(ctx context.Context, waiting <-chan *job, yield func(Batch, error) bool) {
	var ended error
	for j := range waiting {
		<-j.done
		if j.err == nil {
			// Finished work is delivered even when the rest is cancelled.
			if err := r.settle(context.WithoutCancel(ctx), &j.batch); err != nil {
				yield(Batch{File: j.file}, err)
				return
			}
		}
		p := &r.progress
		p.Path, p.Done, p.Read, p.Lessons = j.file.Path, p.Done+1, p.Read+r.size(j), p.Lessons+len(j.batch.Lessons)
		if r.o.Progress != nil {
			r.o.Progress(*p)
		}
		var file *FileError
		switch {
		case j.err == nil:
			if !yield(j.batch, nil) {
				return
			}
		case errors.As(j.err, &file):
			if !yield(Batch{File: j.file}, j.err) {
				return
			}
		case ctx.Err() != nil: // cancelled; later ones may be finished
		case ended == nil:
			ended = j.err
		}
		j.batch = Batch{}
	}
	if err := ctx.Err(); err != nil {
		ended = err
	}
	if ended != nil {
		yield(Batch{}, ended)
	}
}

// settle removes from a batch what earlier batches or the corpus already hold.
func (r *run) settle(ctx context.Context, b *Batch) error {
	proposed := len(b.Lessons)
	r.recur(b)
	kept := b.Lessons[:0]
	for i, l := range b.Lessons {
		l.Origin.Score = l.Confidence
		if r.o.Weigh != nil {
			var err error
			if l, err = r.o.Weigh(ctx, l); err != nil {
				return err
			}
		}
		m := sayingOf(l)
		var least lessons.Confidence
		if i >= proposed { // it came from several sessions
			least = l.Confidence
		}
		if r.copied(m, l) {
			continue
		}
		if id, ok := r.seen[m]; ok {
			b.Again = append(b.Again, Again{ID: id, Status: lessons.Pending, Evidence: l.Evidence, Least: least})
			continue
		}
		if r.o.Known != nil {
			k, err := r.o.Known(ctx, l)
			switch {
			case err != nil:
				return err
			case k.ID == l.ID && k.ID != "" && !k.Offer && !k.More:
				continue
			case k.ID != "" && !k.Reopen:
				again := Again{ID: k.ID, Status: k.Status, Evidence: l.Evidence, Triggers: l.Triggers, Least: least}
				if k.Offer {
					again.Offer = &l
				}
				b.Again = append(b.Again, again)
				continue
			}
		}
		r.seen[m] = l.ID
		kept = append(kept, l)
	}
	b.Mark.Lessons += len(kept) - len(b.Lessons)
	b.Lessons = kept
	return nil
}

// copied reports whether all evidence of a lesson are records that an earlier file also
// held: agents copy the turns of a resumed session into a new file, under the same ids.
func (r *run) copied(m saying, l lessons.Lesson) bool {
	all := true
	for _, e := range l.Evidence {
		key := strings.Join([]string{e.UUID, m.project, m.words}, "\x00")
		if e.UUID == "" || !r.uuids[key] {
			all = false
		}
		if e.UUID != "" {
			r.uuids[key] = true
		}
	}
	return all
}
