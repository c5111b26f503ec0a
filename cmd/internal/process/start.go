package process

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

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
