package answer

import (
	"fmt"
	"os"

	"learnings/extractor/live"
)

// Worker is the event by which a hook starts the worker.
const Worker = "worker"

// Wake starts a worker for a corpus unless one runs, and does not wait for it. start is
// [World].Start.
func Wake(start func(dir string, args ...string) error, state, corpus string) error {
	if start == nil || live.Running(state) {
		return nil
	}
	if err := os.MkdirAll(state, 0o700); err != nil {
		return fmt.Errorf("making the state folder: %w", err)
	}
	return start(state, "hook", Worker, "--dir", corpus)
}
