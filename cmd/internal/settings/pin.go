package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"learnings/lessons"
	"learnings/lessons/state"
	"learnings/lessons/store"
)

// pinFlag is the flag by which setup tells hooks and the MCP server where lessons, state
// and settings are, as a variable and its value; see [Pin].
const pinFlag = "--env="

// placing returns the variables that say where lessons, state and settings are.
func placing(goos string) []string {
	if goos == "windows" {
		return []string{"USERPROFILE", "LOCALAPPDATA", "APPDATA", "LEARNINGS_DIR", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"}
	}
	return []string{"HOME", "LEARNINGS_DIR", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"}
}

// Pins returns the arguments that keep a command at the places of this environment.
func Pins(w World) (args []string) {
	names := placing(w.OS)
	if w.Home != "" {
		args = []string{pinFlag + names[0] + "=" + w.Home}
	}
	all, _ := FindPlaces(w, "")
	for _, name := range names[1:] {
		less := w
		less.Getenv = func(n string) string {
			if n == name {
				return ""
			}
			return w.Getenv(n)
		}
		if p, _ := FindPlaces(less, ""); p != all { // it makes a difference
			args = append(args, pinFlag+name+"="+w.Getenv(name))
		}
	}
	return args
}

// Pin takes the pins out of a command line and makes them the environment of this process
// and of those that it starts. An agent gives its hooks the variables that a repository's
// own settings name, and these must not lead to lessons, a state and settings that came
// with the repository. So no other variable says where they are, with one exception: the
// environment may choose among the corpora that a person has used on this machine.
//
// A command without pins, such as one that a team shares, goes by what [Remember] has
// written on this machine; and before that by its environment, unless that leads into the
// repository that it is called in: then it goes by the home folder that the system knows.
// So does one whose home folder is of another machine. In a sandbox, which has a home folder
// of its own outside the repository, it goes by the environment too.
func Pin(getenv func(string) string, args []string) (rest []string) {
	var pins []string
	for _, arg := range args {
		if pin, ok := strings.CutPrefix(arg, pinFlag); ok {
			pins = append(pins, pin)
		} else {
			rest = append(rest, arg)
		}
	}
	names := placing(runtime.GOOS)
	i := slices.IndexFunc(pins, func(p string) bool { return strings.HasPrefix(p, names[0]+"=") })
	if i >= 0 {
		if info, err := os.Stat(pins[i][len(names[0])+1:]); err != nil || !info.IsDir() {
			pins = nil
		}
	}
	if len(pins) == 0 {
		w := Here(getenv)
		home, moved := brought(w)
		if moved || atHome(w) {
			pins = remembered()
		}
		switch {
		case len(pins) > 0:
		case moved:
			pins = []string{names[0] + "=" + home}
		default:
			return rest
		}
	}
	chosen := getenv("LEARNINGS_DIR")
	for _, name := range names {
		_ = os.Unsetenv(name) // it fails for names that are none
	}
	for _, p := range pins {
		if name, value, _ := strings.Cut(p, "="); slices.Contains(names, name) {
			_ = os.Setenv(name, value)
		}
	}
	if chosen != "" && used(Here(getenv), chosen) {
		_ = os.Setenv("LEARNINGS_DIR", chosen)
	}
	return rest
}

// Here is the world of this process, with the home and current folder as far as the
// system knows them.
func Here(getenv func(string) string) World {
	w := World{Getenv: getenv, OS: runtime.GOOS}
	w.Home, _ = os.UserHomeDir() // without one nothing is found
	w.Dir, _ = os.Getwd()
	return w
}

// used reports whether a person has used a corpus on this machine.
func used(w World, corpus string) bool {
	p, err := FindPlaces(w, corpus)
	if err != nil {
		return false
	}
	if _, err := os.Stat(p.State); err != nil {
		return false
	}
	s, err := store.Open(p.Corpus, store.Options{State: p.State})
	if err != nil {
		return false
	}
	met, err := s.Met()
	return met && err == nil
}

// brought reports whether the environment leads to a state or to settings in the
// repository of the current folder, which may have come with it, and returns the home
// folder that the system knows. That may be a repository too, and then it is the person's.
func brought(w World) (home string, is bool) {
	p, err := FindPlaces(w, "")
	root := w.Dir
	for _, err := os.Lstat(filepath.Join(root, ".git")); err != nil; _, err = os.Lstat(filepath.Join(root, ".git")) {
		if root == filepath.Dir(root) {
			return "", false
		}
		root = filepath.Dir(root)
	}
	root = RealPath(root)
	in := func(path string) bool {
		rel, err := filepath.Rel(root, RealPath(path))
		return err == nil && filepath.IsLocal(rel)
	}
	if err != nil || !in(p.State) && !in(p.Config) {
		return "", false
	}
	home = SystemHome()
	return home, home != "" && !in(home)
}

// SystemHome returns the home folder that the system's record of the user names, which no
// variable moves; "" if there is none. Tests replace it.
var SystemHome = func() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	return u.HomeDir
}

// placesFile is where [Remember] writes; "" if the system knows no home folder.
func placesFile() string {
	base := baseDirs(World{Getenv: func(string) string { return "" }, OS: runtime.GOOS, Home: SystemHome()})
	return under(base.state, "places")
}

// Remember writes down, in the home folder that the system knows, where the person has
// state and settings, for commands without pins. A world with another home folder, such as
// that of a test, is not the person's. Only again changes what is written. The corpus is
// left out, since the environment may choose among those that were used.
func Remember(w World, again bool) error {
	name := placesFile()
	if !atHome(w) {
		return nil
	}
	if _, err := os.Stat(name); err == nil && !again {
		return nil
	}
	return ReplaceFile(name, []byte(toRemember(w)))
}

// toRemember is what [Remember] writes.
func toRemember(w World) string {
	pins := slices.DeleteFunc(Pins(w), func(p string) bool { return strings.HasPrefix(p, pinFlag+"LEARNINGS_DIR=") })
	return strings.Join(pins, "\n") + "\n"
}

// Elsewhere reports whether commands without pins go by other places than this world's,
// because those have moved since [Remember] wrote them.
func Elsewhere(w World) bool {
	text, err := os.ReadFile(placesFile())
	return err == nil && atHome(w) && string(text) != toRemember(w)
}

// atHome reports whether the home folder of a world is the one that the system knows.
func atHome(w World) bool {
	home := SystemHome()
	return home != "" && w.Home != "" && RealPath(home) == RealPath(w.Home)
}

// remembered returns the pins that [Remember] wrote on this machine.
func remembered() (pins []string) {
	text, _ := os.ReadFile(placesFile())
	for line := range strings.Lines(string(text)) {
		if pin, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), pinFlag); ok {
			pins = append(pins, pin)
		}
	}
	return pins
}

// Trusts are the settings by which what others decide counts. An agent can write them into
// the file, so a change has no effect before a person confirms it.
type Trusts struct {
	Edits    bool     `json:"trust_edits,omitempty"`
	Programs []string `json:"trust_programs,omitempty"`
	Keys     []string `json:"sync_trust,omitempty"`
}

// trustName is the name of the trusts that a person last confirmed; see [state.DB.Vouch].
const trustName = "trust"

// IsZero reports whether nothing is trusted.
func (t Trusts) IsZero() bool { return !t.Edits && len(t.Programs)+len(t.Keys) == 0 }

// String lists them as the settings file has them.
func (t Trusts) String() string {
	var out []string
	if t.Edits {
		out = append(out, "trust_edits = true")
	}
	for _, list := range []struct {
		name  string
		names []string
	}{{"trust_programs", t.Programs}, {"sync.trust", t.Keys}} {
		if len(list.names) > 0 {
			out = append(out, fmt.Sprintf("%s = [%s]", list.name, strings.Join(list.names, ", ")))
		}
	}
	return strings.Join(out, "; ")
}

// Trusts returns what the settings trust.
func (c Config) Trusts() Trusts {
	return Trusts{c.TrustEdits.Value, c.TrustPrograms.Value, c.Trust.Value}
}

// TrustedKeys returns the keys of sync.trust, each without the name that may follow it.
func (c Config) TrustedKeys() (keys []string) {
	for _, t := range c.Trust.Value {
		if fields := strings.Fields(t); len(fields) > 0 {
			keys = append(keys, fields[0])
		}
	}
	return keys
}

// NoKeys returns the entries of sync.trust that are no keys, such as names, which an
// earlier version went by. They have no effect.
func (c Config) NoKeys() (names []string) {
	for i, k := range c.TrustedKeys() {
		if !lessons.IsKey(k) {
			names = append(names, c.Trust.Value[i])
		}
	}
	return names
}

// DB returns this machine's state of the corpus.
func (p Places) DB() state.DB { return state.At(p.State) }

// ConfirmTrusts records that what the settings trust is the person's word.
func (p Places) ConfirmTrusts(t Trusts) error { return p.DB().Vouch(trustName, t) }

// heed takes out of the settings the trusts that no person has confirmed, and keeps them
// in Unconfirmed. Those of a corpus that has no lessons yet count at once, and those that
// an earlier version went by.
func (p Places) heed(c *Config, record bool) {
	t, db := c.Trusts(), p.DB()
	if t.IsZero() || p.By == "sample" || db.Vouched(trustName, t) {
		return
	}
	if key, err := db.Key(); key == nil && err == nil && p.unwatched() {
		if !record || p.ConfirmTrusts(t) == nil {
			return
		}
	}
	d := Defaults(c.Path)
	c.TrustEdits, c.TrustPrograms, c.Trust, c.Unconfirmed = d.TrustEdits, d.TrustPrograms, d.Trust, t
}

// unwatched reports whether the corpus has no lessons yet, or a state that an earlier
// version made, which has no key and never had one.
func (p Places) unwatched() bool {
	db := p.DB()
	if _, err := os.Stat(db.Path()); err == nil {
		var any struct{}
		had, err := db.Get("sealed", &any)
		return err == nil && !had
	}
	entries, err := os.ReadDir(p.Corpus)
	return errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0
}

// Load reads the settings of these places. Trusts that no person has confirmed are left out.
func (p Places) Load() (Config, error) {
	c, err := Load(p.Config)
	p.heed(&c, true)
	return c, err
}

// Peek is Load, and records nothing.
func (p Places) Peek() (Config, error) {
	c, err := Load(p.Config)
	p.heed(&c, false)
	return c, err
}
