package lessons

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// FilePattern reports whether a pattern is valid for [MeansFile].
func FilePattern(pattern string) bool { return doublestar.ValidatePattern(pattern) }

// MeansFile reports whether a pattern, as in [Limit.Paths], matches a file, whose path
// may begin above the project. As in .gitignore, a pattern without a slash matches the
// name anywhere, and one that ends in a slash matches everything below.
func MeansFile(pattern, file string) bool {
	file = path.Clean(strings.ReplaceAll(file, `\`, "/"))
	pattern = strings.TrimPrefix(strings.TrimPrefix(pattern, "./"), "/")
	if strings.HasSuffix(pattern, "/") {
		pattern += "**"
	}
	for rest := strings.TrimPrefix(file, "/"); ; {
		if ok, err := doublestar.Match(pattern, rest); ok && err == nil {
			return true
		}
		_, below, more := strings.Cut(rest, "/")
		if !more {
			return false
		}
		rest = below
	}
}
