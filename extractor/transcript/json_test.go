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

// TestEscapeStart cuts a string of all kinds of escapes at each byte and
// checks that no escape is cut.
func TestEscapeStart(t *testing.T) {
	s := []byte(`ab\\\\\"\u00e9x\\u00e9\n\t\ud83d\ude00\\\\\\u1234é`)
	for i := 1; i < len(s); i++ {
		at := escapeStart(s, i)
		if at > i || at < i-5 {
			t.Fatalf("at %d: %d", i, at)
		}
		var head, tail string
		if json.Unmarshal([]byte(`"`+string(s[:at])+`"`), &head) != nil || json.Unmarshal([]byte(`"`+string(s[at:])+`"`), &tail) != nil {
			t.Errorf("at %d: %q | %q", i, s[:at], s[at:])
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
