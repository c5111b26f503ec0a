package term

import (
	"slices"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for in, want := range map[string][]string{
		"vi":                           {"vi"},
		"code --wait":                  {"code", "--wait"},
		`"/Applications/My Editor" -n`: {"/Applications/My Editor", "-n"},
		`emacs '' "a b"c`:              {"emacs", "", "a bc"},
		`C:\Tools\ed.exe  x`:           {`C:\Tools\ed.exe`, "x"},
	} {
		if got, err := Words(in); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %q, %v", in, got, err)
		}
	}
	for _, in := range []string{`vi "x`} {
		if got, err := Words(in); err == nil {
			t.Errorf("%q: got %q and no error", in, got)
		}
	}
}

// FuzzWords checks that quoted words are restored.
func FuzzWords(f *testing.F) {
	f.Add("code", "--wait x")
	f.Add("a b", "")
	f.Fuzz(func(t *testing.T, a, b string) {
		if strings.ContainsAny(a+b, "'") || !validText(a) || !validText(b) {
			t.Skip("words that the quotes of this test cannot hold")
		}
		got, err := Words("'" + a + "' '" + b + "'")
		if err != nil || !slices.Equal(got, []string{a, b}) {
			t.Errorf("got %q, %v", got, err)
		}
	})
}

func validText(s string) bool { return strings.ToValidUTF8(s, "") == s }
