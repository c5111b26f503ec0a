// Package lazy defers what start-up need not pay for. A hook runs for some
// milliseconds, and would spend two of them compiling expressions that it never
// uses.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp gives the compiled expression, which is compiled when it is first asked
// for. One that does not compile panics then, so a test has to ask for it.
func Regexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
