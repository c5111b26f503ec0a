package rules

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"
	"time"

	"learnings/lessons"
	"learnings/lessons/proof"
)

// TestReplay replays the labels as the decisions of a person: proposals of models
// that had not seen the group of projects, judged session by session, with what
// [proof.Calibrate] makes of the decisions so far. Of the second hundred, or of the
// second half where a group has fewer, it says for each lane what was said and what
// was right, and how well they are ranked. First the groups are projects of one
// person, then each is a person's.
//
//	go test -run ^TestReplay$ -v ./extractor/rules
func TestReplay(t *testing.T) {
	all := tryOut(t)
	order := make([]int, len(all.ex))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(all.ex[a].session, all.ex[b].session) })
	var shown []proof.Judged
	for n, i := range order {
		if e, p := all.ex[i], lessons.Confidence(all.vs[i].p); !e.copied && !idle(e) && e.label != "arguable" && p >= DefaultMinConfidence {
			shown = append(shown, proof.Judged{ID: lessons.ID(fmt.Sprint(n)), Extractor: Name, Project: e.group, Score: p.Round(), Said: p.Round(), Right: e.label == "lesson", At: time.Unix(int64(n), 0)})
		}
	}
	replay(t, "one person", shown, 100)
	for _, g := range slices.Sorted(maps.Keys(all.models)) {
		theirs := slices.DeleteFunc(slices.Clone(shown), func(j proof.Judged) bool { return j.Project != g })
		if len(theirs) > 1 {
			replay(t, g, theirs, min(100, len(theirs)/2))
		}
	}
}

// replay decides on n proposals, and looks at the next n.
func replay(t *testing.T, who string, shown []proof.Judged, n int) {
	learned := slices.Clone(shown[n : 2*n])
	second := slices.Clone(learned)
	for i := range second {
		second[i].Said = proof.Calibrate(shown[:n+i], nil).At(second[i].Score, Name, second[i].Project)
	}
	was, is := averagePrecision(learned), averagePrecision(second)
	t.Logf("%-26s after %d decisions: average precision %.3f, as learned %.3f", who, n, is, was)
	if n == 100 && is < was-0.08 { // what decisions teach of a project holds for all its proposals, and blurs their order
		t.Errorf("%s: average precision falls from %.3f to %.3f", who, was, is)
	}
	for _, lane := range []lessons.Lane{lessons.Likely, lessons.Maybe} {
		before, said := inLane(learned, lane), inLane(second, lane)
		t.Logf("    %-7s %3d proposals: said %.2f, right %.2f; as learned %3d: said %.2f, right %.2f", lane, said.Count, said.Said, said.True(), before.Count, before.Said, before.True())
		if n == 100 && math.Abs(said.Said-said.True()) > 0.25 {
			t.Errorf("%s, %s: said %.2f and right %.2f", who, lane, said.Said, said.True())
		}
	}
}

// inLane grades the decisions on those that are shown in a lane.
func inLane(js []proof.Judged, lane lessons.Lane) proof.Grade {
	of := slices.DeleteFunc(slices.Clone(js), func(j proof.Judged) bool { return (j.Said >= lessons.LikelyAt) != (lane == lessons.Likely) })
	for _, g := range proof.Grades(of, func(proof.Judged) string { return "" }) {
		return g
	}
	return proof.Grade{}
}

// averagePrecision is that of decisions in the order of what was said.
func averagePrecision(js []proof.Judged) float64 {
	js = slices.Clone(js)
	slices.SortStableFunc(js, func(a, b proof.Judged) int { return cmp.Compare(b.Said, a.Said) })
	sum, right := 0.0, 0
	for i, j := range js {
		if j.Right {
			right++
			sum += float64(right) / float64(i+1)
		}
	}
	return sum / float64(max(right, 1))
}
