//go:build !windows

package process

import (
	"os/exec"
	"syscall"
)

// Group makes cmd the leader of a new process group, and returns a function that kills
// what is left of the group after cmd has ended.
func Group(cmd *exec.Cmd) (reap func()) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return func() {
		if cmd.Process != nil {
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		}
	}
}

// detached gives a process its own session, so that no signal to the agent's group or
// terminal reaches it.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
