package settings

import (
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

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
// A command without pins, such as one that a team shares, goes by its environment, unless
// that leads into the repository that it is called in: then it goes by the home folder
// that the system knows. So does one whose home folder is of another machine.
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
		home, ok := brought(here(getenv))
		if !ok {
			return rest
		}
		pins = []string{names[0] + "=" + home}
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
	if chosen != "" && used(here(getenv), chosen) {
		_ = os.Setenv("LEARNINGS_DIR", chosen)
	}
	return rest
}

// here is the world of this process.
func here(getenv func(string) string) World {
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
	u, err := user.Current()
	if err != nil {
		return "", false
	}
	return u.HomeDir, !in(u.HomeDir)
}
