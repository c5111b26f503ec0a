package index

// SetMaxFiles has an index count as worn with fewer files, until restore.
func SetMaxFiles(n int) (restore func()) {
	was := maxFiles
	maxFiles = n
	return func() { maxFiles = was }
}
