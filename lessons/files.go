package lessons

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// FilePattern reports whether a text can be a pattern of files for [MeansFile].
func FilePattern(pattern string) bool { return doublestar.ValidatePattern(pattern) }

// MeansFile reports whether a pattern, as those of [Limit.Paths], means a file, whose
// path may begin above the project. One without a folder means files of that name
// anywhere, as in .gitignore; one that ends in a slash means what is below.
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
