//go:build !unix

package memories

import "testing"

func makePipe(*testing.T, string) {}
