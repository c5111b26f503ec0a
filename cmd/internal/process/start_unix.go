//go:build !windows

package process

import "syscall"

// detached gives a process its own session, so that no signal to the agent's group or
// terminal reaches it.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
