package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tailscale/hujson"
	"pgregory.net/rapid"
)

// editing applies steps to a text, each to the result of the one before.
func editing(t testing.TB, text string, steps ...func(f *jsonFile) ([]byte, error)) string {
	t.Helper()
	for _, step := range steps {
		f, err := parseJSON([]byte(text))
		if err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
		out, err := step(f)
		if err != nil {
			t.Fatal(err)
		}
		text = string(out)
	}
	return text
}

// put adds an entry of each kind.
func put(t testing.TB, text string) string {
	t.Helper()
	event := func(name string) func(f *jsonFile) ([]byte, error) {
		return func(f *jsonFile) ([]byte, error) {
			return f.add([]any{map[string]any{"hooks": []any{map[string]any{"command": "ours"}}}}, "hooks", name)
		}
	}
	return editing(t, text, event("Start"), event("Stop"), func(f *jsonFile) ([]byte, error) {
		return f.set(map[string]any{"command": "ours"}, "servers", "ours")
	})
}

// take removes them again.
func take(t testing.TB, text string) string {
	t.Helper()
	event := func(name string) func(f *jsonFile) ([]byte, error) {
		return func(f *jsonFile) ([]byte, error) {
			var groups []json.RawMessage
			if err := json.Unmarshal(f.get("hooks", name), &groups); err != nil {
				return nil, err
			}
			return f.remove("hooks", name, fmt.Sprint(len(groups)-1)), nil
		}
	}
	return editing(t, text, func(f *jsonFile) ([]byte, error) { return f.remove("servers", "ours"), nil }, event("Stop"), event("Start"))
}

// TestJSON checks entries in files of several styles, and that removing them restores the
// file.
func TestJSON(t *testing.T) {
	for _, c := range []struct{ name, before, after string }{
		{"spaces", "{\n  \"a\": 1\n}\n", `{
  "a": 1,
  "hooks": {
    "Start": [{"hooks": [{"command": "ours"}]}],
    "Stop": [{"hooks": [{"command": "ours"}]}]
  },
  "servers": {
    "ours": {"command": "ours"}
  }
}
`},
		{"one line", `{"a":1}`, `{"a":1, "hooks": {"Start": [{"hooks": [{"command": "ours"}]}], "Stop": [{"hooks": [{"command": "ours"}]}]}, "servers": {"ours": {"command": "ours"}}}`},
		{"comments and commas", "// mine\n{\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{ \"matcher\": \"x\" }, // keep\n\t\t],\n\t}, // last\n\t/* end */\n}", `// mine
{
	"hooks": {
		"Stop": [
			{ "matcher": "x" }, // keep
			{"hooks": [{"command": "ours"}]},
		],
		"Start": [{"hooks": [{"command": "ours"}]}],
	}, // last
	/* end */
	"servers": {
		"ours": {"command": "ours"}
	},
}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := put(t, c.before)
			if got != c.after {
				t.Errorf("with the entries:\n%s", got)
			}
			if back := take(t, got); back != c.before {
				t.Errorf("without them again:\n%q\nand not\n%q", back, c.before)
			}
		})
	}
	crlf := put(t, "\ufeff{\r\n  \"a\": 1\r\n}\r\n")
	if strings.Count(crlf, "\n") != strings.Count(crlf, "\r\n") || !strings.HasPrefix(crlf, "\ufeff{") {
		t.Errorf("ends of lines, or the mark, were lost: %q", crlf)
	}
	for _, text := range []string{"", "\n", "\ufeff"} {
		if f, err := parseJSON([]byte(put(t, text))); err != nil || f.get("servers", "ours", "command") == nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestBroken checks that an invalid settings file is refused with its line.
func TestBroken(t *testing.T) {
	for text, want := range map[string]string{
		"{\n  \"a\": 1\n  \"b\": 2\n}": "line 3, column 3",
		"[1]":                          "line 1",
		"{":                            "line 1",
		strings.Repeat("[", 5000):      "nested",
	} {
		if _, err := parseJSON([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v", text, err)
		}
	}
	f, err := parseJSON([]byte("{\n\"hooks\": []}"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.add([]any{1}, "hooks", "Stop"); err == nil || !strings.Contains(err.Error(), "line 2: hooks should be an object") {
		t.Errorf("an array in the place of an object: %v", err)
	}
}

// settings generates files as people write them.
func settings(t *rapid.T) string {
	eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol")
	blank := rapid.SampledFrom([]string{"", "", " ", "  ", "\t", eol, eol + "  ", eol + eol + "\t", " // note" + eol, "/* a */", eol + "  // own line" + eol + "  ", " /* b */ "})
	var value func(depth int) string
	list := func(depth int, open, end string, names []string) string {
		n := rapid.IntRange(0, 3).Draw(t, "n")
		if names != nil {
			n = max(n, 1) // an empty one that an entry came into goes with it
		}
		var b strings.Builder
		b.WriteString(open)
		for i := range n {
			if i > 0 {
				b.WriteString(",")
			}
			b.WriteString(blank.Draw(t, "before"))
			if names != nil {
				fmt.Fprintf(&b, "%q%s:%s", names[i], blank.Draw(t, "colon"), blank.Draw(t, "value"))
			}
			b.WriteString(value(depth + 1))
			b.WriteString(blank.Draw(t, "after"))
		}
		if n > 0 && rapid.Bool().Draw(t, "trailing") {
			b.WriteString("," + blank.Draw(t, "close"))
		}
		return b.String() + end
	}
	value = func(depth int) string {
		switch k := rapid.IntRange(0, 5).Draw(t, "kind"); {
		case k == 0 && depth < 4:
			return list(depth, "[", "]", nil)
		case k == 1 && depth < 4:
			return list(depth, "{", "}", []string{"x", "y", "z"})
		case k == 2:
			return `"a // no comment"`
		}
		return "1.50"
	}
	hooks := `"hooks":` + blank.Draw(t, "h") + list(1, "{", "}", []string{"Other", "More", "Rest"})
	text := list(0, "{", "}", []string{"a", "b", "c"})
	if rapid.Bool().Draw(t, "hooks") {
		text = "{" + blank.Draw(t, "first") + hooks + "," + text[1:]
	}
	mark := rapid.SampledFrom([]string{"", "\ufeff"}).Draw(t, "mark")
	return mark + blank.Draw(t, "top") + text + blank.Draw(t, "bottom")
}

// TestPutAndTake checks that adding and removing entries restores any file byte for byte.
func TestPutAndTake(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := settings(rt)
		with := put(t, text)
		if back := take(t, with); back != text {
			rt.Fatalf("was  %q\nwith %q\nback %q", text, with, back)
		}
		was, _ := hujson.Standardize([]byte(strings.TrimPrefix(text, "\ufeff")))
		is, _ := hujson.Standardize([]byte(strings.TrimPrefix(with, "\ufeff")))
		var a, b map[string]any
		if json.Unmarshal(was, &a) != nil || json.Unmarshal(is, &b) != nil {
			rt.Fatalf("no JSON: %q", is)
		}
		for name, v := range a {
			if name != "hooks" && fmt.Sprint(v) != fmt.Sprint(b[name]) {
				rt.Fatalf("%s was %v and is %v", name, v, b[name])
			}
		}
	})
}

func FuzzJSON(f *testing.F) {
	for _, s := range []string{"", "{}", "{ // a\n}", "{\"hooks\":{\"Stop\":[{}]},}", "{\"servers\":1}", "\ufeff{\r\n\"a\":[1,/*x*/],\r\n}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		j, err := parseJSON(text)
		if err != nil {
			return
		}
		with, err := j.add([]any{map[string]any{"a": 1}}, "hooks", "Stop")
		if err != nil {
			return
		}
		again, err := parseJSON(with)
		if err != nil || !bytes.Contains(again.get("hooks", "Stop"), []byte(`"a"`)) {
			t.Fatalf("%q became %q: %v", text, with, err)
		}
		if without := again.remove("hooks"); len(without) > 0 {
			if _, err := parseJSON(without); err != nil {
				t.Fatalf("%q: %v", without, err)
			}
		}
	})
}

// ours is a server's entry.
var ours = map[string]any{"command": "ours", "args": []string{"mcp"}}

// TestTables checks that adding and removing an entry in TOML and YAML changes nothing else.
func TestTables(t *testing.T) {
	for form, texts := range map[string][]string{
		".toml": {
			"", "\ufeff", "model = \"x\" # mine\n", "model = \"x\"", "a = 1\r\n[b]\r\nc = [\r\n  1, # one\r\n]\r\n",
			"[servers.other]\ncommand = \"x\"\n\n# about the next\n[z]\n",
		},
		".yaml": {
			"", "\ufeff", "# mine\n", "---\n# mine\n", "model: x # mine", "a: 1\r\nb:\r\n  - 1 # one\r\n\r\n", "servers: # all of them\n\n    # the other\n    other:\n        cmd: x\n\n# about the next\nz: 1\n",
			"a:\n  servers: 1\nservers:\n  # last\n  other: {cmd: x}\n  text: |\n    # no comment\n\n", "servers: # empty\nz: |\n  x\n",
		},
	} {
		f := formOf(form)
		for _, text := range texts {
			with, err := f.put([]byte(text), ours, "servers", "ours")
			if err != nil {
				t.Errorf("%q: %v", text, err)
				continue
			}
			if got, err := f.get(with, "servers", "ours"); err != nil || !same(got, ours) {
				t.Errorf("%q: %s, %v", with, got, err)
			}
			if _, err := f.put(with, ours, "servers", "ours"); !errors.Is(err, errForeign) {
				t.Errorf("%q: again %v", text, err)
			}
			back, err := f.take(with, "servers", "ours")
			want := strings.Replace(text, "servers: # empty\n", "", 1) // what it leaves empty goes
			if strings.TrimRight(string(back), "\r\n") != strings.TrimRight(want, "\r\n") || err != nil {
				t.Errorf("%q: back %q, %v", text, back, err)
			}
			if strings.Contains(text, "\r\n") && strings.Count(string(with), "\n") != strings.Count(string(with), "\r\n") {
				t.Errorf("%q: ends of lines differ", with)
			}
		}
	}
	for _, c := range []struct{ form, old, want string }{
		{".toml", "[a]\nx = 1\n\n[servers.ours]\ncommand = \"old\"\n[servers.ours.env]\nK = \"v\"\n\n# z\n[z]\ny = 2\n", "[a]\nx = 1\n\n# z\n[z]\ny = 2\n"},
		{".yaml", "a: 1\nservers:\n  # ours\n  ours:\n    cmd: old\n    # why\n    env:\n    - |\n      x\n\n  # z\n  z: 2\n", "a: 1\nservers:\n  # ours\n\n  # z\n  z: 2\n"},
		{".yaml", "a: 1\nservers:\n  # ours\n  ours:\n    cmd: old\n# b\nb: 2\n", "a: 1\n  # ours\n# b\nb: 2\n"},
	} {
		got, err := formOf(c.form).take([]byte(c.old), "servers", "ours")
		if string(got) != c.want || err != nil {
			t.Errorf("in the middle: %q, %v", got, err)
		}
	}
	for form, texts := range map[string][]string{
		".toml": {"servers = { ours = { command = \"x\" } }\n", "servers.ours.command = \"x\"\n", "servers = {}\n", "servers = 1\n", "a = \n"},
		".yaml": {"servers: {other: {cmd: x}}\n", "{a: 1}\n", "servers: 1\n", "servers: []\n", "a: 1\n---\nb: 1\n", "- a\n", "a: [\n", "a: &x 1\nservers: *x\n", "a: 1\na: 2\n", "a: 1\n...\n"},
	} {
		for _, text := range texts {
			if got, err := formOf(form).put([]byte(text), ours, "servers", "ours"); err == nil {
				t.Errorf("%q became %q", text, got)
			}
		}
	}
}

func FuzzTables(f *testing.F) {
	for _, s := range []string{
		"a = 1\n[servers.ours]\nx = \"\"\"\n# no comment\n\"\"\"\n[c]\n", "[[servers]]\n[servers.ours]\n",
		"servers:\n  ours: {x: 1}\n", "servers:\n- ours\n", "? servers\n: ours:\n    x: &a 1\n", "servers: {}\n", "a: |\n  x\nservers:\n\tours:\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, ending := range []string{".toml", ".yaml"} {
			f := formOf(ending)
			if without, err := f.take(text, "servers", "ours"); err == nil {
				if got, err := f.get(without, "servers", "ours"); err != nil || got != nil {
					t.Fatalf("%q: %q, %v", without, got, err)
				}
			}
			with, err := f.put(text, ours, "servers", "ours")
			if err != nil {
				continue
			}
			if _, err := f.take(with, "servers", "ours"); err != nil {
				t.Fatalf("%q: %v", with, err)
			}
		}
	})
}
