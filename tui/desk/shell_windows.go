package desk

// HasShell is false: jobs are not stopped there.
func HasShell() bool { return false }
