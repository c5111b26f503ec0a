package index_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"learnings/index"
)

// TestCutAnywhere cuts the files of an index at random places, as a full disk or a
// power failure may. bleve and bbolt read them as mapped memory, where what is
// missing is a memory fault. No caller may die of one: a query answers from all
// lessons or says that there is no index, and the next sync makes it whole.
func TestCutAnywhere(t *testing.T) {
	runs := 30
	if n, err := strconv.Atoi(os.Getenv("INDEX_TEST_CUTS")); err == nil {
		runs = n
	}
	whole := filepath.Join(t.TempDir(), "whole")
	log := newLog(corpus(200)...)
	update(t, index.At(whole), log)
	for i := range 4 { // so that there are several files
		log.put("edit", corpus(200)[i*10:i*10+10]...)
		update(t, index.At(whole), log)
	}
	log.put("add", lesson("new", "Added since"))
	for seed := range uint64(runs) {
		dir := filepath.Join(t.TempDir(), "index")
		if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("seed %d, %s", seed, cut(t, rand.New(rand.NewPCG(seed, 8)), dir))
		x := index.At(dir)
		if seed%3 == 0 {
			x = x.Held(t.Context())
		}
		if seed%2 == 0 { // otherwise it is the sync that meets the damage
			_, _, err := x.Facets(t.Context(), index.Query{}, index.Status)
			if err != nil && !errors.Is(err, index.ErrNoIndex) {
				t.Errorf("%s: count: %v", name, err)
			}
			hits, err := x.All(t.Context(), index.Query{})
			if err != nil && !errors.Is(err, index.ErrNoIndex) || err == nil && len(hits) != 200 {
				t.Errorf("%s: %d of 200 lessons, %v", name, len(hits), err)
			}
		}
		update(t, x, log)
		if hits, err := x.All(t.Context(), index.Text("the")); err != nil || len(hits) < 200 {
			t.Errorf("%s: after the sync %d of 200 lessons, %v", name, len(hits), err)
		}
		if p, err := x.Search(t.Context(), index.Query{}); err != nil || p.Total != 201 {
			t.Errorf("%s: after the sync %d of 201 lessons, %v", name, p.Total, err)
		}
	}
}

// cut cuts one file of an index, root.bolt every other time, and says which one.
func cut(t *testing.T, rnd *rand.Rand, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "g*", "store", "*.zap"))
	if err != nil || len(files) < 2 {
		t.Fatalf("files %v, %v; want several", files, err)
	}
	path := files[rnd.IntN(len(files))]
	if rnd.IntN(2) == 0 {
		path = filepath.Join(filepath.Dir(path), "root.bolt")
	}
	info, err := os.Stat(path)
	if err == nil {
		err = os.Truncate(path, rnd.Int64N(info.Size()))
	}
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Base(path)
}
