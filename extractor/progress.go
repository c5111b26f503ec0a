package extractor

// progressStep is after how many bytes progress is told again.
const progressStep = 1 << 20

// count returns what a worker calls with the bytes it has read of a file.
func (r *run) count(path string) func(int64) {
	return func(n int64) {
		if read := r.read.Add(n); read-r.told.Load() >= progressStep {
			r.report(path, false)
		}
	}
}

// report tells progress, one call at a time. A worker that finds another
// telling does not wait for it.
func (r *run) report(path string, must bool) {
	if r.o.Progress == nil {
		return
	}
	if must {
		r.tell.Lock()
	} else if !r.tell.TryLock() {
		return
	}
	defer r.tell.Unlock()
	read := r.read.Load()
	r.told.Store(read)
	r.o.Progress(Progress{
		Path: path, Files: r.files, Done: int(r.done.Load()),
		Bytes: r.bytes, Read: min(read, r.bytes), Lessons: int(r.found.Load()),
	})
}
