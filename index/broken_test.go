package index

import (
	"errors"
	"iter"
	"testing"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/document"

	"learnings/lessons"
)

// oneLesson is a log of one lesson.
type oneLesson struct{ lessons.Lesson }

func (o oneLesson) Since(c lessons.Cursor) iter.Seq2[lessons.Change, error] {
	return func(yield func(lessons.Change, error) bool) {
		if c == "" {
			yield(lessons.Change{ID: o.ID, After: &o.Lesson, Cursor: "1"}, nil)
		}
	}
}

// TestBrokenVectors: an index whose vectors are not what this program keeps is no index,
// and the next sync rebuilds it.
func TestBrokenVectors(t *testing.T) {
	log := oneLesson{lessons.Lesson{ID: "a", Wording: lessons.Wording{Content: "Take the mutex"}, Status: lessons.Approved, Created: time.Unix(0, 0)}}
	for name, value := range map[string]string{"cut": "1234567", "another table": "12345678" + "123"} {
		t.Run(name, func(t *testing.T) {
			x := At(t.TempDir())
			if _, err := x.Sync(t.Context(), log); err != nil {
				t.Fatal(err)
			}
			err := x.update(t.Context(), func(b bleve.Index) error {
				d, err := newMaker().document(log.Lesson)
				if err != nil {
					return err
				}
				for i, f := range d.Fields {
					if f.Name() == meaningField {
						d.Fields[i] = document.NewTextFieldCustom(meaningField, nil, []byte(value), kept, nil)
					}
				}
				batch := b.NewBatch()
				if err := batch.IndexAdvanced(d); err != nil {
					return err
				}
				return b.Batch(batch)
			})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := x.Search(t.Context(), Text("mutex")); !errors.Is(err, ErrNoIndex) {
				t.Errorf("a search says %v", err)
			}
			if _, err := x.Sync(t.Context(), log); err != nil {
				t.Fatal(err)
			}
			if p, err := x.Search(t.Context(), Text("mutex")); err != nil || len(p.Hits) != 1 || p.Hits[0].Near == 0 {
				t.Errorf("after a sync %+v, %v", p, err)
			}
		})
	}
}
