package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/mmap-go"

	"learnings/index/meaning"
	"learnings/lessons/atomicfile"
)

// A search looks at the vectors of nearly all lessons, and bleve unpacks all that is stored
// of a document to give one field of it. So the vectors of a file of the index stand beside
// it once more, one document after the other, and are read where they lie. A file of the
// index never changes; what stands beside it is made when it is new, and is left out where
// that fails or the file is small: then what is stored is read.
//
// It is magic, the checksum of the file of the index, the number of its documents, where
// what is of each begins and the last one ends, and that: see [meaning.Pack]. All numbers
// are little-endian, of four bytes.

const (
	columnFolder = "VECTORS" // in a generation
	columnMagic  = "vectors1"
	columnHeader = len(columnMagic) + 2*4
	leastColumn  = 500 // documents
)

// A column has the packed vectors of the documents of a file of the index. Without data it
// has none.
type column struct {
	mapped mmap.MMap
	docs   uint64
}

// of is what is packed of a document; nil where that is broken.
func (c column) of(doc uint64) []byte {
	if doc >= c.docs {
		return nil
	}
	ends := c.mapped[columnHeader+4*int(doc):]
	from, to := binary.LittleEndian.Uint32(ends), binary.LittleEndian.Uint32(ends[4:])
	if int64(from) < int64(columnHeader)+4*int64(c.docs+1) || from > to || int64(to) > int64(len(c.mapped)) {
		return nil
	}
	return c.mapped[from:to]
}

// zapped is what a file of an index tells of itself.
type zapped interface {
	Path() string
	CRC() uint32
}

// columnPath is where the column of a file is, beside the folder that the file is in.
func columnPath(z zapped) string {
	dir, name := filepath.Split(z.Path())
	return filepath.Join(dir, "..", columnFolder, name)
}

// columns are those of the files of an index that have one, until done is called.
func columns(snap *scorch.IndexSnapshot) (all []column, done func()) {
	all = make([]column, len(snap.Segments()))
	for i, s := range snap.Segments() {
		if z, ok := s.Segment().(zapped); ok && s.FullSize() >= leastColumn {
			all[i] = openColumn(z, uint64(s.FullSize()))
		}
	}
	return all, func() {
		for _, c := range all {
			if c.mapped != nil {
				_ = c.mapped.Unmap()
			}
		}
	}
}

func openColumn(z zapped, docs uint64) column {
	f, err := os.Open(columnPath(z))
	if err != nil {
		return column{}
	}
	defer f.Close()
	m, err := mmap.Map(f, mmap.RDONLY, 0)
	if err != nil {
		return column{}
	}
	c := column{m, docs}
	head := binary.LittleEndian.AppendUint32([]byte(columnMagic), z.CRC())
	head = binary.LittleEndian.AppendUint32(head, uint32(docs))
	ends := columnHeader + 4*int(docs+1)
	if len(m) < ends || string(m[:columnHeader]) != string(head) || int(binary.LittleEndian.Uint32(m[ends-4:])) != len(m) {
		_ = m.Unmap()
		return column{}
	}
	return c
}

// columnize makes the columns that an index lacks and removes those that are of none of its
// files any more.
func columnize(b bleve.Index) error {
	snap, done, err := snapshot(b)
	if err != nil {
		return err
	}
	defer done()
	kept, dir := map[string]bool{}, ""
	for i, s := range snap.Segments() {
		z, ok := s.Segment().(zapped)
		if !ok || s.FullSize() < leastColumn {
			continue
		}
		path := columnPath(z)
		kept[filepath.Base(path)], dir = true, filepath.Dir(path)
		if c := openColumn(z, uint64(s.FullSize())); c.mapped != nil {
			_ = c.mapped.Unmap()
		} else if err := writeColumn(path, z, snap, i); err != nil {
			return fmt.Errorf("writing the vectors of %s: %w", filepath.Base(path), err)
		}
	}
	if dir == "" {
		return nil
	}
	files, err := os.ReadDir(dir)
	for _, f := range files {
		if !kept[f.Name()] {
			_ = os.Remove(filepath.Join(dir, f.Name())) // else the next write does
		}
	}
	return err
}

func writeColumn(path string, z zapped, snap *scorch.IndexSnapshot, at int) error {
	segments := snap.Segments()
	docs := make([]uint64, segments[at].FullSize())
	for i := range docs {
		docs[i] = uint64(i)
		for _, s := range segments[:at] {
			docs[i] += uint64(s.FullSize())
		}
	}
	packed := make([][]byte, len(docs))
	err := readAll(snap, docs, meaningField, func(i int, value []byte) (err error) {
		packed[i], err = meaning.Pack(value)
		return err
	})
	if err != nil {
		return err
	}
	head := binary.LittleEndian.AppendUint32([]byte(columnMagic), z.CRC())
	head = binary.LittleEndian.AppendUint32(head, uint32(len(docs)))
	end := columnHeader + 4*(len(docs)+1)
	head = binary.LittleEndian.AppendUint32(head, uint32(end))
	for _, p := range packed {
		end += len(p)
		head = binary.LittleEndian.AppendUint32(head, uint32(end))
	}
	if int64(end) > 1<<32-1 {
		return errors.New("they are more than a column holds")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(head)
		for _, p := range packed {
			if err == nil {
				_, err = w.Write(p)
			}
		}
		return err
	})
}
