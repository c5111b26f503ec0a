// Package process handles processes: the signals that end this one, the programs above
// it, finding other programs, and starting itself in the background.
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
// and one that an interrupt does not cancel. A second signal has its default effect.
func Interruptible(ctx context.Context) (work, terminated context.Context, stop func()) {
	work, end := context.WithCancel(ctx)
	terminated, terminate := context.WithCancel(context.Background())
	got := make(chan os.Signal, 1)
	signal.Notify(got, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as under nohup
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

// Programs start with the collector off: it would run three times, for 4 ms, only to keep
// what packages initialise. Long or large verbs call Frugal or Lasting.
func init() { Brief() }

// Brief turns the collector off up to mostMemory. A hook or a search ends some
// milliseconds later, and collecting would take a tenth of its time.
func Brief() {
	debug.SetGCPercent(800)
	debug.SetMemoryLimit(mostMemory)
}

// Frugal turns the collector on, for work on the whole corpus and for servers.
func Frugal() {
	debug.SetGCPercent(100)
	debug.SetMemoryLimit(math.MaxInt64)
}

// Lasting prepares for hours of interactive use: it keeps garbage small and adds threads
// beyond the cores, because a frame can wait 10 ms while all threads search.
func Lasting() {
	debug.SetGCPercent(50)
	debug.SetMemoryLimit(math.MaxInt64)
	runtime.GOMAXPROCS(runtime.NumCPU() + spareThreads)
}

// spareThreads is how many jobs of the desk run at the same time: a list and a card.
const spareThreads = 2

// mostMemory is more than a search needs with 200,000 lessons. With this limit, comparing
// 100,000 lessons takes no longer and less than half the memory.
const mostMemory = 380 << 20

// Bounded runs f and returns when f does or, at the latest, the grace period after ctx is
// done: f may be blocked on a pipe without a writer or a lost network drive. It reports
// whether f has returned.
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

// Beside returns the path of a program in the folder of this one, else in a folder of
// path (see [Find]), else "".
func Beside(name, path, goos string) string {
	if self, err := os.Executable(); err == nil {
		if found, err := exec.LookPath(filepath.Join(filepath.Dir(self), name)); err == nil {
			return found
		}
	}
	return Find(name, path, goos)
}

// Installed is [Beside] for a path that other programs will store. If path leads to the
// same file it prefers that name, which survives an update of a package. It ignores
// binaries that `go run` built.
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

// Find returns the path of a program in the folders of path, or "". It skips relative
// folders, so that it never finds a program in the current folder by accident. On Windows
// the system decides.
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
