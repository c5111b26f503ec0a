package transcript

import (
	"encoding/json"
	"strings"
	"testing"
)

// FuzzCheck holds the checker and the decoder of strings against encoding/json.
func FuzzCheck(f *testing.F) {
	for _, s := range []string{
		`{"a":[1,-0.5e+3,true,false,null,"x\u00e9\n"],"b":{}}`, `01`, `1.`, `-`, `"\ud83d\ude00\ud83d"`, "\"\x01\"", `"\x"`, ` [ ] `, `{"a":1,}`, `tru`, "\"\xff\"", `"\u12"`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		b := []byte(s)
		end, err := check(b, space(b, 0), 0)
		ok := err == nil && space(b, end) == len(b)
		if strings.Count(s, "[")+strings.Count(s, "{") <= maxDepth && ok != json.Valid(b) {
			t.Fatalf("%q: %v, encoding/json says %v", s, err, json.Valid(b))
		}
		var want string
		if v := raw(strings.TrimSpace(s)); ok && v.isString() && json.Unmarshal(b, &want) == nil {
			// Where bytes are not UTF-8 we write one mark for a run of them.
			if got := v.text(); got != want && !strings.Contains(want, "\uFFFD") {
				t.Fatalf("%q: %q, want %q", s, got, want)
			}
		}
	})
}

// TestCut cuts long strings of all kinds of escapes at each byte and checks that no
// escape is cut.
func TestCut(t *testing.T) {
	const unit = `ab\\\\\"\u00e9x\\u00e9\n\t\ud83d\ude00\\\\\\u1234é`
	for i := range len(unit) {
		v := raw(`"` + strings.Repeat("a", i) + strings.Repeat(unit, 4*MaxText/len(unit)+1) + strings.Repeat("z", i) + `"`)
		whole, got := v.text(), v.cut()
		head, rest, _ := strings.Cut(got, "\n[…")
		_, tail, cut := strings.Cut(rest, "…]\n")
		if !cut || len(got) < MaxText/2 || len(got) > MaxText || !strings.HasPrefix(whole, strings.TrimRight(head, "\uFFFD")) || !strings.HasSuffix(whole, strings.TrimLeft(tail, "\uFFFD")) {
			t.Errorf("at %d: %d bytes, %q … %q", i, len(got), head[max(0, len(head)-20):], tail[:min(len(tail), 20)])
		}
	}
}

func TestCutText(t *testing.T) {
	s := "HEAD" + strings.Repeat("é", MaxText) + "TAIL"
	got := cutText(s)
	if len(got) > MaxText || !strings.HasPrefix(got, "HEADé") || !strings.HasSuffix(got, "éTAIL") {
		t.Errorf("%d bytes: %.20q", len(got), got)
	}
	if short := "short"; cutText(short) != short {
		t.Error("a short text was cut")
	}
}
