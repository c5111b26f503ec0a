package graft

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tailscale/hujson"
	"pgregory.net/rapid"
)

// put adds an entry of each kind.
func put(t testing.TB, text string) string {
	t.Helper()
	f, err := ParseJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, event := range []string{"Start", "Stop"} {
		if err := f.Append(map[string]any{"hooks": []any{map[string]any{"command": "ours"}}}, "hooks", event); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Set(map[string]any{"command": "ours"}, "servers", "ours"); err != nil {
		t.Fatal(err)
	}
	return string(f.Bytes())
}

// take removes them again.
func take(t testing.TB, text string) string {
	t.Helper()
	f, err := ParseJSON([]byte(text))
	if err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	f.Remove("servers", "ours")
	for _, event := range []string{"Start", "Stop"} {
		var groups []json.RawMessage
		if err := json.Unmarshal(f.Get("hooks", event), &groups); err != nil {
			t.Fatal(err)
		}
		f.Remove("hooks", event, fmt.Sprint(len(groups)-1))
	}
	return string(f.Bytes())
}

// TestJSON checks what entries look like in files of several styles, and that each is
// the same again without them.
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
		{"one line", `{"a":1}`, `{"a":1, "hooks":{"Start":[{"hooks":[{"command":"ours"}]}], "Stop":[{"hooks":[{"command":"ours"}]}]}, "servers":{"ours":{"command":"ours"}}}`},
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
		if f, err := ParseJSON([]byte(put(t, text))); err != nil || f.Get("servers", "ours", "command") == nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestBroken checks that what is no settings file is refused with its line.
func TestBroken(t *testing.T) {
	for text, want := range map[string]string{
		"{\n  \"a\": 1\n  \"b\": 2\n}": "line 3, column 3",
		"[1]":                          "line 1",
		"{":                            "line 1",
		strings.Repeat("[", 5000):      "nested",
	} {
		if _, err := ParseJSON([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v", text, err)
		}
	}
	f, err := ParseJSON([]byte("{\n\"hooks\": []}"))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Append(1, "hooks", "Stop"); err == nil || !strings.Contains(err.Error(), "line 2: hooks should be an object") {
		t.Errorf("an array in the place of an object: %v", err)
	}
}

// settings draws files as people write them.
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

// TestThereAndBack checks of any file that entries which come and go leave it byte for
// byte as it was, and that it says all it said before.
func TestThereAndBack(t *testing.T) {
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
		j, err := ParseJSON(text)
		if err != nil {
			return
		}
		if len(bytes.TrimSpace(bytes.TrimPrefix(text, bom))) > 0 && !bytes.Equal(j.Bytes(), text) {
			t.Fatalf("%q became %q", text, j.Bytes())
		}
		if j.Append(map[string]any{"a": 1}, "hooks", "Stop") != nil {
			return
		}
		again, err := ParseJSON(j.Bytes())
		if err != nil || !bytes.Contains(again.Get("hooks", "Stop"), []byte(`"a"`)) {
			t.Fatalf("%q became %q: %v", text, j.Bytes(), err)
		}
		again.Remove("hooks")
		if _, err := ParseJSON(again.Bytes()); err != nil {
			t.Fatalf("%q: %v", again.Bytes(), err)
		}
	})
}

const body = "command = \"ours\"\nargs = [\"mcp\"]\n"

// TestTOML checks that a table comes and goes, and that nothing else changes.
func TestTOML(t *testing.T) {
	for _, text := range []string{
		"", "model = \"x\" # mine\n", "model = \"x\"", "a = 1\r\n[b]\r\nc = [\r\n  1, # one\r\n]\r\n",
		"[mcp_servers.other]\ncommand = \"x\"\n\n# about the next\n[z]\n",
	} {
		with, err := SetTOML([]byte(text), body, "mcp_servers", "ours")
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if !strings.HasPrefix(string(with), text) {
			t.Errorf("%q became %q", text, with)
		}
		again, err := SetTOML(with, body, "mcp_servers", "ours")
		if err != nil || !bytes.Equal(again, with) {
			t.Errorf("%q: again %q, %v", text, again, err)
		}
		back, err := RemoveTOML(with, "mcp_servers", "ours")
		if strings.TrimRight(string(back), "\n") != strings.TrimRight(text, "\n") || err != nil {
			t.Errorf("%q: back %q, %v", text, back, err)
		}
	}
	old := "[a]\nx = 1\n\n[mcp_servers.ours]\ncommand = \"old\"\n[mcp_servers.ours.env]\nK = \"v\"\n\n# z\n[z]\ny = 2\n"
	got, err := RemoveTOML([]byte(old), "mcp_servers", "ours")
	if want := "[a]\nx = 1\n\n# z\n[z]\ny = 2\n"; string(got) != want || err != nil {
		t.Errorf("a table in the middle: %q, %v", got, err)
	}
	for _, text := range []string{"mcp_servers = { ours = { command = \"x\" } }\n", "mcp_servers.ours.command = \"x\"\n", "mcp_servers = {}\n", "mcp_servers = 1\n", "a = \n"} {
		if got, err := SetTOML([]byte(text), body, "mcp_servers", "ours"); err == nil {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func FuzzTOML(f *testing.F) {
	f.Add([]byte("a = 1\n[mcp_servers.ours]\nx = \"\"\"\n# no comment\n\"\"\"\n[c]\n"))
	f.Add([]byte("[[mcp_servers]]\n[mcp_servers.ours]\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		with, err := SetTOML(text, body, "mcp_servers", "ours")
		if err != nil {
			return
		}
		if !sameBut(text, with, []string{"mcp_servers", "ours"}) {
			t.Fatalf("%q became %q", text, with)
		}
		if _, err := RemoveTOML(with, "mcp_servers", "ours"); err != nil {
			t.Fatalf("%q: %v", with, err)
		}
	})
}
