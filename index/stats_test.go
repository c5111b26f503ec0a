package index_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"learnings/index"
	"learnings/lessons"
)

// TestStats compares the counts with those of a loop over all lessons, in an index of
// several files with changed and deleted lessons.
func TestStats(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	now := day0.AddDate(1, 0, 0).Add(17 * time.Minute)
	one := func(id lessons.ID) lessons.Lesson {
		l := lesson(string(id), "Text of "+string(id))
		l.Status = lessons.Statuses[r.IntN(len(lessons.Statuses))]
		if r.IntN(2) == 0 {
			l.Status = lessons.Approved
		}
		l.Category = []lessons.Category{"workflows", "errors", "Errors", "odd thing"}[r.IntN(4)]
		l.Scope.Project = []string{"shop", "Shop", "octofs"}[r.IntN(3)]
		l.Lane = []lessons.Lane{"", lessons.Likely, lessons.Maybe}[r.IntN(3)]
		l.Confidence = lessons.Confidence(r.IntN(101)) / 100
		l.Pinned = r.IntN(6) == 0
		l.Created = now.Add(-time.Duration(r.IntN(300*24)) * time.Hour)
		if r.IntN(3) == 0 { // in the last second, or to be looked at within the hour
			l.Created = now.Add(-time.Duration(r.IntN(3)) * time.Millisecond)
		} else if r.IntN(3) == 0 {
			l.Created = now.AddDate(0, 0, -[]int{7, 30, 90, 180}[r.IntN(4)]).Add(time.Duration(r.IntN(120)-60) * time.Minute)
		}
		l.Proof.Confirmations = r.IntN(5)
		l.Use = lessons.Use{Used: r.IntN(8), Helped: r.IntN(4), Harmed: r.IntN(4)}
		for range r.IntN(8) {
			l = l.Observed(lessons.Outcome{Weight: 1, Reward: []float64{0, .1, .3, 1}[r.IntN(4)], At: now.AddDate(0, 0, -r.IntN(200))})
		}
		return l
	}
	all := map[lessons.ID]lessons.Lesson{}
	log, x := newLog(), func() *index.Index { x, _ := at(t); return x }()
	for range 4 {
		for n := range 150 {
			l := one(lessons.ID(fmt.Sprintf("id%05d", r.IntN(400))))
			if all[l.ID] = l; n%10 == 9 {
				log.drop("forgotten by a file", l.ID)
				delete(all, l.ID)
				continue
			}
			log.put("add", l)
		}
		update(t, x, log)
	}
	for _, project := range []string{"", "shop", "Shop", "none"} {
		got, err := x.Stats(t.Context(), project, now)
		if err != nil {
			t.Fatal(err)
		}
		want := counted(all, project, now)
		for _, p := range [][2]any{
			{got.Statuses, want.Statuses}, {got.Lanes, want.Lanes}, {got.Proof, want.Proof}, {ids(got.Used), ids(want.Used)},
			{ids(got.Recent), ids(want.Recent)}, {averages(got), averages(want)}, {got.Order(), want.Order()},
		} {
			if !reflect.DeepEqual(p[0], p[1]) {
				t.Errorf("of %q: %v instead of %v", project, p[0], p[1])
			}
		}
		if project == "" && (want.Proof.Doubtful == 0 || len(want.Used) != 5 || len(want.Recent) != 5) {
			t.Errorf("too little to compare: %+v", want)
		}
	}
}

func counted(all map[lessons.ID]lessons.Lesson, project string, now time.Time) *index.Stats {
	s := &index.Stats{Statuses: map[lessons.Status]int{}, Lanes: map[lessons.Lane]int{}, Categories: map[lessons.Category]index.Tally{}}
	var used, active []lessons.Lesson
	for _, l := range all {
		if project != "" && l.Scope.Project != project {
			continue
		}
		s.Statuses[l.Status]++
		if lane := l.Waits(); lane != "" {
			s.Lanes[lane]++
		}
		if l.Status != lessons.Approved {
			continue
		}
		t := s.Categories[l.Category]
		s.Categories[l.Category] = index.Tally{N: t.N + 1, Sum: t.Sum + float64(l.Confidence)}
		s.Proof.Used += l.Use.Used
		s.Proof.Helped += l.Use.Helped
		s.Proof.Harmed += l.Use.Harmed
		if l.Pinned {
			s.Proof.Pinned++
		}
		if why := l.Doubts(now, false); len(why) > 0 {
			s.Proof.Due++
			if why[0].Concern == lessons.Doubtful {
				s.Proof.Doubtful++
			}
		}
		if active = append(active, l); l.Use.Used > 0 {
			used = append(used, l)
		}
	}
	slices.SortFunc(used, func(a, b lessons.Lesson) int {
		return cmp.Or(cmp.Compare(b.Use.Used, a.Use.Used), b.Created.Compare(a.Created), cmp.Compare(a.ID, b.ID))
	})
	slices.SortFunc(active, func(a, b lessons.Lesson) int { return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(a.ID, b.ID)) })
	s.Used, s.Recent = used[:min(5, len(used))], active[:min(5, len(active))]
	return s
}

func ids(ls []lessons.Lesson) []lessons.ID {
	out := []lessons.ID{}
	for _, l := range ls {
		out = append(out, l.ID)
	}
	return out
}

func averages(s *index.Stats) map[lessons.Category]string {
	out := map[lessons.Category]string{}
	for c, t := range s.Categories {
		out[c] = fmt.Sprintf("%d %.6f", t.N, t.Average())
	}
	return out
}
