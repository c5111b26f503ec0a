package meaning

import (
	"encoding/binary"
	"strings"
	"testing"
)

func lesson(content string, triggers ...string) []byte {
	return Words().Lesson(content, triggers, "")
}

func near(query, content string, triggers ...string) float64 {
	return Words().Of(query).Near(lesson(content, triggers...))
}

// TestNear: what means the same without a word in common is nearer than what means
// something else.
func TestNear(t *testing.T) {
	for _, tt := range []struct{ query, right, wrong string }{
		{"race condition", "Never allow concurrent access without a mutex", "Write the changelog by hand"},
		{"flaky test", "Rerun failing pytest cases before you blame the code", "Deploy with the blue script"},
		{"which shell", "Scripts are for bash", "Colours are set in the theme"},
		{"slow query", "Add an index to the database table", "Commit messages are in English"},
	} {
		if right, wrong := near(tt.query, tt.right), near(tt.query, tt.wrong); right < wrong+0.1 {
			t.Errorf("%s: %.2f to %q, %.2f to %q", tt.query, right, tt.right, wrong, tt.wrong)
		}
	}
	if n := near("zzzyx qqqw", "Scripts are for bash"); n != 0 {
		t.Errorf("words that nobody knows are near: %.2f", n)
	}
	if n := near("which shell", "Squash before merging", "which shell"); n < 0.99 {
		t.Errorf("its own trigger is %.2f near", n)
	}
}

// TestManySentences keeps a bound on what a long lesson adds.
func TestManySentences(t *testing.T) {
	if n := len(lesson(strings.Repeat("Run the tests. ", 500))); n > 12*64 {
		t.Errorf("%d bytes of vectors", n)
	}
}

// TestCut: a table that is not whole is an error, wherever it is cut, and without a
// table nothing is near.
func TestCut(t *testing.T) {
	for n := 0; n < len(words); n += 1 + n/3 {
		if _, err := Open(words[:n]); err == nil {
			t.Errorf("a table of %d bytes of %d is read", n, len(words))
		}
	}
	if _, err := Open(words + "x"); err == nil {
		t.Error("a table with a byte too many is read")
	}
	var none *Table
	if v := none.Of("race condition"); v.Near(lesson("race condition")) != 0 || none.Lesson("a", nil, "") != nil {
		t.Error("without a table something is near")
	}
}

func FuzzOpen(f *testing.F) {
	small := func(n, dim uint32, rest string) string {
		b := []byte(magic)
		for _, x := range []uint32{n, dim, 3} {
			b = binary.LittleEndian.AppendUint32(b, x)
		}
		return string(b) + rest
	}
	f.Add(small(2, 1, "a\nb"+"\x00\x00\x80?\x00\x00\x80?"+"\x08\x10"+"\x7f\x80"), "a b")
	f.Add(small(1, 1, "a\nb"), "a")
	f.Add(small(1<<31, 1<<31, ""), "")
	f.Fuzz(func(t *testing.T, data, text string) {
		table, err := Open(data)
		if err != nil {
			return
		}
		v := table.Of(text)
		if n := v.Near(table.Lesson(text, nil, text)); n < 0 || n > 1 {
			t.Errorf("%q is %v near to itself", text, n)
		}
	})
}

func BenchmarkOpen(b *testing.B) {
	for b.Loop() {
		if _, err := Open(words); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOf(b *testing.B) {
	t := Words()
	for b.Loop() {
		t.Of("Never allow concurrent access to the cache without a mutex")
	}
}
