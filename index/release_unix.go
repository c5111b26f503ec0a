//go:build unix

package index

import (
	"github.com/blevesearch/bleve/v2/index/scorch"
	"golang.org/x/sys/unix"
)

// release takes what was read of the files out of the memory of this process; it stays in
// the system's cache. The files are mapped, and what was once touched of a large one
// would count as ours until it is closed.
func release(snap *scorch.IndexSnapshot) {
	for _, s := range snap.Segments() {
		if f, ok := s.Segment().(interface{ Data() []byte }); ok && len(f.Data()) > 0 {
			_ = unix.Madvise(f.Data(), unix.MADV_DONTNEED) // of a file that is mapped to be read it loses nothing
		}
	}
}
