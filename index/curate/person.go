package curate

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"learnings/lessons"
	"learnings/lessons/store"
)

// A Program is one of the programs above a process.
type Program struct {
	Names []string // possible names: its own, its script's
	File  string   // the path of its file, or its name where that is all that is known
	Sure  bool     // the file is the system's, so that no other program goes by its name
}

// words makes a set.
func words(s string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		m[w] = true
	}
	return m
}

// Where a person sits, on a desktop or elsewhere, and what may be between that and a
// decision. Editors that run in a terminal are in neither: a program can start them as well.
var (
	seats = words(`
		alacritty blackbox cool-retro-term contour deepin-terminal foot footclient ghostty gnome-terminal gnome-terminal-server
		guake hyper kgx kitty konsole lxterminal mate-terminal mintty ptyxis ptyxis-agent qterminal rio rxvt rxvt-unicode st tabby terminal
		terminology tilix urxvt urxvtd warp wezterm wezterm-gui xfce4-terminal xterm yakuake iterm2 itermserver conhost openconsole windowsterminal
		login sshd sshd-session mosh-server dropbear
		code code-insiders codium vscodium cursor windsurf zed zed-editor sublime_text kate gnome-builder idea goland pycharm webstorm clion rustrover xcode`)
	desktops = words(`
		gnome-shell plasmashell kwin_wayland kwin_x11 sway hyprland niri river i3 openbox xfwm4 cinnamon mate-panel xfce4-panel explorer finder`)
	between = words(`
		ash bash cmd csh dash elvish fish ksh mksh nu osh powershell pwsh rc sh tcsh yash zsh busybox
		sudo doas su env nice ionice time xargs fzf sk watch tmux screen script systemd init launchd learnings`)
	version = regexp.MustCompile(`-?\d[\d.]*$`)
)

// fileName returns the name of a program by its file: without folder, version and ending.
func fileName(file string) string {
	name := strings.ToLower(path.Base(strings.ReplaceAll(file, `\`, "/")))
	name = strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(name, "-"), ".exe"), "-wrapped")
	if cut := version.ReplaceAllString(name, ""); between[cut] {
		return cut
	}
	return strings.TrimPrefix(name, ".")
}

// Seated reports whether a decision comes from where a person sits: from a terminal, a
// login, an editor or the desktop, with nothing between but shells and the like. The
// programs above are given nearest first; whole says that they are known to the last.
// Unknown is not a person. The person may trust other programs by name or by path.
func Seated(above []Program, whole bool, trusted []string) bool {
	for i, p := range above {
		name := fileName(p.File)
		switch {
		case slices.ContainsFunc(trusted, func(t string) bool { ok, _ := path.Match(t, name); return ok || t == p.File }):
			return true
		case p.Sure && (seats[name] || desktops[name]):
			return whole && !nested(above[i:])
		case name == "go": // go run, by which a person tries the program
		case !between[name]:
			return false
		}
	}
	return slices.Contains(trusted, "*")
}

// nested reports whether a terminal was opened in a session of another one by a program
// that is no shell: then nobody need sit there. What a desktop opens, somebody looks at.
func nested(above []Program) bool {
	unknown := false
	for i, p := range above {
		switch name := fileName(p.File); {
		case desktops[name]:
			return false
		case p.Sure && seats[name]:
			if unknown {
				return true
			}
		case i > 0 && !between[name]:
			unknown = true
		}
	}
	return false
}

// Meet notes that a person uses the corpus on this machine. Until then what programs decided
// counted, see [Hosted]; now it waits for the person.
func (c *Corpus) Meet() error {
	met, err := c.Store.Met()
	if met || err != nil {
		return err
	}
	active, ids := map[lessons.ID]lessons.Lesson{}, []lessons.ID{}
	for l, err := range c.Store.All() {
		if err == nil && Counts(l) && !l.Outside { // a broken file waits anyway
			active[l.ID], ids = l, append(ids, l.ID)
		}
	}
	last, err := c.Store.Latest(ids...)
	if err != nil {
		return err
	}
	var by []lessons.Lesson
	for _, id := range ids {
		if strings.HasPrefix(last[id].How, lessons.ByProgram) {
			by = append(by, active[id])
		}
	}
	if len(by) > 0 {
		w := store.Write{Op: lessons.OpAdopt, By: c.By, How: lessons.ByProgram + " before a person used this corpus here", Unconfirmed: true}
		if _, err := c.Store.Put(w, by...); err != nil {
			return err
		}
	}
	return c.Store.Meet()
}

// Hosted reports whether a program other than a shell runs the command, and all programs
// above are known. An orphan has none, and a fresh multiplexer or a namespace of one's own
// shows shells alone.
func Hosted(above []Program, whole bool) bool {
	return whole && slices.ContainsFunc(above, func(p Program) bool { return !between[fileName(p.File)] })
}
