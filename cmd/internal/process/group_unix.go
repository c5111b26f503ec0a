//go:build !windows

package process

import (
	"os/exec"
	"syscall"
)

// Group makes a command that is to be run the leader of a group, and returns what kills
// all that is left of that when the command is over.
func Group(cmd *exec.Cmd) (reap func()) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return func() {
		if cmd.Process != nil {
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		}
	}
}
