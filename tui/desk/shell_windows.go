package desk

// HasShell is false: Windows has no job control.
func HasShell() bool { return false }
