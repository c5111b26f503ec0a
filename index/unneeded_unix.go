//go:build unix

package index

import (
	"github.com/blevesearch/bleve/v2/index/scorch"
	"golang.org/x/sys/unix"
)

// unneeded tells the system that nothing of the files of an index is needed so far: to
// open them, bleve looks at places all over them, and with each place the system maps what
// is around it. What is needed again is there at once.
func unneeded(snap *scorch.IndexSnapshot) {
	for _, s := range snap.Segments() {
		if z, ok := s.Segment().(interface{ Data() []byte }); ok {
			_ = unix.Madvise(z.Data(), unix.MADV_DONTNEED) // for memory only
		}
	}
}
