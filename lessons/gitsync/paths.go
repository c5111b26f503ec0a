package gitsync

import (
	"strings"

	"learnings/lessons/file"
)

// The files that a synced corpus has beside its lessons, and goneFile.
const (
	ignoreFile     = ".gitignore"
	attributesFile = ".gitattributes"
)

// ours reports whether syncing writes and commits a path.
func ours(path string) bool {
	return path == goneFile || path == ignoreFile || path == attributesFile || file.Is(path)
}

// safePath reports whether a path of a commit may be written to. A commit can
// hold any path.
func safePath(p string) bool {
	for part := range strings.SplitSeq(p, "/") {
		low := strings.ToLower(strings.TrimRight(part, " ."))
		if low == "" || low == ".git" || strings.HasPrefix(low, "git~") || strings.ContainsAny(part, "\\:\x00") {
			return false
		}
	}
	return true
}
