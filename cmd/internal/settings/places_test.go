package settings

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

func world(goos, home string, vars map[string]string) World {
	return World{OS: goos, Home: home, Dir: home, Getenv: func(key string) string { return vars[key] }}
}

func TestPlaces(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has other paths than those below")
	}
	for name, test := range map[string]struct {
		env          World
		dir          string
		corpus, by   string
		state, confi string // the folders they lie in
	}{
		"linux":    {world("linux", "/h", nil), "", "/h/.local/share/learnings", "default", "/h/.local/state/learnings", "/h/.config/learnings"},
		"macOS":    {world("darwin", "/h", nil), "", "/h/Library/Application Support/learnings/corpus", "default", "/h/Library/Application Support/learnings/state", "/h/Library/Application Support/learnings"},
		"windows":  {world("windows", "/h", nil), "", "/h/AppData/Local/learnings/corpus", "default", "/h/AppData/Local/learnings/state", "/h/AppData/Roaming/learnings"},
		"xdg":      {world("darwin", "/h", map[string]string{"XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "/s", "XDG_CONFIG_HOME": "rel"}), "", "/d/learnings", "default", "/s/learnings", "/h/Library/Application Support/learnings"},
		"variable": {world("linux", "/h", map[string]string{"LEARNINGS_DIR": "rel/c"}), "", "/h/rel/c", "LEARNINGS_DIR", "/h/.local/state/learnings", "/h/.config/learnings"},
		"flag":     {world("linux", "/h", map[string]string{"LEARNINGS_DIR": "/c"}), "/f/../g", "/g", "--dir", "/h/.local/state/learnings", "/h/.config/learnings"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := FindPlaces(test.env, test.dir)
			if err != nil {
				t.Fatal(err)
			}
			if p.Corpus != test.corpus || p.By != test.by || filepath.Dir(p.State) != test.state || filepath.Dir(p.Config) != test.confi {
				t.Errorf("got %+v", p)
			}
		})
	}
	if _, err := FindPlaces(world("linux", "", nil), ""); err == nil {
		t.Error("no home: no error")
	}
}

func TestStateOfOneFolder(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(dir, "real"), link); err != nil {
		if runtime.GOOS != "windows" {
			t.Fatal(err)
		}
		t.Skip("Windows gives this user no right to make links:", err)
	}
	real := filepath.Join(dir, "real", "corpus")
	before := StateOf("/s", real)
	if err := os.MkdirAll(real, 0o700); err != nil {
		t.Fatal(err)
	}
	if got := StateOf("/s", real); got != before {
		t.Error("the state of a corpus moved when the corpus was made")
	}
	if got := StateOf("/s", filepath.Join(link, "corpus")); got != before {
		t.Error("a link to a corpus has another state than the corpus")
	}
}

// TestPin calls a hook without pins: in a repository to which the environment leads, and
// elsewhere; and with the pins of another machine.
func TestPin(t *testing.T) {
	dir := t.TempDir()
	repo, home := filepath.Join(dir, "src", "shop"), filepath.Join(dir, "home")
	if err := os.MkdirAll(filepath.Join(repo, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range placing(runtime.GOOS) {
		t.Setenv(name, "")
	}
	was := SystemHome
	t.Cleanup(func() { SystemHome = was })
	SystemHome = func() string { return filepath.Join(dir, "elsewhere") }
	t.Chdir(repo)
	variable := placing(runtime.GOOS)[0]
	t.Setenv(variable, home)
	if rest := Pin(os.Getenv, []string{"stop", pinFlag + variable + "=" + filepath.Join(dir, "of another machine"), "--for", "claude"}); !slices.Equal(rest, []string{"stop", "--for", "claude"}) || os.Getenv(variable) != home {
		t.Errorf("pins of another machine: %v, %s", rest, os.Getenv(variable))
	}
	for _, name := range []string{variable, "XDG_STATE_HOME", "XDG_CONFIG_HOME"} {
		t.Setenv(variable, home)
		t.Setenv(name, filepath.Join(repo, "theirs"))
		if Pin(os.Getenv, []string{"stop"}); os.Getenv(name) == filepath.Join(repo, "theirs") || os.Getenv(variable) == home {
			t.Errorf("%s leads into the repository, and the hook there", name)
		}
		t.Setenv(variable, home)
		t.Setenv(name, filepath.Join(dir, "mine"))
		if Pin(os.Getenv, []string{"stop"}); os.Getenv(name) != filepath.Join(dir, "mine") {
			t.Errorf("%s is the person's, and not heeded", name)
		}
		t.Setenv(name, "")
	}
}

// TestRemember: a command without pins goes by the person's own places, which only an
// environment with the person's home folder says, and setup says anew.
func TestRemember(t *testing.T) {
	dir := t.TempDir()
	home, was := filepath.Join(dir, "home"), SystemHome
	t.Cleanup(func() { SystemHome = was })
	SystemHome = func() string { return home }
	if err := os.MkdirAll(home, 0o700); err != nil {
		t.Fatal(err)
	}
	variable, own := placing(runtime.GOOS)[0], map[string]string{"XDG_STATE_HOME": filepath.Join(dir, "own"), "LEARNINGS_DIR": filepath.Join(dir, "corpus")}
	remember := func(home string, vars map[string]string, again bool) {
		t.Helper()
		if err := Remember(world(runtime.GOOS, home, vars), again); err != nil {
			t.Fatal(err)
		}
	}
	leads := func() (at, state, corpus string) {
		for _, name := range placing(runtime.GOOS) {
			t.Setenv(name, filepath.Join(dir, "theirs", name))
		}
		t.Setenv(variable, home)
		Pin(os.Getenv, []string{"stop"})
		return os.Getenv(variable), os.Getenv("XDG_STATE_HOME"), os.Getenv("LEARNINGS_DIR")
	}
	remember(filepath.Join(dir, "sandbox"), own, true)
	if _, state, _ := leads(); state != filepath.Join(dir, "theirs", "XDG_STATE_HOME") {
		t.Errorf("before a person has used the program, a sandbox led to %s", state)
	}
	remember(home, own, false)
	remember(home, nil, false)
	if h, state, corpus := leads(); h != home || state != own["XDG_STATE_HOME"] || corpus != "" {
		t.Errorf("the hook went to %s, %s, %s", h, state, corpus)
	}
	t.Setenv(variable, filepath.Join(dir, "sandbox"))
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "sandbox", "state"))
	Pin(os.Getenv, []string{"stop"})
	if state := os.Getenv("XDG_STATE_HOME"); state != filepath.Join(dir, "sandbox", "state") {
		t.Errorf("a sandbox led to %s", state)
	}
	mine := func(vars map[string]string) World { return world(runtime.GOOS, home, vars) }
	if Elsewhere(mine(own)) || !Elsewhere(mine(nil)) {
		t.Error("places that moved since setup are not told from those that did not")
	}
	remember(home, nil, true)
	if h, state, _ := leads(); h != home || state != "" {
		t.Errorf("after setup the hook went to %s, %s", h, state)
	}
}
