package observations

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

// FuzzExport reads exports of every kind, and adds to and takes from what it can read.
func FuzzExport(f *testing.F) {
	f.Add(sample(f, "export.json"))
	for _, s := range []string{
		``, `[]`, `{"observations":[]}`, `{"observations":null,"sessions":[{}],"prompts":[1,"x"]}`, `{"observations":[{"id":1,"title":"x","facts":["a",1,{}],"concepts":"[1]"}],"observations":[]}`,
		"\ufeff{\"observations\": [ {} , {\"title\":\"a\",\"created_at_epoch\":-1}]}", `{"observations":[{"title":"<private>a","narrative":"</private>"}],"summaries":[{"learned":"- a\n- b"}]}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := parseExport(data)
		if err != nil {
			return
		}
		if !bytes.Equal(d.Bytes(), data) {
			t.Fatal("what was not changed is not the same")
		}
		s, _ := d.store("x")
		found := s.found("x")
		dir := t.TempDir()
		to := exchange.Target{Path: filepath.Join(dir, "x.json"), Now: now}
		if err := os.WriteFile(to.Path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		ls := []lessons.Lesson{lesson("a", "Use pnpm")}
		for i, e := range found.Entries {
			if e.Lesson.ID == "" || len(e.Lesson.Evidence) != 1 {
				t.Fatalf("%+v", e)
			}
			l := e.Lesson
			if l.Status = lessons.Approved; i%2 == 1 {
				l.Status = lessons.Rejected
			}
			ls = append(ls, l)
		}
		p, err := ClaudeMem{}.Plan(context.Background(), to, ls)
		if err != nil {
			return
		}
		for _, e := range p.Edits {
			if _, err := parseExport(e.After); err != nil {
				t.Fatalf("%v: %s", err, e.After)
			}
		}
	})
}

// TestRandomEdits makes random exports, decides on what they hold, and checks that all
// that is not of a decided observation is there afterwards, and as it was.
func TestRandomEdits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-z<&"é]{1,8}`)
		var rows []map[string]any
		for i := range rapid.IntRange(0, 6).Draw(t, "rows") {
			o := map[string]any{
				"id": i + 1, "memory_session_id": "s" + word.Draw(t, "session"), "project": "p", "type": rapid.SampledFrom(knownTypes).Draw(t, "type"),
				"title": fmt.Sprint(i, word.Draw(t, "title")), "narrative": word.Draw(t, "narrative"), "concepts": `["gotcha"]`, "created_at_epoch": i + 1,
				"x" + word.Draw(t, "key"): []any{word.Draw(t, "unknown"), 1.5, nil},
			}
			rows = append(rows, o)
		}
		file := map[string]any{"observations": rows, "y" + word.Draw(t, "top"): map[string]any{"k": word.Draw(t, "value")}, "totalObservations": len(rows), "exportedAt": ""}
		var data bytes.Buffer
		e := json.NewEncoder(&data)
		e.SetIndent("", rapid.SampledFrom([]string{"", " ", "  ", "\t"}).Draw(t, "indent"))
		if err := e.Encode(file); err != nil {
			t.Fatal(err)
		}
		dir, err := os.MkdirTemp("", "observations")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		to := exchange.Target{Path: filepath.Join(dir, "x.json"), Now: now}
		if err := os.WriteFile(to.Path, data.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		found, err := ClaudeMem{}.Read(t.Context(), to.Path)
		if err != nil || len(found.Entries) != len(rows) {
			t.Fatal(found, err)
		}
		var ls []lessons.Lesson
		want := slices.Clone(rows)
		for i, e := range found.Entries {
			l := e.Lesson
			switch rapid.IntRange(0, 3).Draw(t, "decision") {
			case 0:
				l.Status = lessons.Rejected
				want[i] = nil
			case 1:
				l.Status = lessons.Approved
			case 2:
				l.Status = lessons.Approved
				l.Content = "new " + fmt.Sprint(i)
				o := maps.Clone(rows[i])
				o["title"] = l.Content
				want[i] = o
			}
			ls = append(ls, l)
		}
		if rapid.Bool().Draw(t, "more") {
			l := lesson("a", "one more")
			l.Scope.Project = "p"
			ls = append(ls, l)
		}
		want = slices.DeleteFunc(want, func(o map[string]any) bool { return o == nil })
		p, err := ClaudeMem{}.Plan(t.Context(), to, ls)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Apply(t.Context()); err != nil {
			t.Fatal(err)
		}
		after, err := os.ReadFile(to.Path)
		if err != nil {
			t.Fatal(err)
		}
		check(t, after, file, want)
	})
}

// check compares a file with what it was before, but for what Plan may set.
func check(t *rapid.T, after []byte, file map[string]any, want []map[string]any) {
	var got map[string]any
	if err := json.Unmarshal(after, &got); err != nil {
		t.Fatalf("%v: %s", err, after)
	}
	for k, v := range file {
		if ours := []string{"observations", "totalObservations", "exportedAt"}; !slices.Contains(ours, k) && exchange.Quoted(got[k]) != exchange.Quoted(v) {
			t.Fatalf("%s is %v, and was %v", k, got[k], v)
		}
	}
	rows, _ := got["observations"].([]any)
	if n := got["totalObservations"]; n != float64(len(rows)) || len(rows) < len(want) {
		t.Fatalf("%d rows, %v said, %d wanted", len(rows), n, len(want))
	}
	for i, o := range want {
		g := rows[i].(map[string]any)
		delete(g, "content_hash")
		if exchange.Quoted(g) != exchange.Quoted(o) {
			t.Fatalf("got %s, want %s", exchange.Quoted(g), exchange.Quoted(o))
		}
	}
}
