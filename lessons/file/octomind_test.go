package file

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"learnings/lessons"
)

const where = "octofs/developer/20260405143000-x.md"

func decodeAt(t *testing.T, text string) lessons.Lesson {
	t.Helper()
	l, err := DecodeAt(where, []byte(text), "")
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return l
}

// What Octomind gives to its agents is a lesson here, whatever YAML says, and no line
// of it is lost.
func TestDecodeAtReadsWhatOctomindReads(t *testing.T) {
	for name, c := range map[string]struct{ text, content, kept string }{
		"an unquoted colon":      {"---\ncontent: plain text: with colon\nimportance: 0.9\n---\n", "plain text: with colon", ""},
		"a line of words":        {"---\ncontent: \"x\"\nnot a key value line\n---\n", "x", `["not a key value line"]`},
		"quotes within quotes":   {"---\ncontent: \"say \"hi\" twice\"\ntags: [a, b]\n---\n", `say "hi" twice`, ""},
		"a quote never closed":   {"---\ncontent: \"never closed\nproject: \"p\"\n---\n", "never closed", ""},
		"bad scalars":            {"---\ncontent: \"x\"\nimportance: high\nuse_count: many\ncreated: yesterday\nconfidence: sure\n---\n", "x", `["created: yesterday", "confidence: sure"]`},
		"keys of other programs": {"---\ncontent: x\nstatus: draft\nuntil: never\nscore: 12\n---\n", "x", `["until: never", "score: 12", "status: draft"]`},
		"a key that comes twice": {"---\ncontent: first\ncontent: second\n---\n", "second", `["content: first"]`},
		"indented":               {"---\n  content: \"x\"\n  tags: [a]\n---\n", "x", ""},
		"no line of its own":     {"---\ncontent: \"x\" ---", "x", ""},
		"CRLF":                   {"---\r\ncontent: a: b\r\n---\r\nbody\r\n", "a: b", ""},
		"an anchor":              {"---\ncontent: x\na: &b 1\nc: *b\n---\n", "x", ""},
		"a list for a text":      {"---\ncontent: [x]\n---\n", "[x]", ""},
		"no document":            {"---\ncontent: @x\n---\n", "@x", ""},
		"an own file":            {"---\nid: k7m2p9qx\ncontent: a: b\nscore: 0.81\n---\n", "a: b", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Decode([]byte(c.text)); err == nil && c.kept == "" && name != "quotes within quotes" {
				t.Error("this is no example: Decode reads it")
			}
			l := decodeAt(t, c.text)
			if l.Content != c.content || l.Status != lessons.Approved {
				t.Errorf("read as %q, %s", l.Content, l.Status)
			}
			if kept, _ := extra(l, keptLines); kept != c.kept {
				t.Errorf("keeps %s, want %s", kept, c.kept)
			}
			roundTrip(t, l)
		})
	}
	if l := decodeAt(t, "---\ncontent: a: b\nodd: [1\nother: x: y\n---\n"); len(l.Extra) != 2 || l.Extra[0].Value != `"[1"` || l.Extra[1].Value != `"x: y"` {
		t.Errorf("unknown keys: %v", l.Extra)
	}
	l := decodeAt(t, "---\ncontent: a: b\nkept_lines: [\"one\"]\ntwo\n---\n")
	if kept, _ := extra(l, keptLines); kept != `["one", "two"]` {
		t.Errorf("kept before and now: %s", kept)
	}
}

// What Octomind passes over, and what a person or git has to settle, is still refused.
func TestDecodeAtRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"no frontmatter":      "just text\n",
		"not closed":          "---\ncontent: x\n",
		"no content":          "---\ntags: [a\n---\n",
		"conflict":            "---\ncontent: x\n<<<<<<< HEAD\nscore: 1\n=======\nscore: 0\n>>>>>>> other\n---\n",
		"a mistyped score":    "---\nid: a\ncontent: x\nscore: 2\n---\n",
		"evidence of our own": "---\nid: a\ncontent: x\n---\n\n## Evidence\n- said by nobody\n",
		"not UTF-8":           "---\ncontent: x: y\nrole: \xff\n---\n",
		"64 KB":               "---\ncontent: a: b\n" + strings.Repeat("k: v\n", maxHead/5+2) + "---\n",
	} {
		if l, err := DecodeAt(where, []byte(text), ""); err == nil {
			t.Errorf("%s: read as %+v", name, l)
		}
	}
}

// An edit here leaves what Octomind keeps of a lesson.
func TestEditKeepsWhatOctomindKeeps(t *testing.T) {
	const before = "---\ntitle: \"A title of its own\"\ncontent: \"Use tabs\"\nmemory_type: experience\nimportance: 0.85\nconfidence: high\ntags: [a]\nsource: \"s\"\nrole: \"developer\"\nproject: \"octofs\"\n" +
		"scope: scoped\ncreated: \"2026-08-28T10:15:00.500+00:00\"\nrelated: [\"20260828101500-other\"]\nevidence: [\"session://s/message/1\",\"session://s/message/3\"]\noutcome: verified\nlast_used: \"2026-09-01T08:00:00.250+00:00\"\nuse_count: 3\n---\n"
	l := decodeAt(t, before)
	l.Tags = append(l.Tags, "b")
	text, err := Encode(l)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(before) {
		switch {
		case strings.HasPrefix(line, "tags"):
			line = "tags: [a, b]\n"
		case strings.HasPrefix(line, "created"), strings.HasPrefix(line, "last_used"): // the same moment without zeros at the end
			line = strings.Replace(line, "0+00:00", "+00:00", 1)
			line = strings.Replace(line, "50+00:00", "5+00:00", 1)
		}
		if !strings.Contains(strings.ReplaceAll(string(text), "00.25+", "00.25+"), strings.Replace(strings.Replace(line, ".500+", ".5+", 1), ".50+", ".5+", 1)) {
			t.Errorf("%q is not in\n%s", line, text)
		}
	}
	roundTrip(t, l)
	// A title that follows from the content goes on doing so; an importance belongs to
	// the confidence with which it came.
	l = decodeAt(t, strings.Replace(strings.Replace(before, "A title of its own", "Use tabs", 1), "0.85", "0.8", 1))
	was := l
	if l.Confidence != 0.8 {
		t.Errorf("confidence %v", l.Confidence)
	}
	l.Content = "Use spaces"
	for range 2 {
		if text, _ = Encode(l); !bytes.Contains(text, []byte("title: \"Use spaces\"\n")) || !bytes.Contains(text, []byte("importance: 0.8\n")) {
			t.Errorf("after an edit of the content:\n%s", text)
		}
		// In an editor the person sees the title and leaves it alone.
		draft, _ := Encode(was)
		edited, err := Decode(bytes.Replace(draft, []byte("content: \"Use tabs\""), []byte("content: \"Use spaces\""), 1))
		if err != nil {
			t.Fatal(err)
		}
		l = Retitled(was, edited)
	}
	l.Confidence = 0.95
	if text, _ = Encode(l); !bytes.Contains(text, []byte("importance: 0.9\n")) {
		t.Errorf("after a change of the confidence:\n%s", text)
	}
}

// Each form of a text is read by every version of Octomind: the first takes quotes off
// both ends and undoes nothing, the present one undoes what we write.
func TestTextsThatEveryOctomindReads(t *testing.T) {
	for content, c := range map[string]struct{ line, first, now string }{
		"plain":                        {`"plain"`, "plain", ""},
		`Never say "done" before`:      {`Never say "done" before`, `Never say "done" before`, ""},
		`"quoted" first`:               {`"\"quoted\" first"`, `\"quoted\" first`, ""},
		`key: "value" pairs`:           {`"key: \"value\" pairs"`, `key: \"value\" pairs`, ""},
		"CI --- it says":               {"\"CI --\u2010 it says\"", "CI --\u2010 it says", "CI --\u2010 it says"},
		"a -- b ----- c":               {"\"a -- b --\u2010-- c\"", "a -- b --\u2010-- c", "a -- b --\u2010-- c"},
		"its own --\u2010 and ---":     {"\"its own --\\u2010 and --\u2010\"", "its own --\\u2010 and --\u2010", "its own --\\u2010 and --\u2010"},
		"C:\\tmp\nand \"so\" on":       {`"C:\\tmp\nand \"so\" on"`, `C:\\tmp\nand \"so\" on`, ""},
		`an "odd" C:\dir`:              {`"an \"odd\" C:\\dir"`, `an \"odd\" C:\\dir`, ""},
		`a "comment" # or not in YAML`: {`"a \"comment\" # or not in YAML"`, `a \"comment\" # or not in YAML`, ""},
	} {
		l := lessons.Lesson{ID: "a", Status: lessons.Approved, Wording: lessons.Wording{Content: content}}
		text, err := Encode(l)
		if err != nil {
			t.Fatal(err)
		}
		lines, ok := Lines(string(text))
		if !ok || lines[0] != (Line{"content", c.line}) {
			t.Errorf("%q is written %v", content, lines[0])
			continue
		}
		if first := strings.Trim(lines[0].Value, `"`); first != c.first {
			t.Errorf("the first Octomind reads %q, want %q", first, c.first)
		}
		if c.now == "" {
			c.now = content
		}
		now := lines[0].Value
		if strings.HasPrefix(now, `"`) && strings.HasSuffix(now, `"`) && len(now) > 1 {
			now = now[1 : len(now)-1]
		}
		now = strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\n`, "\n").Replace(now)
		if now != c.now {
			t.Errorf("Octomind reads %q, want %q", now, c.now)
		}
		roundTrip(t, l)
	}
	// What earlier versions of this program wrote means the same.
	old := decodeAt(t, "---\ncontent: \"CI --\\x2d it says \\\"stale\\\"\"\nid: \"a\"\n---\n")
	if old.Content != `CI --- it says "stale"` {
		t.Errorf("read as %q", old.Content)
	}
}

// Any file that is read at all can be written again, and is then the same lesson.
func FuzzDecodeAt(f *testing.F) {
	for _, s := range []string{
		"---\ncontent: a: b\nno key\ncontent: c\n---\nbody", "---\ncontent: \"x\ntitle: \"y\" z\"\nscore: 9\n---", "---\n content: x --- y", "---\ncontent: x\ntitle: [a]\nimportance: .5\nuse_count: 007\nscope: scoped\n---\n",
		"---\ncontent: \"a --\u2010 b\"\ntitle: 'it''s'\nkept_lines: x\n&a: *b\n---\n",
		"---\ncontent: a: b\n" + strings.Repeat("k", 1100) + ": \"x\n---\n",
		"---\ncontent: a\n" + strings.Repeat("ä&", 400) + ": [1]\n---\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := DecodeAt(where, data, "")
		if err != nil {
			return
		}
		if got := Normal(l); !reflect.DeepEqual(got, l) {
			t.Fatalf("%#v is not normal; that is\n%#v", l, got)
		}
		roundTrip(t, l)
	})
}
