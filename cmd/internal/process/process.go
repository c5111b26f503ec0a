// Package process handles processes: the signals that end this one, the programs above
// it, finding other programs, and starting itself in the background.
package process

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
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

// Lasting prepares for hours of interactive use: it keeps garbage small, and adds threads
// beyond the cores, because a frame can wait 10 ms while all threads search.
func Lasting() {
	debug.SetMemoryLimit(math.MaxInt64)
	runtime.GOMAXPROCS(runtime.NumCPU() + spareThreads)
	new(pacer).pace()
}

const (
	spareHeap    = 8 << 20 // bytes of garbage that a heap of any size may hold
	leastGarbage = 40      // as a share of a large heap, in percent
	mostGarbage  = 150
)

// A pacer sets the collector after each of its runs. With a fixed percentage the desk, whose
// heap is 5 MB most of the time, would collect twenty times a second, which took a third of
// the processor time of a key.
type pacer struct{ percent int }

func (p *pacer) pace() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	percent := int(100*spareHeap/max(live[0].Value.Uint64(), 1)) / 10 * 10
	if percent = min(max(percent, leastGarbage), mostGarbage); percent != p.percent {
		p.percent = percent
		debug.SetGCPercent(percent)
	}
	runtime.SetFinalizer(p, (*pacer).pace) // nothing else refers to it
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

// ofSession are variables by which an agent tells its children that they run in its
// session. A process started here outlives the session and is no part of it.
var ofSession = []string{"CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_PID", "CLAUDE_ENV_FILE"}

const (
	workerErr    = "worker.err" // the runtime's output of a worker that crashes
	maxWorkerErr = 256 << 10
)

// StartAgain starts this program again, as [Start] does.
func StartAgain(environ []string, dir string, args ...string) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("starting a worker: %w", err)
	}
	return Start(environ, self, dir, args...)
}

// Start starts a program in a folder, in a session of its own, and does not wait for it.
// Its standard streams are closed, except that errors go to a file in that folder: so an
// agent neither kills it on exit nor waits for a pipe to close. Variables that mark an
// agent's session are removed from its environment.
func Start(environ []string, program, dir string, args ...string) error {
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Env = slices.DeleteFunc(slices.Clone(environ), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(ofSession, name)
	})
	cmd.SysProcAttr = detached()
	path, how := filepath.Join(dir, workerErr), os.O_APPEND
	if info, err := os.Stat(path); err == nil && info.Size() > maxWorkerErr {
		how = os.O_TRUNC
	}
	if f, err := os.OpenFile(path, how|os.O_CREATE|os.O_WRONLY, 0o600); err == nil { // without it a crash goes unnoticed
		defer f.Close()
		cmd.Stderr = f
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting a worker: %w", err)
	}
	// A hook ends at once and leaves the child to the system. A long-lived process, such
	// as the desk, must reap it.
	go func() { _ = cmd.Wait() }()
	return nil
}

// most is how many parents are followed: more than any nesting of shells, and an end for
// a table of processes with a cycle.
const most = 32

// A process is one entry of the system's process table.
type process struct {
	parent int
	names  []string // possible names: its own, its program's, its script's
	file   string   // the path of its program; "" if unknown
	sure   bool     // see Program.Sure
	server bool     // it is a terminal multiplexer: it serves whoever is attached
}

// A Program is a program above this process.
type Program struct {
	Names []string // in lower case, without folders and endings such as .exe and .js
	File  string   // the path of its file; "" if unknown
	Sure  bool     // the file is the system's, so that no other program goes by its name
}

// Above returns the programs above a process, nearest first: its parent, the parent of
// that, and so on. Above the server of tmux or screen is whoever is attached to it. whole
// reports that the list goes up to the first process of the system; it is false in a
// namespace of the caller's own, and where the system does not tell. A program may have
// several names: an agent that is a script is called "node" and by its script.
func Above(pid int) (above []Program, whole bool) {
	above, whole = follow(pid, look)
	return above, whole && honest(pid)
}

// follow follows parents in a process table.
func follow(pid int, look func(pid int) (process, bool)) (above []Program, whole bool) {
	p, ok := look(pid)
	for len(above) < most && ok && p.parent > 1 {
		at := p.parent
		if p, ok = look(at); ok {
			above = append(above, Program{plain(p.names), p.file, p.sure})
			if client := 0; p.server {
				if client = attached(at); client > 0 {
					p.parent = client
				}
			}
		}
	}
	return above, len(above) < most && (ok || orphansKeepParents && len(above) > 0)
}

// plain removes folders, endings and duplicates from names.
func plain(names []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, n := range names {
		for _, n := range aliases(n) {
			if n != "" && !seen[n] {
				seen[n] = true
				out = append(out, n)
			}
		}
	}
	return out
}

// aliases returns the base of a path and, for a script in an npm package, the package's
// name: …/node_modules/@openai/codex/bin/codex.js is "codex" twice.
func aliases(name string) []string {
	name = strings.ToLower(strings.ReplaceAll(strings.TrimSpace(name), `\`, "/"))
	base := strings.TrimPrefix(path.Base(name), "-") // a login shell
	for _, end := range []string{".exe", ".cmd", ".mjs", ".cjs", ".js", ".py"} {
		base = strings.TrimSuffix(base, end)
	}
	out := []string{base}
	if _, pkg, ok := strings.Cut(name, "/node_modules/"); ok {
		parts := strings.Split(pkg, "/")
		if strings.HasPrefix(pkg, "@") && len(parts) > 1 {
			parts = parts[1:]
		}
		out = append(out, parts[0])
	}
	return out
}

// scripts returns the arguments that may name a program: the first, and the first after
// it that is not a flag, which an interpreter runs.
func scripts(args []string) []string {
	var out []string
	for i, a := range args {
		if i > 0 && strings.HasPrefix(a, "-") {
			continue
		}
		if out = append(out, a); len(out) == 2 {
			break
		}
	}
	return out
}
