//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A costTable is a table of the page, with a note on each column.
type costTable struct {
	mark    string // of the place in the page
	rows    []string
	columns []string // in their order; those without a note have not been measured
	cells   map[[2]string]string
	notes   map[string]string
}

func (t *costTable) set(row, column, cell string) { t.cells[[2]string{row, column}] = cell }

// A costPage is docs/cost.md, and the part of the README that quotes it.
type costPage struct{ bySize, reading *costTable }

var (
	costDocs   = filepath.Join("..", "..", "docs", "cost.md")
	costReadme = filepath.Join("..", "..", "README.md")
)

// readCosts reads the tables that there are.
func readCosts(t testing.TB) costPage {
	t.Helper()
	text, err := os.ReadFile(costDocs)
	if err != nil {
		t.Fatal(err)
	}
	var sizes, reading []string
	for size := range strings.SplitSeq(costColumns, ",") {
		if n, err := strconv.Atoi(size); err == nil {
			sizes = append(sizes, sizeColumn(n))
		}
	}
	for _, r := range readingRows("") {
		reading = append(reading, r.name)
	}
	return costPage{
		parseCosts(t, string(text), "by size", costRowsBySize(), sizes),
		parseCosts(t, string(text), "reading", reading, []string{costMade, costReal}),
	}
}

// parseCosts finds the figures of a table. Rows that there no longer are are dropped.
func parseCosts(t testing.TB, text, mark string, rows, columns []string) *costTable {
	t.Helper()
	out := &costTable{mark, rows, columns, map[[2]string]string{}, map[string]string{}}
	_, block, ok := marked(text, mark)
	if !ok {
		t.Fatalf("%s has no place for the table %q", costDocs, mark)
	}
	var head []string
	for line := range strings.Lines(block) {
		line = strings.TrimSpace(line)
		if note, ok := strings.CutPrefix(line, "* "); ok {
			if column, note, ok := strings.Cut(note, ": "); ok {
				out.notes[column] = note
			}
		}
		fields := strings.Split(strings.ReplaceAll(line, `\|`, "\x00"), "|")
		if len(fields) < 3 {
			continue
		}
		for i, f := range fields {
			fields[i] = strings.ReplaceAll(strings.TrimSpace(f), "\x00", `\|`)
		}
		if head == nil {
			head = fields
			continue
		}
		for i := 2; i < min(len(head), len(fields)); i++ {
			if slices.Contains(rows, fields[1]) && head[i] != "" {
				out.set(fields[1], head[i], fields[i])
			}
		}
	}
	return out
}

// String is the table as Markdown, with the notes below it.
func (t *costTable) String() string {
	var out strings.Builder
	columns := slices.DeleteFunc(slices.Clone(t.columns), func(c string) bool { return t.notes[c] == "" })
	for c := range t.notes { // sizes that somebody asked for
		if !slices.Contains(columns, c) {
			columns = append(columns, c)
		}
	}
	t.table(&out, t.rows, columns)
	out.WriteByte('\n')
	for _, c := range columns {
		fmt.Fprintf(&out, "* %s: %s\n", c, t.notes[c])
	}
	return out.String()
}

func (t *costTable) table(out *strings.Builder, rows, columns []string) {
	fmt.Fprintf(out, "| | %s |\n|---|%s\n", strings.Join(columns, " | "), strings.Repeat("--:|", len(columns)))
	for _, row := range rows {
		fmt.Fprintf(out, "| %s |", row)
		for _, c := range columns {
			cell := t.cells[[2]string{row, c}]
			if cell == "" {
				cell = "–"
			}
			fmt.Fprintf(out, " %s |", cell)
		}
		out.WriteByte('\n')
	}
}

// sizeColumn is the head of a column: 14391 is "14,391".
func sizeColumn(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// quote is what the README has of the tables.
func (p costPage) quote() string {
	columns := slices.DeleteFunc([]string{"14,391", "200,000"}, func(c string) bool { return p.bySize.notes[c] == "" })
	var out strings.Builder
	p.bySize.table(&out, []string{
		costEmpty, costHook, "`search`", "`inject`", "`approve`", "`extract` of one new session", "`index --rebuild`", costDeskFirst, costDeskKey, costDeskMemory,
	}, columns)
	out.WriteByte('\n')
	for _, c := range columns {
		fmt.Fprintf(&out, "* %s: %s\n", c, p.bySize.notes[c])
	}
	return out.String()
}

// marked splits a text at the places <!-- mark --> and <!-- end of mark -->.
func marked(text, mark string) (before, block string, ok bool) {
	from := "<!-- " + mark + " -->\n"
	to := "<!-- end of " + mark + " -->\n"
	before, after, ok := strings.Cut(text, from)
	if !ok {
		return "", "", false
	}
	block, _, ok = strings.Cut(after, to)
	return before + from, block, ok
}

// write puts the tables into the page and the README.
func (p costPage) write(t testing.TB) {
	t.Helper()
	for _, place := range []struct{ file, mark, text string }{
		{costDocs, p.bySize.mark, "\n" + p.bySize.String() + "\n"},
		{costDocs, p.reading.mark, "\n" + p.reading.String() + "\n"},
		{costReadme, "cost", "\n" + p.quote() + "\n"},
	} {
		text, err := os.ReadFile(place.file)
		if err != nil {
			t.Fatal(err)
		}
		before, block, ok := marked(string(text), place.mark)
		if !ok {
			t.Fatalf("%s has no place for the table %q", place.file, place.mark)
		}
		after := string(text)[len(before)+len(block):]
		if err := os.WriteFile(place.file, []byte(before+place.text+after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCostQuoted holds the README to docs/cost.md, and with -cost.write the README and
// the form of the tables to what was measured.
func TestCostQuoted(t *testing.T) {
	if *costWrite {
		readCosts(t).write(t)
	}
	text, err := os.ReadFile(costReadme)
	if err != nil {
		t.Fatal(err)
	}
	_, block, ok := marked(string(text), "cost")
	if want := "\n" + readCosts(t).quote() + "\n"; !ok || block != want {
		t.Errorf("the README quotes\n%s\nof docs/cost.md; -run TestCostQuoted -cost.write puts in\n%s", block, want)
	}
}
