package settings

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"learnings/cmd/internal/term"
	"learnings/extractor/model/llm"
)

func TestConfigSources(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	c, err := Load(path)
	if err != nil || c.Role != (Setting[string]{"developer", "default"}) || c.Learning.MaxInject.Value != 5 {
		t.Fatalf("without a file: %+v, %v", c, err)
	}
	write(t, path, "role = 'reviewer'\nmax_inject = 3\n[aliases]\n\"old one\" = \"new\"\nnew = 'newest'\n")
	c, err = Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if c.Role != (Setting[string]{"reviewer", path + ":1"}) || c.Learning.MaxInject != (Setting[int]{3, path + ":2"}) || c.Name.Source != "system" {
		t.Errorf("with a file: %+v", c)
	}
	if got := c.Canonical("old one"); got != "newest" {
		t.Errorf("aliases of aliases: got %q", got)
	}
}

func TestConfigErrors(t *testing.T) {
	for name, test := range map[string]struct{ text, err, hint string }{
		"unknown key": {"\nrol = 'x'\n", `config.toml:2: unknown key "rol"; did you mean role?`, "learnings config"},
		"bad value":   {"max_inject = 'many'\n", "config.toml:1:", ""},
		"too many":    {"max_inject = 1000\n", "max_inject is 1000; it must be from 0 to 50", ""},
		"no toml":     {"role: x\n", "config.toml:1:", ""},
		"empty role":  {"role = ' '\n", "config.toml:1: role is empty; remove the line", "learnings config"},
		"circle":      {"[aliases]\na = 'b'\nb = 'a'\n", "circle", ""},
		"too large":   {strings.Repeat("#", maxConfig+1), "larger than 1024 KB", ""},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "config.toml")
			write(t, path, test.text)
			_, err := Load(path)
			var out strings.Builder
			term.Report(&out, err)
			if !strings.Contains(out.String(), test.err) || !strings.Contains(out.String(), test.hint) {
				t.Errorf("got\n%s", out.String())
			}
		})
	}
}

func TestConfigOfLearning(t *testing.T) {
	for name, c := range map[string]struct{ text, err string }{
		"all of Octomind's":     {"[learning]\nenabled = true\nmodel = 'anthropic:claude-haiku-4-5'\nbackend = 'file'\nmin_messages_for_intermediate = 3\nmax_inject = 5\n[learning.store]\ntool = ''\n[learning.retrieve.field_map]\n", ""},
		"a tool as memory":      {"[learning]\nbackend = 'mcp'\n[learning.store]\ntool = 'memorize'\n[learning.store.field_map]\ncontent = 'content'\nrole = ''\n[learning.retrieve]\ntool = 'remember'\nfield_map = { query = 'query' }\n[learning.mcp]\ncommand = ['octobrain', 'mcp']\nheaders = { Authorization = 'TOKEN' }\n", ""},
		"a tool's fields":       {"[learning]\nstore = { field_map = { content = 3 } }\n", ":2: learning.store.field_map must be a table of texts"},
		"a slip in a tool":      {"[learning.store]\nfield_maps = {}\n", ":2: unknown key \"learning.store.field_maps\"; did you mean learning.store.field_map?"},
		"two servers":           {"[learning.mcp]\ncommand = ['octobrain']\nurl = 'http://localhost:1/'\n", "two servers; leave one of them out"},
		"another backend":       {"[learning]\nbackend = 'sql'\n", ":2: learning.backend is \"sql\"; it must be file, mcp"},
		"a former table":        {"[embedding]\nurl = 3\nmodel = 'm'\n", ""},
		"former keys":           {"[learning]\nmin_confidence = 2\nmax_lessons = 'x'\n", ""},
		"a slip in the table":   {"[learning]\nholdouts = 0.5\n", ":2: unknown key \"learning.holdouts\"; did you mean learning.holdout?"},
		"in no table":           {"\nstart_tokens = 500\n", ":2: unknown key \"start_tokens\"; did you mean learning.start_tokens?"},
		"dots in quotes":        {"\"learning.budget\" = 500\n", ":1: unknown key"},
		"an unknown table":      {"[lerning]\nenabled = true\n", ":1: unknown key \"lerning\""},
		"no table":              {"learning = true\n", ":1: learning is a table: write [learning]"},
		"tables in a list":      {"[[learning]]\nenabled = true\n", ":1: learning is a table"},
		"a view of a number":    {"[views]\nmine = 1\n", ":2: the view \"mine\" must be a query"},
		"an alias of a number":  {"[aliases]\na = 1\n", ":2: the alias \"a\" must name"},
		"no switch":             {"[learning]\nenabled = 'yes'\n", ":2: learning.enabled must be true or false"},
		"no text":               {"[learning]\nmodel = 3\n", ":2: learning.model must be a text in quotes"},
		"no model":              {"[learning]\nmodel = 'gpt'\n", ":2: learning.model is no model"},
		"below":                 {"[learning]\nbudget = 10\n", ":2: learning.budget is 10; it must be from 200 to 1000000"},
		"no whole number":       {"[learning]\nbudget = 500.5\n", ":2: learning.budget must be a whole number"},
		"not a number":          {"[learning]\nmax_usd_per_run = nan\n", ":2: learning.max_usd_per_run is NaN"},
		"endless":               {"[learning]\nmax_usd_per_month = inf\n", ":2: learning.max_usd_per_month is +Inf"},
		"no program":            {"[learning]\ncommand = []\n", ":2: learning.command must be an array"},
		"no program's name":     {"[learning]\ncommand = ['', 'x']\n", ":2: learning.command must be an array"},
		"trust in nobody":       {"[sync]\ntrust = ['ada', ' ']\n", ":2: sync.trust must be an array of names"},
		"trust in one text":     {"[sync]\ntrust = 'ada'\n", ":2: sync.trust must be an array of names"},
		"a command of one text": {"[learning]\ncommand = 'llm -m x'\n", ":2: learning.command must be an array"},
		"command of nothing":    {"[learning]\nmodel = 'command'\n", "set learning.command"},
		"no address":            {"[learning]\nbase_url = 'localhost'\n", ":2: learning.base_url must be an http address"},
		"a key in the address":  {"[learning]\nbase_url = 'http://k:s@host/'\n", ":2: learning.base_url must be an http address"},
		"half a price":          {"[learning]\nprice_in = 1\n", "go together"},
		"unasked without limit": {"[learning]\nmodel = 'openai:m'\nmodel_in_background = true\n", "set learning.max_usd_per_day or learning.max_usd_per_month"},
		"unasked and nobody":    {"[learning]\nmodel_in_background = true\n", "needs a learning.model"},
		"unasked, with a limit": {"[learning]\nmodel = 'openai:m'\nmodel_in_background = true\nmax_usd_per_month = 5\n", ""},
		"unasked, on this desk": {"learning.model = 'ollama:qwen3:8b'\nlearning.model_in_background = true\n", ""},
		"the same twice":        {"max_inject = 4\n[learning]\nmax_inject = 4\n", ""},
		"two slips":             {"rol = 'x'\n[learning]\nbudget = 1\n", ":3: learning.budget is 1"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parse("config.toml", []byte(c.text))
			if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestFormer checks that settings without effect are no error, and are reported with
// their line.
func TestFormer(t *testing.T) {
	c, err := parse("config.toml", []byte("role = 'x'\n[embedding]\nurl = 'http://localhost:11434/v1'\nmodel = 'm'\n"))
	if err != nil || c.Role.Value != "x" || len(c.Former) != 1 || !strings.HasPrefix(c.Former[0], "config.toml:2: embedding has no effect any more: ") {
		t.Errorf("got %q, %v", c.Former, err)
	}
}

// TestTemplate checks that the file of --edit sets nothing, that its lines uncommented
// are the defaults, and that docs/settings.md has each key.
func TestTemplate(t *testing.T) {
	text := string(Template())
	if c, err := parse("c", []byte(text)); err != nil || !sameSettings(c, Defaults("c")) {
		t.Errorf("the template says something: %v", err)
	}
	all := regexp.MustCompile(`(?m)^# (\w+ = )`).ReplaceAllString(text, "$1")
	all = strings.ReplaceAll(all, "command = []\n", "")
	if c, err := parse("c", []byte(all)); err != nil || !sameSettings(c, Defaults("c")) {
		t.Errorf("with all lines: %v", err)
	}
	page, err := os.ReadFile("../../../docs/settings.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range Keys {
		if !strings.Contains(string(page), "`"+k.Name+"`") {
			t.Errorf("docs/settings.md lacks %s", k.Name)
		}
	}
}

// TestConfigAfterError checks the settings that hooks use after an error.
func TestConfigAfterError(t *testing.T) {
	c, err := parse("config.toml", []byte("max_inject = 1000\nrole = 'reviewer'\nnaem = 'x'\n[learning]\nenabled = false\nmodel = 'ollama:m'\nmodel_in_background = true\n"))
	if err == nil || c.Learning.MaxInject.Value != defaultMaxInject || c.Role.Value != "reviewer" || c.Learning.Enabled.Value {
		t.Errorf("what is right does not hold, or what is wrong does: %+v, %v", c, err)
	}
	if m := c.Background(); m != "" {
		t.Errorf("on the word of a broken file %s would be asked", m)
	}
	if c, err := parse("config.toml", []byte("max_inject = 0\n[learning\n")); err == nil || c.Learning.MaxInject.Value != defaultMaxInject {
		t.Errorf("what is no TOML holds: %+v, %v", c, err)
	}
	for text, want := range map[string]string{
		"[learning]\nexclude = ['diary'":                 "*",
		"[learning]\nexclude = 'diary'\n":                "*",
		"[learning]\nexclude = ['[']\n":                  "*",
		"[learning]\nexclude = ['diary']\nenabled = 1\n": "diary",
		"[learning]\n# exclude = []\nenabled = 1\n":      "",
	} {
		if c, err := parse("config.toml", []byte(text)); err == nil || strings.Join(c.Learning.Exclude.Value, " ") != want {
			t.Errorf("%q excludes %q, %v", text, c.Learning.Exclude.Value, err)
		}
	}
}

// FuzzConfig checks that all settings are valid and have a source, and that accepted
// values are accepted again.
func FuzzConfig(f *testing.F) {
	f.Add("role = 'x'\nmax_inject = 3\n[learning]\nmodel = \"ollama:m\" # c\nbudget = 4000\ncommand = ['a', 'b']\n")
	f.Add("learning = { enabled = false, store = { tool = '' } }\naliases.a = 'b'\n")
	f.Add("[learning]\nholdout = nan\nmax_usd_per_run = -0.0\n[[learning.store]]\n")
	f.Add("\"\" = 1\n\"learning.model\".x = 2\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := parse("c.toml", []byte(text))
		if c.Broken != (err != nil) {
			t.Fatalf("broken %v, %v", c.Broken, err)
		}
		rows := strings.Count(text, "\n") + 1
		again := Defaults("c.toml")
		for _, k := range Keys {
			v, source := k.Get(&c)
			line, ok := strings.CutPrefix(source, "c.toml:")
			if !ok {
				continue
			}
			if n, err := strconv.Atoi(line); err != nil || n < 1 || n > rows {
				t.Fatalf("%s comes from %q", k.Name, source)
			}
			if err := k.set(&again, asTOML(v), source); err != nil {
				t.Fatalf("%s = %v was accepted: %v", k.Name, v, err)
			}
		}
	})
}

// asTOML returns a value as the decoder does.
func asTOML(v any) any {
	switch v := v.(type) {
	case int:
		return int64(v)
	case []string:
		out := make([]any, len(v))
		for i, s := range v {
			out[i] = s
		}
		return out
	}
	return v
}

// TestSet checks the change of one entry, and which files stay unchanged.
func TestSet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	for _, x := range []struct{ before, table, name, value, after string }{
		{"", "aliases", "old", "new", "[aliases]\n\"old\" = \"new\"\n"},
		{"# mine\nrole = 'x' # kept", "aliases", "old", "new", "# mine\nrole = 'x' # kept\n\n[aliases]\n\"old\" = \"new\"\n"},
		{"[aliases] # names\na = 'b' # why\n", "aliases", "old", "new", "[aliases] # names\na = 'b' # why\n\"old\" = \"new\"\n"},
		{"[aliases]\nold = 'other'  # why\nz = 'y'\n", "aliases", "old", "new", "[aliases]\nold = \"new\"  # why\nz = 'y'\n"},
		{"role = 'x'\r\n[aliases]\r\na = 'b'\r\n", "aliases", "old", "new", "role = 'x'\r\n[aliases]\r\na = 'b'\r\n\"old\" = \"new\"\n"},
		{"[aliases]\na = 'b'", "aliases", "old", "new", "[aliases]\na = 'b'\n\"old\" = \"new\"\n"},
		{"[aliases]\n\n# end\n", "aliases", "old", "new", "[aliases]\n\n# end\n\"old\" = \"new\"\n"},
		{"aliases = { a = 'b' }\n", "aliases", "old", "new", ""}, // "" is an error
		{"[aliases]\nnew = 'old'\n", "aliases", "old", "new", ""},
		{"[aliases\n", "aliases", "old", "new", ""},
		{"", "learning", "model", "claude:haiku", "[learning]\nmodel = \"claude:haiku\"\n"},
		{"[learning]\nmax_inject = 3 # few\n\n[aliases]\na = 'b'\n", "learning", "model", "claude:haiku", "[learning]\nmax_inject = 3 # few\nmodel = \"claude:haiku\"\n\n[aliases]\na = 'b'\n"},
		{"[learning]\nmodel = 'codex' # mine\n", "learning", "model", "claude:haiku", "[learning]\nmodel = \"claude:haiku\" # mine\n"},
		{"learning.max_inject = 3\n", "learning", "model", "claude:haiku", ""},
		{"# mine\n[aliases]\na = 'b'\n", "views", "my view", `status:approved "a b"`, "# mine\n[aliases]\na = 'b'\n\n[views]\n\"my view\" = \"status:approved \\\"a b\\\"\"\n"},
		{"[views]\n\"my view\" = \"status:approved\"\n", "views", "my view", "used:0", "[views]\n\"my view\" = \"used:0\"\n"},
		{"[aliases]\na = 'b'\n\n[views]\n\"my view\" = \"used:0\"\n", "views", "my view", "", "[aliases]\na = 'b'\n\n[views]\n"},
	} {
		write(t, path, x.before)
		err := Set(path, x.table, x.name, x.value)
		got, _ := os.ReadFile(path)
		if (err != nil) != (x.after == "") {
			t.Errorf("%q: %v", x.before, err)
		} else if want := cmp.Or(x.after, x.before); string(got) != want {
			t.Errorf("%q became\n%q\nand not\n%q", x.before, got, want)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := Set(path, "aliases", "old", "new"); err != nil {
		t.Errorf("without a file: %v", err)
	}
}

// FuzzSet checks that an edit changes or removes exactly one alias, or leaves the file
// unchanged.
func FuzzSet(f *testing.F) {
	f.Add("role = 'x'\n[aliases]\na = \"b\" # c\n\n[other]\n", "old", "new")
	f.Add("aliases.a = 'b'\n", "a", "c")
	f.Add("name = '''\n[aliases]\n'''\n", "\x00\"", "é\n")
	f.Add("name = '''al////=/\n'''\n", "\"", "")
	f.Fuzz(func(t *testing.T, text, name, canonical string) {
		path := filepath.Join(t.TempDir(), "config.toml")
		write(t, path, text)
		before, berr := Load(path)
		if err := Set(path, "aliases", name, canonical); err != nil {
			if got, _ := os.ReadFile(path); string(got) != text {
				t.Fatalf("failed with %v, and changed the file to %q", err, got)
			}
			return
		}
		after, err := Load(path)
		if err != nil || berr != nil {
			t.Fatalf("edited a broken file, or broke it: %v, %v", berr, err)
		}
		before.Aliases[name] = canonical
		if canonical == "" {
			delete(before.Aliases, name)
		}
		if !maps.Equal(before.Aliases, after.Aliases) || !sameSettings(before, after) {
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

func TestAtHand(t *testing.T) {
	c := Defaults("config.toml")
	found := []llm.Candidate{{Model: "openai:x", Where: "OPENAI_API_KEY"}, {Where: "ollama", Note: "not running"}, {Model: "claude:haiku", Where: "claude"}}
	names := func() (out []string) {
		for _, m := range c.AtHand(found) {
			out = append(out, m.Model)
		}
		return out
	}
	if got := names(); !slices.Equal(got, []string{"openai:x", "claude:haiku"}) {
		t.Errorf("at hand are %v", got)
	}
	c.Learning.Model.Value = "ollama:qwen"
	if got := names(); got[0] != "ollama:qwen" {
		t.Errorf("with a model in the configuration there are %v", got)
	}
}
