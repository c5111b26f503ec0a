package index

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"learnings/lessons"
)

// filled sets every field below v to something.
func filled(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Date(2026, 4, 5, 12, 0, 0, 0, time.UTC)))
			return
		}
		for i := range v.NumField() {
			filled(v.Field(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			filled(v.Index(i))
		}
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Int:
		v.SetInt(7)
	default:
		panic(v.Type())
	}
}

// TestStored: what is stored of a lesson is read as the lesson, without the turns around
// its evidence, and has nothing that the lesson has not.
func TestStored(t *testing.T) {
	var full lessons.Lesson
	filled(reflect.ValueOf(&full).Elem())
	bare := lessons.Lesson{ID: "aaaa", Status: lessons.Approved, Category: "error", Wording: lessons.Wording{Content: "Use tabs"}}
	empty := bare
	empty.Tags, empty.Extra = []string{}, []lessons.Field{}
	for name, l := range map[string]lessons.Lesson{"full": full, "bare": bare, "empty": empty} {
		text, err := json.Marshal(shorten(l))
		if err != nil {
			t.Fatal(err)
		}
		var got lessons.Lesson
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		want := shorten(l)
		if len(want.Evidence) == 0 {
			want.Evidence = nil
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s is\n%+v\nnot\n%+v", name, got, want)
		}
		if name == "bare" && (strings.Contains(string(text), "0001") || len(text) > 120) {
			t.Errorf("%s has too much: %s", name, text)
		}
	}
}
