package hook

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

func everything(string) bool { return true }

// flatten collects the leaves of a value that encoding/json decoded.
func flatten(path string, v any, depth int, out map[string]leaf) {
	below := func(name string) string { return strings.TrimPrefix(path+"."+name, ".") }
	switch v := v.(type) {
	case map[string]any:
		for k, in := range v {
			if strings.Contains(k, ".") {
				out["dotted"] = leaf{}
			}
			if depth < maxDepth {
				flatten(below(k), in, depth+1, out)
			}
		}
	case []any:
		for i, in := range v {
			if i < maxItems && depth < maxDepth {
				flatten(below(fmt.Sprint(i)), in, depth+1, out)
			}
		}
	case string:
		out[path] = leaf{text: v, str: true}
	case nil:
		out[path] = leaf{text: "null"}
	case json.Number:
		out[path] = leaf{text: v.String()}
	default:
		out[path] = leaf{text: fmt.Sprint(v)}
	}
}

// Long values are read to their end, and only their beginnings kept.
func TestScanLong(t *testing.T) {
	for _, long := range []string{strings.Repeat("x", 5<<20), strings.Repeat(`\n`, 3<<20), strings.Repeat(`ä\u00e4`, 1<<20), strings.Repeat(`\\`, maxText/2-1) + `\u00e4\u00e4` + strings.Repeat("y", 99)} {
		leaves, err := scan(strings.NewReader(`{"a":"`+long+`","skip":[{"x":"`+long+`"}],"b":"after"}`), func(k string) bool { return k != "skip" })
		a := leaves["a"]
		if err != nil || leaves["b"].text != "after" || a.size < maxText/2 || len(a.text) == 0 || len(a.text) > maxText+8 || strings.ContainsRune(a.text, '\ufffd') {
			t.Errorf("%s: %v, b %q, %d of %d bytes kept", long[:10], err, leaves["b"].text, len(a.text), a.size)
		}
	}
	// The amount kept is bounded.
	var many strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&many, `"k%d":"%s",`, i, strings.Repeat("v", 300))
	}
	leaves, err := scan(strings.NewReader(`{`+many.String()+`"deep":`+strings.Repeat(`{"d":`, 1<<20)+`1`+strings.Repeat(`}`, 1<<20)+`}`), everything)
	if err != nil || len(leaves) > maxLeaves {
		t.Errorf("%d leaves, %v", len(leaves), err)
	}
}

func TestScanNot(t *testing.T) {
	for _, in := range []string{`[1,2]`, `"x"`, `{"a"}`, `{"a":}`, `{a:1}`, `{"a":"x`, `{"a":[1,2`, `{"a":tr"ue}`, `{"a":"\u12"}`, `{`, "\ufeff", "{\"a\":\"\\"} {
		if _, err := scan(strings.NewReader(in), everything); err == nil {
			t.Errorf("%q is taken", in)
		}
	}
	if _, err := scan(strings.NewReader(" \n "), everything); err != io.EOF {
		t.Errorf("nothing: %v", err)
	}
	leaves, err := scan(iotest.OneByteReader(strings.NewReader("\ufeff {\"a\": {\"b\" : [ \"\\ud83d\\ude00\", -1.5e3 , null ] } } and more")), everything)
	if err != nil || leaves["a.b.0"].text != "😀" || leaves["a.b.1"].text != "-1.5e3" || leaves["a.b.2"].str {
		t.Errorf("%v, %v", leaves, err)
	}
}

// FuzzScan compares the scanner with encoding/json.
func FuzzScan(f *testing.F) {
	for _, s := range []string{start, `{"a":{"b":["c",{"d":null}]},"e":-1.5}`, `{"a":"\ud83d\ude00\n\"","":""}`, `[]`, `{"a":[[[[[[[1]]]]]]]}`, `{"a" : "x" , "b":{}}`, `{"a":tru`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := scan(iotest.HalfReader(strings.NewReader(s)), everything)
		dec := json.NewDecoder(strings.NewReader(s))
		dec.UseNumber()
		var v map[string]any
		if dec.Decode(&v) != nil || v == nil || len(s) > maxText || !utf8.ValidString(s) {
			return // invalid JSON must only not panic
		}
		if err != nil {
			t.Fatalf("it is JSON: %v", err)
		}
		want := map[string]leaf{}
		flatten("", v, 0, want)
		if _, dotted := want["dotted"]; dotted || len(want) > maxLeaves/2 {
			return
		}
		for path, l := range got {
			w, ok := want[path]
			twice := slices.ContainsFunc(strings.Split(path, "."), func(name string) bool { return strings.Count(s, `"`+name+`"`) > 1 })
			if twice || strings.ContainsAny(path, "\\\ufffd") || strings.Contains(s, `\`) || len(path) > maxKey {
				continue // said twice, or a name that means another
			}
			if !ok || w.str != l.str || w.text != l.text {
				t.Errorf("%q is %+v, want %+v", path, l, w)
			}
		}
	})
}
