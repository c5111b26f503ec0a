// Package process is about processes: the signals that end this one, the programs in
// which it runs, where to find others, and how to start it again in the background.
package process

import (
	"context"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"
)

// Interruptible returns a context that the first interrupt, SIGTERM or SIGHUP cancels,
// and one that an interrupt does not cancel. A second signal does what it does by default.
func Interruptible(ctx context.Context) (work, terminated context.Context, stop func()) {
	work, end := context.WithCancel(ctx)
	terminated, terminate := context.WithCancel(context.Background())
	got := make(chan os.Signal, 1)
	signal.Notify(got, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signal.Notify(got, syscall.SIGHUP)
	}
	go func() {
		defer signal.Stop(got)
		select {
		case s := <-got:
			end()
			if s != os.Interrupt {
				terminate()
			}
		case <-work.Done():
		}
	}()
	return work, terminated, func() { end(); terminate() }
}

// A program of ours begins without the collector: it would run three times, for 4 ms, to
// find that what packages make as they start stays. Verbs that last or need much choose
// otherwise.
func init() { Brief() }

// Brief lets garbage lie: what a hook or a search allocates is gone with the process
// some milliseconds later, and collecting it takes a tenth of the time. What reads a
// large corpus collects it before memory grows past mostMemory.
func Brief() {
	debug.SetGCPercent(800)
	debug.SetMemoryLimit(mostMemory)
}

// Frugal collects garbage as usual: for what works on all that there is, or stays open.
func Frugal() {
	debug.SetGCPercent(100)
	debug.SetMemoryLimit(math.MaxInt64)
}

// Lasting readies a program that stays open for hours and answers keys: garbage stays
// small beside what is in use. There are more threads than cores, because a frame that is
// due waits for up to 10 ms where all threads search.
func Lasting() {
	debug.SetGCPercent(50)
	debug.SetMemoryLimit(math.MaxInt64)
	runtime.GOMAXPROCS(runtime.NumCPU() + spareThreads)
}

// spareThreads is how many jobs of a desk work at the same time: one asks for a list and
// one for a card.
const spareThreads = 2

// mostMemory is past what a search needs with 200,000 lessons. Comparing 100,000 with
// each other takes no longer with it, and less than half of the memory.
const mostMemory = 380 << 20

// Bounded runs f, and returns when f does or, at the latest, the grace period after ctx
// is done: f may wait for a file that never answers, such as a pipe that nobody writes
// to or one on a network drive that is gone. It reports whether f has returned.
func Bounded(ctx context.Context, grace time.Duration, f func()) bool {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
		return true
	case <-ctx.Done():
	}
	select {
	case <-done:
		return true
	case <-time.After(grace):
		return false
	}
}

// Beside returns the path of a program in the folder of this one, or else in one of the
// folders of a PATH (see [Find]), or "" if there is none.
func Beside(name, path, goos string) string {
	if self, err := os.Executable(); err == nil {
		if found, err := exec.LookPath(filepath.Join(filepath.Dir(self), name)); err == nil {
			return found
		}
	}
	return Find(name, path, goos)
}

// Installed is [Beside] for a path that other programs are to keep: where the PATH leads to
// the same file it is that one, which an update of a package does not move, and what was
// built only for `go run` does not count.
func Installed(name, path, goos string) string {
	known := Find(name, path, goos)
	self, err := os.Executable()
	if err != nil || strings.Contains(filepath.ToSlash(self), "/go-build") {
		return known
	}
	beside, err := exec.LookPath(filepath.Join(filepath.Dir(self), name))
	if err != nil {
		return known
	}
	a, errA := os.Stat(beside)
	b, errB := os.Stat(known)
	if errA == nil && errB == nil && os.SameFile(a, b) {
		return known
	}
	return beside
}

// Find returns the path of a program that is in one of the folders of a PATH, or ""
// if there is none. A folder that is not absolute is passed over: a program that
// happens to lie in the current folder is never run. On Windows the system decides.
func Find(name, path, goos string) string {
	if goos == "windows" {
		found, _ := exec.LookPath(name)
		return found
	}
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if found, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return found
		}
	}
	return ""
}
