package transcript

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// maxUnpacked is the most that is read of what a packed file holds.
const maxUnpacked = 1 << 30

var (
	zstdMagic   = []byte{0x28, 0xb5, 0x2f, 0xfd}
	errUnpacked = fmt.Errorf("holds more than %d MiB", maxUnpacked>>20)
)

// An unpacker reads a file that is packed with zstd, of one frame or many. The
// memory that it takes does not depend on what the file says.
type unpacker struct {
	z    *zstd.Decoder
	left int64
	grow bool // a last frame that is cut is being written
}

// A packError is what is wrong with a packed file.
type packError struct{ err error }

func (e *packError) Error() string { return "unpacking: " + e.err.Error() }
func (e *packError) Unwrap() error { return e.err }

func unpack(r io.Reader, growing bool) (io.Reader, error) {
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(16<<20))
	if err != nil {
		return nil, &packError{err}
	}
	return &unpacker{z: z, left: maxUnpacked, grow: growing}, nil
}

func (u *unpacker) Read(p []byte) (int, error) {
	if u.left <= 0 {
		return 0, &packError{errUnpacked}
	}
	n, err := u.z.Read(p[:min(int64(len(p)), u.left)])
	u.left -= int64(n)
	switch {
	case err == nil || errors.Is(err, io.EOF):
		return n, err
	case u.grow && errors.Is(err, io.ErrUnexpectedEOF):
		return n, io.EOF
	}
	return n, &packError{err}
}

// unpackHead returns the unpacked beginning of a file that begins with head, or head if
// it is not packed.
func unpackHead(head []byte) (plain []byte, packed bool) {
	if !bytes.HasPrefix(head, zstdMagic) {
		return head, false
	}
	u, err := unpack(bytes.NewReader(head), true)
	if err != nil {
		return nil, true
	}
	plain, _ = io.ReadAll(io.LimitReader(u, max(HeadSize, int64(len(head))))) // as far as it goes
	return plain, true
}

// unpackIfPacked returns what is to be read instead of r, which may be packed.
func unpackIfPacked(r *bufio.Reader, growing bool) (*bufio.Reader, error) {
	if head, _ := r.Peek(len(zstdMagic)); !bytes.Equal(head, zstdMagic) { // an error comes again with the next read
		return r, nil
	}
	u, err := unpack(r, growing)
	return buffered(u), err
}
