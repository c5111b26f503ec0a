package lessons_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"learnings/lessons"
)

func someLesson(r *rand.Rand, id string) lessons.Lesson {
	l := lessons.Lesson{
		ID: lessons.ID(id), Status: []lessons.Status{lessons.Pending, lessons.Approved}[r.IntN(2)], Category: "tools",
		Wording: lessons.Wording{Content: "content of " + id}, Confidence: lessons.Confidence(r.IntN(100)) / 100,
		Use:     lessons.Use{Used: r.IntN(5), Helped: r.IntN(3), Harmed: r.IntN(2)},
		Created: time.Unix(int64(r.IntN(1000)), 0).UTC(),
	}
	if l.Status == lessons.Approved {
		l.Decided = lessons.Decision{By: "sam", At: time.Unix(5000, 0).UTC()}
	}
	for i := range 6 {
		if r.IntN(2) == 0 {
			l.Tags = append(l.Tags, fmt.Sprint("tag", i))
		}
		if r.IntN(2) == 0 {
			l.Triggers = append(l.Triggers, fmt.Sprint("trigger", i))
		}
		if r.IntN(2) == 0 {
			l.Evidence = append(l.Evidence, lessons.Evidence{Session: fmt.Sprint("s", i), Line: i, Quote: "q"})
		}
	}
	return l
}

// merged merges and gives what the journal would have of it.
func merged(t *testing.T, ls ...lessons.Lesson) ([]lessons.Lesson, lessons.Joint) {
	t.Helper()
	out, err := lessons.Merge(lessons.Decision{By: "sam", At: time.Unix(9000, 0).UTC()}, ls[0], ls[1:]...)
	if err != nil {
		t.Fatal(err)
	}
	var j lessons.Joint
	for i := range out {
		c := lessons.Change{ID: out[i].ID, Before: &ls[i], After: &out[i]}
		if i == 0 {
			j.Survivor = c
		} else {
			j.Gone = append(j.Gone, c)
		}
	}
	return out, j
}

func TestSplitIsTheOppositeOfMerge(t *testing.T) {
	d := lessons.Decision{By: "kim", At: time.Unix(9500, 0).UTC()}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		ls := []lessons.Lesson{someLesson(r, "a"), someLesson(r, "b"), someLesson(r, "c")}
		now, j := merged(t, ls...)

		back, err := lessons.Split(d, now[0], now[1:], j)
		if err != nil || !reflect.DeepEqual(back, ls) {
			t.Fatalf("seed %d: %v\n%+v\nwant\n%+v", seed, err, back, ls)
		}

		// Of two, one goes: what the other brought stays.
		part, err := lessons.Split(d, now[0], now[1:2], j)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(part[1], ls[1]) {
			t.Errorf("seed %d: b is not what it was: %+v", seed, part[1])
		}
		for _, tag := range ls[0].Tags {
			if !slices.Contains(part[0].Tags, tag) {
				t.Errorf("seed %d: the survivor lost its own tag %s", seed, tag)
			}
		}
		if u := part[0].Use.Used; u != ls[0].Use.Used+ls[2].Use.Used {
			t.Errorf("seed %d: used %d times, want its own and those of c", seed, u)
		}

		// What was learned of the survivor since is kept.
		since := now[0]
		since.Use.Used += 7
		since.Evidence = append(slices.Clone(since.Evidence), lessons.Evidence{Session: "later", Quote: "again"})
		later, err := lessons.Split(d, since, now[1:], j)
		if err != nil {
			t.Fatal(err)
		}
		if later[0].Use.Used != ls[0].Use.Used+7 || later[0].Evidence[len(later[0].Evidence)-1].Session != "later" || len(later[0].Evidence) != len(ls[0].Evidence)+1 {
			t.Errorf("seed %d: %+v is not a with what came since", seed, later[0])
		}
		if later[0].Status != ls[0].Status {
			t.Errorf("seed %d: it is %s, and was %s before the merge", seed, later[0].Status, ls[0].Status)
		}

		// Without a journal nothing is taken from the survivor.
		blind, err := lessons.Split(d, now[0], now[1:], lessons.Joint{})
		if err != nil || !reflect.DeepEqual(blind[0], now[0]) || blind[1].Status != lessons.Pending {
			t.Errorf("seed %d: without a journal: %v, %+v", seed, err, blind)
		}
	}
	a := someLesson(rand.New(rand.NewPCG(1, 1)), "a")
	if _, err := lessons.Split(d, a, []lessons.Lesson{a}, lessons.Joint{}); !errors.Is(err, lessons.ErrInvalid) {
		t.Errorf("a lesson that was never merged is split: %v", err)
	}
}

// TestMergeStaysReadable: a thousand lessons in one make a file that can be
// stored, and each keeps its own.
func TestMergeStaysReadable(t *testing.T) {
	var ls []lessons.Lesson
	for i := range 1000 {
		l := someLesson(rand.New(rand.NewPCG(1, 1)), fmt.Sprintf("l%03d", i))
		l.Tags = []string{fmt.Sprint("tag", i)}
		l.Evidence = []lessons.Evidence{{Session: fmt.Sprint("s", i), Quote: "q"}}
		ls = append(ls, l)
	}
	out, _ := merged(t, ls...)
	if n := len(out[0].Evidence); n != 100 {
		t.Errorf("%d pieces of evidence", n)
	}
	if err := out[0].Validate(); err != nil || len(out[0].Tags) != lessons.MaxTerms {
		t.Errorf("%d tags: %v", len(out[0].Tags), err)
	}
	if len(out[999].Evidence) != 1 {
		t.Error("a lesson that was merged lost its evidence")
	}
}
