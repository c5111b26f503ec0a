//go:build !windows

package process

import "syscall"

// detached gives a process a session of its own, so that no signal meant for
// the agent's group or terminal reaches it.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
