package sqlite

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"iter"
	"math"
)

// Kinds of pages of a B-tree.
const (
	indexInside = 2
	tableInside = 5
	indexLeaf   = 10
	tableLeaf   = 13
)

// maxDepth of a tree: one of 2^32 pages is less deep.
const maxDepth = 40

// MaxValue is the most bytes of a row that is read; a larger row is an error.
const MaxValue = 64 << 20

var errTree = fmt.Errorf("%w: its pages do not hang together", ErrFormat)

// A Row is a row of a table. What lies outside of its page is read when it is
// asked for.
type Row struct {
	db      *DB
	table   *table
	id      int64
	payload payload
	fields  []span
}

// ID is the rowid, which is also the value of a column that is the integer primary
// key: SQLite stores it nowhere else.
func (r Row) ID() int64 { return r.id }

// Size is how many bytes the values take, with a few for what they are.
func (r Row) Size() int64 { return int64(r.payload.size) }

// Text returns a column that is text or bytes; "" for any other.
func (r Row) Text(column string) string {
	s := r.span(column)
	if s.kind < 12 {
		return ""
	}
	b, err := r.db.bytes(r.payload, s.to)
	if err != nil {
		return ""
	}
	return string(b[s.from:s.to])
}

// Int returns a column that is a whole number; 0 for any other.
func (r Row) Int(column string) int64 {
	s := r.span(column)
	if s.kind == 9 {
		return 1
	}
	if s.kind == 0 || s.kind > 6 {
		return 0
	}
	b, err := r.db.bytes(r.payload, s.to)
	if err != nil {
		return 0
	}
	b = b[s.from:s.to]
	n := int64(int8(b[0]))
	for _, c := range b[1:] {
		n = n<<8 | int64(c)
	}
	return n
}

// span is where a column lies; kind 0, which is NULL, where the row has none.
func (r Row) span(column string) span {
	if i := r.table.column(column); i >= 0 && i < len(r.fields) {
		return r.fields[i]
	}
	return span{}
}

// Rows yields the rows of a table, in the order of their rowids, or those with
// a text in a column: then by an index, in its order, if there is one. An error
// is the last thing that is yielded.
func (db *DB) Rows(name string) iter.Seq2[Row, error] {
	return db.RowsWhere(name, "", "")
}

// RowsWhere is Rows for the rows that have a text in a column.
func (db *DB) RowsWhere(name, column, text string) iter.Seq2[Row, error] {
	t := db.tables[name]
	if t == nil || column != "" && t.column(column) < 0 {
		return func(yield func(Row, error) bool) {
			yield(Row{}, fmt.Errorf("%w: it has no table %s with %s", ErrFormat, name, column))
		}
	}
	if column == "" {
		return db.scan(t)
	}
	root, ok := t.indexes[column]
	return func(yield func(Row, error) bool) {
		if !ok {
			for r, err := range db.scan(t) {
				if (err != nil || r.Text(column) == text) && !yield(r, err) {
					return
				}
			}
			return
		}
		w := walk{db: db}
		more := w.index(root, 0, text, func(rowid int64) bool {
			p, err := db.row(t.root, rowid)
			if err != nil {
				w.err = err
				return false
			}
			r, err := db.newRow(t, rowid, p)
			w.err = err
			return err == nil && yield(r, nil)
		})
		if w.err != nil && !more {
			yield(Row{}, w.err)
		}
	}
}

func (db *DB) newRow(t *table, id int64, p payload) (Row, error) {
	fields, err := db.fields(p)
	return Row{db, t, id, p, fields}, err
}

// scan yields all rows of a table.
func (db *DB) scan(t *table) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		w := walk{db: db}
		w.table(t.root, 0, func(id int64, p payload) bool {
			r, err := db.newRow(t, id, p)
			w.err = err
			return err == nil && yield(r, nil)
		})
		if w.err != nil {
			yield(Row{}, w.err)
		}
	}
}

// A walk goes through a tree, and ends where pages do not hang together: no
// page belongs to it twice.
type walk struct {
	db   *DB
	seen uint32
	err  error
}

// enter reads a page of a tree.
func (w *walk) enter(n uint32, depth int) (node, bool) {
	if w.seen++; depth > maxDepth || w.seen > w.db.pages {
		w.err = errTree
		return node{}, false
	}
	var nd node
	nd, w.err = w.db.node(n)
	return nd, w.err == nil
}

// table calls use with each row below a page, until use says that it is enough.
func (w *walk) table(n uint32, depth int, use func(int64, payload) bool) bool {
	nd, ok := w.enter(n, depth)
	if !ok {
		return false
	}
	for i := range nd.cells {
		c, ok := nd.cell(i)
		switch {
		case !ok:
			w.err = errTree
			return false
		case nd.kind == tableLeaf:
			if !use(c.rowid, c.payload) {
				return false
			}
		case nd.kind != tableInside || !w.table(c.left, depth+1, use):
			return w.wrong(nd.kind != tableInside)
		}
	}
	return nd.kind == tableLeaf || w.table(nd.right, depth+1, use)
}

func (w *walk) wrong(is bool) bool {
	if is {
		w.err = errTree
	}
	return false
}

// index calls use with the rowid of each entry whose first column is text.
// It is false when that ended early, by use or by an error.
func (w *walk) index(n uint32, depth int, text string, use func(rowid int64) bool) bool {
	nd, ok := w.enter(n, depth)
	if !ok {
		return false
	}
	for i := range nd.cells {
		c, ok := nd.cell(i)
		if !ok || nd.kind != indexInside && nd.kind != indexLeaf {
			return w.wrong(true)
		}
		order, rowid, err := w.db.entry(c.payload, text)
		if err != nil {
			w.err = err
			return false
		}
		if order >= 0 && nd.kind == indexInside && !w.index(c.left, depth+1, text, use) {
			return false
		}
		if order > 0 {
			return true
		}
		if order == 0 && !use(rowid) {
			return false
		}
	}
	return nd.kind == indexLeaf || w.index(nd.right, depth+1, text, use)
}

// entry compares the first column of an entry of an index with a text, and
// returns the rowid, which is the last.
func (db *DB) entry(p payload, text string) (order int, rowid int64, err error) {
	fields, err := db.fields(p)
	if err != nil || len(fields) < 2 {
		return 0, 0, errTree
	}
	row := Row{db, &table{columns: []string{"key"}}, 0, p, fields[:1]}
	switch kind := fields[0].kind; {
	case kind < 12: // NULL and numbers come before text
		return -1, 0, nil
	case kind%2 == 0: // and bytes behind it
		return 1, 0, nil
	}
	order = bytes.Compare([]byte(row.Text("key")), []byte(text))
	row.fields = fields[len(fields)-1:]
	return order, row.Int("key"), nil
}

// row finds the row with a rowid.
func (db *DB) row(n uint32, rowid int64) (payload, error) {
	for range maxDepth {
		nd, err := db.node(n)
		if err != nil {
			return payload{}, err
		}
		next := nd.right
		for i := range nd.cells {
			c, ok := nd.cell(i)
			if !ok {
				return payload{}, errTree
			}
			if nd.kind == tableLeaf && c.rowid == rowid {
				return c.payload, nil
			}
			if nd.kind == tableInside && rowid <= c.rowid {
				next = c.left
				break
			}
		}
		if nd.kind != tableInside {
			break
		}
		n = next
	}
	return payload{}, errTree
}

// A node is a page of a tree.
type node struct {
	db    *DB
	page  []byte
	kind  byte
	cells int
	head  int    // where the places of the cells begin
	right uint32 // the page of all that is behind the cells
}

func (db *DB) node(n uint32) (node, error) {
	p, err := db.page(n)
	if err != nil {
		return node{}, err
	}
	at := 0
	if n == 1 {
		at = headerSize
	}
	nd := node{db: db, page: p, kind: p[at], cells: int(binary.BigEndian.Uint16(p[at+3:])), head: at + 8}
	switch nd.kind {
	case tableInside, indexInside:
		nd.right = binary.BigEndian.Uint32(p[at+8:])
		nd.head = at + 12
	case tableLeaf, indexLeaf:
	default:
		return node{}, errTree
	}
	if nd.head+2*nd.cells > len(p) {
		return node{}, errTree
	}
	return nd, nil
}

// A cell is an entry of a page.
type cell struct {
	left    uint32
	rowid   int64
	payload payload
}

func (nd node) cell(i int) (c cell, ok bool) {
	at := int(binary.BigEndian.Uint16(nd.page[nd.head+2*i:]))
	if at+4 > nd.db.usable {
		return c, false
	}
	b := nd.page[at:nd.db.usable]
	if nd.kind == tableInside || nd.kind == indexInside {
		c.left = binary.BigEndian.Uint32(b)
		b = b[4:]
	}
	n := 0
	if nd.kind != tableInside {
		var size uint64
		if size, n = varint(b); n == 0 || size > math.MaxInt32 {
			return c, false
		}
		c.payload.size, b = int(size), b[n:]
	}
	if nd.kind == tableInside || nd.kind == tableLeaf {
		var id uint64
		if id, n = varint(b); n == 0 {
			return c, false
		}
		c.rowid, b = int64(id), b[n:]
	}
	if nd.kind == tableInside {
		return c, true
	}
	local := nd.db.local(c.payload.size, nd.kind == tableLeaf)
	c.payload.here = b[:min(local, len(b))]
	if local < c.payload.size {
		if len(b) < local+4 {
			return c, false
		}
		c.payload.rest = binary.BigEndian.Uint32(b[local:])
	}
	return c, len(b) >= local
}

// local is how much of a payload lies on its page.
func (db *DB) local(size int, leaf bool) int {
	u := db.usable
	most := (u-12)*64/255 - 23
	if leaf {
		most = u - 35
	}
	if size <= most {
		return size
	}
	least := (u-12)*32/255 - 23
	if k := least + (size-least)%(u-4); k <= most {
		return k
	}
	return least
}

// A payload is the values of a row or an entry, the rest of which may lie on
// pages of its own.
type payload struct {
	size int
	here []byte
	rest uint32
}

// bytes returns at least the first n bytes of a payload.
func (db *DB) bytes(p payload, n int) ([]byte, error) {
	if n <= len(p.here) {
		return p.here, nil
	}
	if n > p.size || p.size > MaxValue {
		return nil, errTree
	}
	out := append(make([]byte, 0, min(p.size, 1<<20)), p.here...)
	for next := p.rest; len(out) < p.size; {
		page, err := db.page(next)
		if err != nil {
			return nil, err
		}
		out = append(out, page[4:4+min(db.usable-4, p.size-len(out))]...)
		next = binary.BigEndian.Uint32(page)
	}
	return out, nil
}

// A span is where a value lies in a payload; kind is the format's serial type.
type span struct {
	kind     uint64
	from, to int
}

// fields reads where the values of a payload lie.
func (db *DB) fields(p payload) ([]span, error) {
	size, n := varint(p.here)
	if n == 0 || size > uint64(p.size) {
		return nil, errTree
	}
	head, err := db.bytes(p, int(size))
	if err != nil || int(size) < n {
		return nil, errTree
	}
	head = head[n:size]
	var out []span
	for at := int(size); len(head) > 0; {
		kind, n := varint(head)
		if n == 0 || kind > math.MaxInt32 {
			return nil, errTree
		}
		length := []int{0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0}
		bytes := int(kind-12) / 2
		if kind < 12 {
			bytes = length[kind]
		}
		if at+bytes > p.size {
			return nil, errTree
		}
		out = append(out, span{kind, at, at + bytes})
		at, head = at+bytes, head[n:]
	}
	return out, nil
}

// varint reads a number of the format: seven bits a byte, and eight of the
// ninth. n is 0 when it is cut.
func varint(b []byte) (v uint64, n int) {
	for i := range min(len(b), 9) {
		if i == 8 {
			return v<<8 | uint64(b[i]), 9
		}
		v = v<<7 | uint64(b[i]&0x7f)
		if b[i] < 0x80 {
			return v, i + 1
		}
	}
	return 0, 0
}
