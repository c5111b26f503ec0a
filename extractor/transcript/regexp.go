package transcript

import (
	"regexp"
	"sync"
)

// lazyRegexp gives a regular expression that is compiled when it is first asked for: a hook runs
// for some milliseconds, and would spend two of them on expressions that it never uses.
func lazyRegexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
