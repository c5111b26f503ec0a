package process

import "os/exec"

// Group does nothing on Windows.
func Group(*exec.Cmd) (reap func()) { return func() {} }
