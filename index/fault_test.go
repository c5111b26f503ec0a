package index

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
)

// TestCutWhileMapped cuts a file that is being read. Reading on is a memory fault, which
// ends the process unless it is made a panic.
func TestCutWhileMapped(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "g1")
	b, err := bleve.NewUsing(dir, bleve.NewIndexMapping(), scorch.Name, scorch.Name, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.SetInternal(cursorKey, []byte(cursorMark)); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := sizes(dir)
	if err != nil {
		t.Fatal(err)
	}
	err = open(dir, current{Files: files}, true, func(b bleve.Index) error {
		if err := os.Truncate(filepath.Join(dir, bleveFolder, "root.bolt"), 0); err != nil {
			return err
		}
		adv, err := b.Advanced()
		if err != nil {
			return err
		}
		_, err = adv.(*scorch.Scorch).RootBoltSnapshotEpochs()
		return err
	})
	if !errors.Is(err, errDamaged) {
		t.Errorf("reading what is gone: %v", err)
	}
}
