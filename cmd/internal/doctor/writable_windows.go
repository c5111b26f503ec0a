package doctor

// writable is not known here without writing.
func writable(string) bool { return true }
