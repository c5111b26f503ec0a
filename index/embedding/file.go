package embedding

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"learnings/index/meaning"
	"learnings/lessons/atomicfile"
)

// This file is vectors on disk. A file holds those of one model, all of one length:
//
//	"LEV1", u32 length of a vector, u32 CRC of these eight bytes
//	and then chunks: u32 n, u32 CRC of the heads, n heads (u64 key, u32 CRC of its
//	vector), n vectors, a signed byte a number
//
// all little endian. It is written at its end alone. A chunk that is not whole, and what
// is behind it, is as if it were not there; the next writer cuts it off. A vector that is
// not what its CRC says is unknown.

const (
	fileMagic = "LEV1"
	headBytes = 8 + 4

	longest   = 1 << 14   // numbers of a vector
	mostChunk = 4096      // vectors of a chunk
	mostBytes = 512 << 20 // of a file
)

// vectors are those of a file, each read when it is asked for.
type vectors struct {
	from io.ReaderAt
	dim  int
	at   map[meaning.Key]spot
	end  int64 // of what is whole

	chunks int
}

type spot struct {
	offset int64
	sum    uint32
}

var errNoVectors = errors.New("this is no file of vectors")

// readHeads finds out what a file of a size holds.
func readHeads(from io.ReaderAt, size int64) (vectors, error) {
	v := vectors{from: from, at: map[meaning.Key]spot{}}
	var first [12]byte
	if _, err := from.ReadAt(first[:], 0); err != nil || string(first[:4]) != fileMagic || crc32.ChecksumIEEE(first[:8]) != binary.LittleEndian.Uint32(first[8:]) {
		return v, errNoVectors
	}
	if v.dim = int(binary.LittleEndian.Uint32(first[4:])); v.dim < 1 || v.dim > longest {
		return v, errNoVectors
	}
	v.end = int64(len(first))
	for {
		var intro [8]byte
		if _, err := from.ReadAt(intro[:], v.end); err != nil {
			return v, nil
		}
		n := int64(binary.LittleEndian.Uint32(intro[:]))
		rows := v.end + int64(len(intro)) + n*headBytes
		if n < 1 || n > mostChunk || rows+n*int64(v.dim) > size {
			return v, nil
		}
		heads := make([]byte, n*headBytes)
		if _, err := from.ReadAt(heads, v.end+int64(len(intro))); err != nil || crc32.ChecksumIEEE(heads) != binary.LittleEndian.Uint32(intro[4:]) {
			return v, nil
		}
		for i := range n {
			h := heads[i*headBytes:]
			v.at[meaning.Key(binary.LittleEndian.Uint64(h))] = spot{rows + i*int64(v.dim), binary.LittleEndian.Uint32(h[8:])}
		}
		v.end = rows + n*int64(v.dim)
		v.chunks++
	}
}

// of gives the vector of a key, in a buffer of the right length; nil for none.
func (v vectors) of(k meaning.Key, buffer []byte) []byte {
	s, ok := v.at[k]
	if !ok {
		return nil
	}
	if _, err := v.from.ReadAt(buffer[:v.dim], s.offset); err != nil || crc32.ChecksumIEEE(buffer[:v.dim]) != s.sum {
		return nil
	}
	return buffer[:v.dim]
}

// vector is of as a vector of its own.
func (v vectors) vector(k meaning.Key) meaning.Vector {
	b := v.of(k, make([]byte, v.dim))
	if b == nil {
		return nil
	}
	out := make(meaning.Vector, len(b))
	for i, x := range b {
		out[i] = int8(x)
	}
	return out
}

// open opens the vectors of a file, until the file is closed.
func open(path string) (*os.File, vectors, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, vectors{}, err
	}
	info, err := f.Stat()
	var v vectors
	if err == nil {
		v, err = readHeads(f, info.Size())
	}
	if err != nil {
		f.Close()
		return nil, v, err
	}
	return f, v, nil
}

// An entry is a vector to be kept.
type entry struct {
	key    meaning.Key
	vector meaning.Vector
}

// chunk is entries as a file has them.
func chunk(entries []entry) []byte {
	heads := make([]byte, 0, len(entries)*headBytes)
	var rows []byte
	for _, e := range entries {
		at := len(rows)
		for _, x := range e.vector {
			rows = append(rows, byte(x))
		}
		heads = binary.LittleEndian.AppendUint64(heads, uint64(e.key))
		heads = binary.LittleEndian.AppendUint32(heads, crc32.ChecksumIEEE(rows[at:]))
	}
	out := binary.LittleEndian.AppendUint32(nil, uint32(len(entries)))
	out = binary.LittleEndian.AppendUint32(out, crc32.ChecksumIEEE(heads))
	return append(append(out, heads...), rows...)
}

// beginning is that of a file of vectors of a length.
func beginning(dim int) []byte {
	out := binary.LittleEndian.AppendUint32([]byte(fileMagic), uint32(dim))
	return binary.LittleEndian.AppendUint32(out, crc32.ChecksumIEEE(out))
}

// errFull says that a file may not grow any more.
var errFull = fmt.Errorf("the vectors would take more than %d MB", mostBytes>>20)

// add writes entries behind those of a file, which it makes if there is none. The caller
// is the only writer.
func add(path string, entries []entry) error {
	if len(entries) == 0 {
		return nil
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	have, err := readHeads(f, info.Size())
	if errors.Is(err, errNoVectors) {
		have = vectors{dim: len(entries[0].vector)}
		if err := f.Truncate(0); err != nil {
			return err
		}
		first := beginning(have.dim)
		if _, err := f.WriteAt(first, 0); err != nil {
			return err
		}
		have.end = int64(len(first))
	} else if err != nil {
		return err
	}
	for len(entries) > 0 {
		n := min(len(entries), mostChunk)
		c := chunk(entries[:n])
		if have.end+int64(len(c)) > mostBytes {
			return errFull
		}
		if err := f.Truncate(have.end); err != nil {
			return err
		}
		if _, err := f.WriteAt(c, have.end); err != nil {
			return err
		}
		have.end, entries = have.end+int64(len(c)), entries[n:]
	}
	return nil
}

// keep writes a file anew with what of it is wanted, in as few chunks as there can be.
func keep(path string, wanted func(meaning.Key) bool) error {
	f, v, err := open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return atomicfile.Write(path, func(w io.Writer) error {
		if _, err := w.Write(beginning(v.dim)); err != nil {
			return err
		}
		var some []entry
		flush := func() error {
			if len(some) == 0 {
				return nil
			}
			_, err := w.Write(chunk(some))
			some = some[:0]
			return err
		}
		for k := range v.at {
			row := v.vector(k)
			if row == nil || !wanted(k) {
				continue
			}
			if some = append(some, entry{k, row}); len(some) == mostChunk {
				if err := flush(); err != nil {
					return err
				}
			}
		}
		return flush()
	})
}
