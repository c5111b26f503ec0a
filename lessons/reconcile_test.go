package lessons

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// leaves calls f for each field of a lesson that holds a value, by name.
func leaves(v reflect.Value, name string, f func(name string, v reflect.Value)) {
	if v.Kind() == reflect.Struct && v.Type() != reflect.TypeFor[time.Time]() {
		for i := range v.NumField() {
			leaves(v.Field(i), name+"."+v.Type().Field(i).Name, f)
		}
		return
	}
	f(name, v)
}

// change gives a field a value that it had not.
func change(v reflect.Value, n int) {
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(noon.Add(time.Duration(n) * time.Hour)))
		return
	case []Evidence:
		v.Set(reflect.ValueOf([]Evidence{{Quote: fmt.Sprint(n)}}))
		return
	case []Field:
		v.Set(reflect.ValueOf([]Field{{Key: fmt.Sprint("k", n), Value: "v"}}))
		return
	}
	if _, ok := v.Interface().([]Holding); ok {
		v.Set(reflect.ValueOf([]Holding{{ID: ID(fmt.Sprint("h", n))}}))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprint("changed", n))
	case reflect.Int:
		v.SetInt(v.Int() + int64(n))
	case reflect.Float64:
		v.SetFloat(v.Float() + float64(n)/100)
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Slice: // of strings
		v.Set(reflect.ValueOf([]string{fmt.Sprint("term", n)}))
	default:
		panic("a kind of field that this test does not know: " + v.Kind().String())
	}
}

// TestReconcileEveryField fails when a lesson gets a field that Reconcile does
// not know: what one side does to any field must reach the other, which has
// changed something else.
func TestReconcileEveryField(t *testing.T) {
	base := Lesson{ID: "a", Status: Approved, Wording: Wording{Content: "Use tabs"}, Confidence: 0.5, Created: noon, Proof: Proof{Prior: 0.5, Own: true}}
	var names []string
	leaves(reflect.ValueOf(&base).Elem(), "", func(name string, _ reflect.Value) { names = append(names, name) })
	for _, name := range names {
		if name == ".ID" || name == ".Rev" {
			continue
		}
		theirs, ours := base, base
		leaves(reflect.ValueOf(&theirs).Elem(), "", func(n string, v reflect.Value) {
			if n == name {
				change(v, 7)
			}
		})
		ours.Tags = []string{"mine"}
		want := theirs
		if want.Tags = ours.Tags; name == ".Tags" {
			continue // both change it: see TestReconcile
		}
		want = settled(want)
		for _, turned := range []bool{false, true} {
			got, other := Reconcile(base, ours, theirs)
			if turned {
				got, other = Reconcile(base, theirs, ours)
			}
			if other != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s changed on one side only (turned %v):\n got %+v\nwant %+v", name, turned, got, want)
			}
		}
	}
}

func TestReconcile(t *testing.T) {
	at := func(h int) time.Time { return noon.Add(time.Duration(h) * time.Hour) }
	quote := func(s string) Evidence { return Evidence{Session: "s", Path: "p", Quote: s} }
	base := Lesson{
		ID: "a", Status: Pending, Wording: Wording{Content: "Use tabs", Insight: "Because"}, Confidence: 0.5, Created: noon,
		Tags: []string{"go", "style", "old"}, Evidence: []Evidence{quote("one"), quote("two")},
		Use: Use{Used: 10, Helped: 2}, Extra: []Field{{"x", "1"}, {"y", "1"}},
	}
	for _, tt := range []struct {
		name         string
		ours, theirs func(*Lesson)
		want         func(*Lesson)
		other        string
	}{
		{"counters add", func(l *Lesson) { l.Use.Used += 3 }, func(l *Lesson) { l.Use.Used += 4; l.Use.Helped++ },
			func(l *Lesson) { l.Use.Used, l.Use.Helped = 17, 3 }, ""},
		{"the newer decision", func(l *Lesson) { l.Status, l.Decided = Approved, Decision{By: "A", At: at(1)} },
			func(l *Lesson) { l.Status, l.Decided = Rejected, Decision{By: "B", At: at(2), Reason: "no"} },
			func(l *Lesson) { l.Status, l.Decided = Rejected, Decision{By: "B", At: at(2), Reason: "no"} }, ""},
		{"alive at the same moment", func(l *Lesson) { l.Status, l.Decided = Approved, Decision{By: "A", At: at(1)} },
			func(l *Lesson) { l.Status, l.Decided = Merged, Decision{By: "B", At: at(1), Into: "b"} },
			func(l *Lesson) { l.Status, l.Decided = Approved, Decision{By: "A", At: at(1)} }, ""},
		{"lists are merged, and what was taken out is out", func(l *Lesson) {
			l.Tags = []string{"go", "mine", "style"}
			l.Evidence = append(l.Evidence, quote("three"))
		},
			func(l *Lesson) { l.Tags = []string{"go", "theirs", "old"}; l.Evidence = l.Evidence[1:] },
			func(l *Lesson) { l.Tags = nil; l.Evidence = []Evidence{quote("two"), quote("three")} }, ""},
		{"unknown fields", func(l *Lesson) { l.Extra = []Field{{"x", "2"}, {"y", "1"}} }, func(l *Lesson) { l.Extra = []Field{{"y", "1"}, {"x", "1"}, {"z", "9"}} },
			func(l *Lesson) { l.Extra = nil }, ""},
		{"texts of different fields", func(l *Lesson) { l.Content = "Use gofmt" }, func(l *Lesson) { l.Insight = "It is the law" },
			func(l *Lesson) { l.Content, l.Insight = "Use gofmt", "It is the law" }, ""},
		{"texts that differ", func(l *Lesson) { l.Content = "Use spaces"; l.Decided = Decision{By: "A", At: at(1)} },
			func(l *Lesson) { l.Content = "Use both"; l.Decided = Decision{By: "B", At: at(2)} },
			func(l *Lesson) { l.Content = "Use both"; l.Decided = Decision{By: "B", At: at(2)} }, "Use spaces"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ours, theirs, want := clone(base), clone(base), clone(base)
			tt.ours(&ours)
			tt.theirs(&theirs)
			tt.want(&want)
			got, other := Reconcile(base, ours, theirs)
			back, otherBack := Reconcile(base, theirs, ours)
			if !reflect.DeepEqual(got, back) || !reflect.DeepEqual(other, otherBack) {
				t.Fatalf("not the same from both sides:\n%+v\n%+v", got, back)
			}
			if want.Tags == nil {
				slices.Sort(got.Tags)
				if !slices.Equal(got.Tags, []string{"go", "mine", "theirs"}) {
					t.Errorf("tags %v", got.Tags)
				}
				got.Tags = nil
			}
			if want.Extra == nil {
				if len(got.Extra) != 3 || !slices.Contains(got.Extra, Field{"x", "2"}) || !slices.Contains(got.Extra, Field{"z", "9"}) {
					t.Errorf("extra %v", got.Extra)
				}
				got.Extra = nil
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
			switch {
			case tt.other == "" && other != nil:
				t.Errorf("a second lesson: %+v", other)
			case tt.other != "" && (other == nil || other.Content != tt.other || other.Status != Pending || other.Validate() != nil):
				t.Errorf("second lesson %+v, want %q pending", other, tt.other)
			}
		})
	}
}

func clone(l Lesson) Lesson {
	l.Tags, l.Triggers, l.Evidence, l.Extra = slices.Clone(l.Tags), slices.Clone(l.Triggers), slices.Clone(l.Evidence), slices.Clone(l.Extra)
	return l
}

// anyLesson is a lesson of few values, so that two of them often meet.
func anyLesson(t *rapid.T, name string) Lesson {
	l := Lesson{ID: "a", Confidence: 0.5}
	leaves(reflect.ValueOf(&l).Elem(), "", func(field string, v reflect.Value) {
		if field == ".ID" || field == ".Rev" || !rapid.Bool().Draw(t, name+field+"?") {
			return
		}
		n := rapid.IntRange(1, 3).Draw(t, name+field)
		change(v, n)
		if list, ok := v.Interface().([]string); ok && rapid.Bool().Draw(t, "more") {
			v.Set(reflect.ValueOf(append(list, "other")))
		}
	})
	l.Status = rapid.SampledFrom(Statuses).Draw(t, name+"status")
	return l
}

// TestReconcileCommutes: two machines that settle the same two states make the
// same of them, whoever is first, and settling again changes nothing.
func TestReconcileCommutes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, a, b := anyLesson(t, "base"), anyLesson(t, "a"), anyLesson(t, "b")
		if rapid.Bool().Draw(t, "no base") {
			base = Common(a, b)
		}
		l, x := Reconcile(base, a, b)
		m, y := Reconcile(base, b, a)
		if !reflect.DeepEqual(l, m) || !reflect.DeepEqual(x, y) {
			t.Fatalf("not the same from both sides:\n%+v\n%+v\n%+v\n%+v", l, m, x, y)
		}
		for _, side := range []Lesson{a, b} {
			for _, w := range []struct{ base, side, got string }{{base.Content, side.Content, l.Content}, {base.Insight, side.Insight, l.Insight}, {base.Example, side.Example, l.Example}} {
				if w.side != w.base && w.side != "" && w.side != w.got && (x == nil || x.Wording != side.Wording) {
					t.Fatalf("%q is lost: %+v\n%+v", w.side, l, x)
				}
			}
		}
		if again, z := Reconcile(l, l, l); z != nil || !reflect.DeepEqual(again, l) {
			t.Fatalf("settling what is settled: %+v", again)
		}
	})
}
