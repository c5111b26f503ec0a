package past

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func example() Row {
	r := Row{Project: "Shop", Role: "developer", Lessons: 2}
	r.Format, r.Size, r.Human, r.ToolErrors = "claude-code", 2_500_000, 7, 6
	r.Record.Session.ID, r.Record.Session.Start, r.End = "0b51d8e2", noon.AddDate(0, 0, -3), noon.AddDate(0, 0, -3).Add(95*time.Minute)
	r.Spin, r.Prompt, r.Corrections = 4, "Fix the flaky login test", 1
	r.Did = [7]int{3, 2, 1, 5, 0, 0, 1}
	r.Errors = []Error{{Doing: "npm test", Says: "ENOENT: no such file"}}
	return r
}

func TestMatch(t *testing.T) {
	r := example()
	for text, want := range map[string]bool{
		"":                                      true,
		"spin>3 errors>5 project:shop":          true,
		"spin>4":                                false,
		"spin>=4 spin<=4 spin=4 spin:4 spin!=5": true,
		"ratio<2 ratio>=1.5":                    true,
		"age<7d age>48h age<1w":                 true,
		"since:2026-11-17 before:2d":            true,
		"since:2d":                              false,
		"since:2026-11-18|2026-11-01":           true,
		"minutes>90 minutes<2h":                 true,
		"size>2MB size<2.5GB":                   true,
		"size>3mb":                              false,
		"agent:claude":                          true,
		"agent=claude":                          false,
		"agent=claude-code":                     true,
		"agent!=codex":                          true,
		"project:blog|shop":                     true,
		"project:blog|wiki":                     false,
		"project:blog|spin>3":                   true,
		"-project:shop":                         false,
		"-project:blog|shop":                    true,
		"kind:spinning":                         true,
		"kind:blind|exploration":                false,
		`"flaky login" fix`:                     true,
		"flaky|nothing":                         true,
		"login logout":                          false,
		`error:enoent error:"npm test"`:         true,
		"corrections>0 lessons>1 turns=7 reads=3 edits=2 searches=1 runs=5 web=0 blind=0": true,
	} {
		q, err := Parse(text, noon)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if q.Match(&r) != want {
			t.Errorf("%q: %t", text, !want)
		}
	}
	r.Did[1] = 0 // nothing was edited
	for _, text := range []string{"ratio<2", "ratio>=2", "ratio!=2"} {
		if q, _ := Parse(text, noon); q.Match(&r) {
			t.Errorf("%q holds of what is not known", text)
		}
	}
}

// An error says which term is wrong and what could stand there.
func TestQueryErrors(t *testing.T) {
	for text, want := range map[string]string{
		"errors>5 spni>3":               `"spni>3": there is no field spni; the fields are spin, again, errors,`,
		"spin>":                         `"spin>": a value is missing`,
		"spin>x":                        `"spin>x": a number is wanted, such as 3`,
		"é spin>NaN":                    `"spin>NaN": a number is wanted, such as 3`,
		"size>3apples":                  `"size>3apples": a size such as 500kB or 2MB is wanted`,
		"since:soon":                    `"since:soon": a day such as 2026-11-20, or a time such as 36h, 7d or 2w, is wanted`,
		"since>2d":                      `"since>2d": write since:…`,
		"project>shop":                  `"project>shop": project is a text: use project:… or project=…`,
		"kind:lazy":                     `"kind:lazy": kind is one of spinning, blind, exploration`,
		`spin>3 "flaky`:                 `"\"flaky": a quote is not closed`,
		`"a"b`:                          `"\"a\"b": a quote is not closed, or a blank is missing`,
		"a|":                            `"": a value is missing`,
		"-":                             `"-": a value is missing`,
		strings.Repeat("a", maxQuery+1): `a query of more than 4096 bytes`,
	} {
		if _, err := Parse(text, noon); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestSort(t *testing.T) {
	rows := make([]Row, 4)
	for i := range rows {
		rows[i] = example()
		rows[i].Path = fmt.Sprint(i)
		rows[i].ToolErrors = i % 3
		rows[i].Did = [7]int{i, min(i, 1)}
		rows[i].Record.Session.Start = noon.AddDate(0, 0, -i)
	}
	for by, want := range map[string]string{"": "0123", "errors": "2103", "-errors": "0312", "ratio": "3210", "-ratio": "1230", "age": "3210", "project": "0123"} {
		if err := Sort(rows, by, noon); err != nil {
			t.Error(err)
		}
		got := ""
		for _, r := range rows {
			got += r.Path
		}
		if got != want {
			t.Errorf("by %q: %s", by, got)
		}
	}
	if err := Sort(rows, "speed", noon); err == nil || !strings.Contains(err.Error(), "spin, again") {
		t.Error(err)
	}
}

// FuzzParse checks that no text stops the parser, and that what it takes can be asked.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"spin>3 errors>5 project:shop", `kind:spinning|blind "a \" b"|c`, "-since:2026-11-01", "size>1e309kB", "ratio<.", "a||b", "é:x", "age>9999999999999999999y"} {
		f.Add(s)
	}
	r := example()
	f.Fuzz(func(t *testing.T, text string) {
		if q, err := Parse(text, noon); err == nil {
			q.Match(&r)
		}
	})
}
