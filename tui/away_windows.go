package tui

// hasShell is false: jobs are not stopped there.
func hasShell() bool { return false }
