package main

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestConfigSources(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	c, err := loadConfig(path)
	if err != nil || c.Role != (setting[string]{"developer", "default"}) || c.MaxInject.Value != 5 {
		t.Fatalf("without a file: %+v, %v", c, err)
	}
	write(t, path, "role = 'reviewer'\nmax_inject = 3\n[aliases]\n\"old one\" = \"new\"\nnew = 'newest'\n")
	c, err = loadConfig(path)
	if err != nil {
		t.Fatal(err)
	}
	if c.Role != (setting[string]{"reviewer", path}) || c.MaxInject != (setting[int]{3, path}) || c.Name.Source != "system" {
		t.Errorf("with a file: %+v", c)
	}
	if got := c.canonical("old one"); got != "newest" {
		t.Errorf("aliases of aliases: got %q", got)
	}
}

func TestConfigErrors(t *testing.T) {
	for name, test := range map[string]struct{ text, err, hint string }{
		"unknown key": {"\nrol = 'x'\n", `config.toml:2: unknown key "rol"`, "did you mean role?"},
		"bad value":   {"max_inject = 'many'\n", "config.toml:1:", ""},
		"too many":    {"max_inject = 1000\n", "from 0 (nothing) to 50", ""},
		"no toml":     {"role: x\n", "config.toml:1:", ""},
		"empty role":  {"role = ' '\n", "role is empty", "remove the line"},
		"circle":      {"[aliases]\na = 'b'\nb = 'a'\n", "circle", ""},
		"too large":   {strings.Repeat("#", maxConfig+1), "larger than 1024 KB", ""},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "config.toml")
			write(t, path, test.text)
			_, err := loadConfig(path)
			var out strings.Builder
			report(&out, err)
			if !strings.Contains(out.String(), test.err) || !strings.Contains(out.String(), test.hint) {
				t.Errorf("got\n%s", out.String())
			}
		})
	}
}

func TestSetAlias(t *testing.T) {
	for name, test := range map[string]struct{ before, after string }{
		"no file":    {"", "[aliases]\n\"old\" = \"new\"\n"},
		"no table":   {"# mine\nrole = 'x' # kept", "# mine\nrole = 'x' # kept\n\n[aliases]\n\"old\" = \"new\"\n"},
		"last table": {"[aliases] # names\na = 'b' # why\n", "[aliases] # names\na = 'b' # why\n\"old\" = \"new\"\n"},
		"replaced":   {"[aliases]\nold = 'other'  # why\nz = 'y'\n", "[aliases]\nold = \"new\"  # why\nz = 'y'\n"},
		"crlf":       {"role = 'x'\r\n[aliases]\r\na = 'b'\r\n", "role = 'x'\r\n[aliases]\r\na = 'b'\r\n\"old\" = \"new\"\n"},
		"no newline": {"[aliases]\na = 'b'", "[aliases]\na = 'b'\n\"old\" = \"new\"\n"},
		"empty":      {"[aliases]\n\n# end\n", "[aliases]\n\n# end\n\"old\" = \"new\"\n"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "config.toml")
			if test.before != "" {
				write(t, path, test.before)
			}
			if err := setAlias(path, "old", "new"); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != test.after {
				t.Errorf("got\n%q\nwant\n%q", got, test.after)
			}
		})
	}
}

func TestSetAliasRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"inline table": "aliases = { a = 'b' }\n",
		"circle":       "[aliases]\nnew = 'old'\n",
		"broken":       "[aliases\n",
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "config.toml")
			write(t, path, text)
			if err := setAlias(path, "old", "new"); err == nil {
				t.Error("no error")
			}
			if got, _ := os.ReadFile(path); string(got) != text {
				t.Errorf("the file was changed: %q", got)
			}
		})
	}
}

// FuzzSetAlias checks that an edit either adds exactly one alias or leaves the
// file alone.
func FuzzSetAlias(f *testing.F) {
	f.Add("role = 'x'\n[aliases]\na = \"b\" # c\n\n[other]\n", "old", "new")
	f.Add("aliases.a = 'b'\n", "a", "c")
	f.Add("name = '''\n[aliases]\n'''\n", "\x00\"", "é\n")
	f.Fuzz(func(t *testing.T, text, name, canonical string) {
		path := filepath.Join(t.TempDir(), "config.toml")
		write(t, path, text)
		before, berr := loadConfig(path)
		if err := setAlias(path, name, canonical); err != nil {
			if got, _ := os.ReadFile(path); string(got) != text {
				t.Fatalf("failed with %v, and changed the file to %q", err, got)
			}
			return
		}
		after, err := loadConfig(path)
		if err != nil || berr != nil {
			t.Fatalf("edited a broken file, or broke it: %v, %v", berr, err)
		}
		before.Aliases[name] = canonical
		if !maps.Equal(before.Aliases, after.Aliases) || before.Role != after.Role || before.Name != after.Name {
			t.Fatalf("want %+v, got %+v", before, after)
		}
	})
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
