package llm

import "os/exec"

// asGroup leaves the command to be killed at once: Windows has no signal that
// asks a console program without a console of its own to stop.
func asGroup(*exec.Cmd) {}

func reap(*exec.Cmd) {}
