package embedding

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"learnings/index/meaning"
)

// TestCut: however a file is cut, what is before the cut is read, and what is written
// next is read too.
func TestCut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v")
	for k := range 3 {
		if err := add(path, []entry{{meaning.Key(2 * k), meaning.Vector{1, -2, 3}}, {meaning.Key(2*k + 1), meaning.Vector{127, int8(k), -127}}}); err != nil {
			t.Fatal(err)
		}
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	known := 0
	for n := range len(whole) + 1 {
		if err := os.WriteFile(path, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		v, _ := readHeads(bytes.NewReader(whole[:n]), int64(n))
		if len(v.at) < known {
			t.Fatalf("of %d bytes %d vectors are read, of fewer %d", n, len(v.at), known)
		}
		known = len(v.at)
		if err := add(path, []entry{{99, meaning.Vector{5, 6, 7}}}); err != nil {
			t.Fatalf("%d bytes: %v", n, err)
		}
		f, v, err := open(path)
		if err != nil || len(v.at) != known+1 || v.vector(99)[2] != 7 {
			t.Fatalf("%d bytes: %d vectors, %v", n, len(v.at), err)
		}
		f.Close()
	}
	if known != 6 {
		t.Errorf("of a whole file %d vectors are read", known)
	}
}

// TestFlipped: a vector whose bytes are not what was written is unknown.
func TestFlipped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v")
	if err := add(path, []entry{{1, meaning.Vector{1, 2}}, {2, meaning.Vector{3, 4}}}); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)-1] ^= 1
	v, err := readHeads(bytes.NewReader(b), int64(len(b)))
	if err != nil || v.vector(2) != nil || v.vector(1) == nil {
		t.Errorf("got %v and %v, %v", v.vector(1), v.vector(2), err)
	}
}

func TestKeep(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v")
	for k := range 10 {
		if err := add(path, []entry{{meaning.Key(k), meaning.Vector{int8(k + 1), 1}}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := keep(path, func(k meaning.Key) bool { return k%2 == 0 }); err != nil {
		t.Fatal(err)
	}
	f, v, err := open(path)
	if err != nil || len(v.at) != 5 || v.vector(4)[0] != 5 || v.vector(3) != nil {
		t.Errorf("%d are kept, %v", len(v.at), err)
	}
	f.Close()
}

func FuzzReadHeads(f *testing.F) {
	f.Add(append(beginning(2), chunk([]entry{{1, meaning.Vector{1, 2}}})...), uint64(1))
	f.Add(beginning(1), uint64(0))
	f.Add([]byte("LEV1"), uint64(0))
	f.Fuzz(func(t *testing.T, b []byte, k uint64) {
		v, err := readHeads(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		if v.end > int64(len(b)) {
			t.Fatalf("%d of %d bytes are whole", v.end, len(b))
		}
		if row := v.vector(meaning.Key(k)); row != nil && len(row) != v.dim {
			t.Fatalf("a vector of %d numbers in a file of %d", len(row), v.dim)
		}
	})
}
