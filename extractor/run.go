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

// Run extracts from many transcripts, several at once, and yields a batch for
// each that held something new, in the order of files whatever the order in
// which they were read. Batches without lessons come too, for their marks.
//
// A nil ledger reads everything from its start. An error that belongs to one
// file is a *[FileError] and comes with a batch that has the file and nothing
// else; Run goes on behind it. After any other error no more files are begun; those
// that are being read are finished and yielded, for a model may have been paid for
// them, and the error is the last thing that is yielded. When ctx is done, what was
// finished is still yielded, then the context's error.
//
// Run stores nothing. To take what it yields into a corpus, use the package
// extractor/intake, whose Run does both: it knows what the corpus holds, adds
// what is said again to the lessons that say it, stores, and then commits the
// mark with [Ledger.Commit].
func Run(ctx context.Context, files []transcript.File, marks *Ledger, o Options) iter.Seq2[Batch, error] {
	return func(yield func(Batch, error) bool) {
		if marks != nil {
			if err := marks.Refresh(); err != nil {
				yield(Batch{}, err)
				return
			}
		}
		work, stop := context.WithCancel(ctx)
		var wg sync.WaitGroup
		defer wg.Wait()
		defer stop()
		if o.Workers <= 0 {
			o.Workers = runtime.GOMAXPROCS(0)
		}
		r := run{o: o, marks: marks, seen: make(map[saying]lessons.ID), uuids: make(map[string]bool), once: make(map[string]lessons.Lesson), observed: make(map[string][]sighting), again: make(map[string][]lessons.Lesson), halted: make(chan struct{})}
		if marks != nil {
			r.observed = marks.observed()
		}
		todo := r.todo(files)
		waiting := make(chan *job, 4*o.Workers) // bounds the batches that wait for their turn
		ready := make(chan *job)
		wg.Go(func() {
			defer close(ready)
			defer close(waiting)
			for _, j := range todo {
				select {
				case waiting <- j:
				case <-r.halted:
					return
				case <-work.Done():
					return
				}
				ready <- j // a worker always comes: after a stop, jobs end at once
			}
		})
		for range o.Workers {
			wg.Go(func() {
				for j := range ready {
					r.do(work, j)
				}
			})
		}
		r.deliver(ctx, waiting, yield)
	}
}

// A job is a file to be read. The channel is closed when batch and err are
// there.
type job struct {
	file  transcript.File
	from  Mark
	batch Batch
	err   error
	done  chan struct{}
}

type run struct {
	o     Options
	marks *Ledger

	seen  map[saying]lessons.ID // what earlier batches propose
	uuids map[string]bool       // and the records they were made of, with what was made

	observed map[string][]sighting       // of what several sessions may show, by its sign
	once     map[string]lessons.Lesson   // what one batch has shown so far, by its sign
	again    map[string][]lessons.Lesson // what earlier transcripts show that were observed once more, by path

	halted chan struct{} // closed when no more files are to be begun
	halt   sync.Once

	bytes int64 // to be read
	files int
	done  atomic.Int64
	read  atomic.Int64
	found atomic.Int64
	told  atomic.Int64 // read when Progress was called last
	tell  sync.Mutex
}

// todo picks the files that hold something new.
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
		r.bytes += f.Size
		if !r.o.Anew && j.from.Offset < f.Size {
			r.bytes -= j.from.Offset
		}
	}
	r.files = len(jobs)
	return jobs
}

// errHalted is of a file that was not begun, because of another's error.
var errHalted = errors.New("not begun")

// do reads the file of a job.
func (r *run) do(ctx context.Context, j *job) {
	defer close(j.done)
	select {
	case <-r.halted:
		j.err = errHalted
		return
	default:
	}
	j.batch, j.err = extract(ctx, j.file, j.from, r.o, r.count(j.file.Path))
	if file := (*FileError)(nil); j.err != nil && !errors.As(j.err, &file) {
		r.halt.Do(func() { close(r.halted) })
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
			// What is finished is delivered even when the rest is given up.
			if err := r.settle(context.WithoutCancel(ctx), &j.batch); err != nil {
				yield(Batch{File: j.file}, err)
				return
			}
		}
		r.done.Add(1)
		r.report(j.file.Path, true)
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
		case ctx.Err() != nil || errors.Is(j.err, errHalted): // given up; others behind it may be finished
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

// settle takes out of a batch what earlier ones or the corpus hold already.
func (r *run) settle(ctx context.Context, b *Batch) error {
	proposed := len(b.Lessons)
	r.recur(ctx, b)
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
		if i >= proposed { // it is of several sessions
			least = l.Confidence
		}
		if r.copied(m, l) {
			b.Dropped.Known++
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
			case k.ID == l.ID && k.ID != "" && !k.Offer:
				b.Dropped.Known++
				continue
			case k.ID != "" && !k.Reopen:
				again := Again{ID: k.ID, Status: k.Status, Evidence: l.Evidence, Least: least}
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
	r.found.Add(int64(len(kept)))
	return nil
}

// copied reports that all evidence of a lesson are records that an earlier
// file held too: agents copy the turns of a resumed session into a new file,
// under the same ids.
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
