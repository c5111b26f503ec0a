//go:build !windows

package llm

import (
	"os/exec"
	"syscall"
)

// asGroup makes the command the leader of a group, so that what it starts can
// be stopped with it, and has it asked to stop before it is killed.
func asGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}

// reap kills what is left of the command's group.
func reap(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}
