package guard

import (
	"path"
	"slices"
	"strings"

	"learnings/lessons"
)

// A Call is the part of an agent's tool call that guards look at.
type Call struct {
	Command string   `json:"c,omitempty"` // a shell line
	Files   []string `json:"f,omitempty"` // changed by a file tool
	Seen    []string `json:"s,omitempty"` // read by a file tool
	Dir     string   `json:"-"`           // working directory, for relative files

	script *script // Command, parsed on first use
}

// An Input is the arguments of a tool call.
type Input interface {
	Text(key string) string    // a text argument; "" if it is not one
	Words(key string) []string // an argument that is a list of texts
}

// Look reads a tool call: its name and its arguments, under the names that agents use.
func Look(tool string, in Input, dir string) *Call {
	c := &Call{Dir: dir}
	changes := changesFiles(tool)
	for _, key := range []string{"command", "cmd", "script", "commands", "chars"} {
		text := in.Text(key)
		if words := in.Words(key); text == "" && len(words) > 0 {
			text = shellText(words)
		}
		switch {
		case text == "":
		case strings.HasPrefix(text, beginPatch):
			c.Files = append(c.Files, patched(text)...)
		case !changes && c.Command == "":
			c.Command = text
		case text == "view": // of str_replace_editor, whose command is not a shell's
			return &Call{Dir: dir, Seen: []string{in.Text("path")}}
		}
	}
	for _, key := range []string{"path", "file_path", "filePath", "absolute_path", "target_file", "filename", "notebook_path"} {
		switch f := in.Text(key); {
		case f == "":
		case changes:
			c.Files = append(c.Files, f)
		case readsFiles(tool):
			c.Seen = append(c.Seen, f)
		}
	}
	for _, key := range []string{"input", "patch", "patchText", ""} {
		c.Files = append(c.Files, patched(in.Text(key))...)
	}
	return c
}

// beginPatch begins the input of apply_patch.
const beginPatch = "*** Begin Patch"

// changesFiles reports whether a tool's name says that it changes files: Edit,
// write_file, str_replace_editor.
func changesFiles(tool string) bool {
	tool = strings.ToLower(tool)
	return slices.ContainsFunc([]string{"edit", "write", "patch", "replace", "create", "insert", "delete", "update"}, func(w string) bool {
		return strings.Contains(tool, w)
	}) && !strings.Contains(tool, "todo") && !strings.Contains(tool, "plan")
}

// shellText returns the shell line of a command given as a list of words.
func shellText(words []string) string {
	switch {
	case len(words) == 3 && shells[base(words[0])] && dashed(words[1]):
		return words[2]
	case len(words) == 2 && base(words[0]) == "apply_patch":
		return words[1]
	}
	return line(words)
}

// Matches reports whether a pattern matches a call.
func (p Pattern) Matches(c *Call) bool {
	if p.Path != "" {
		return p.changes(c)
	}
	return slices.ContainsFunc(c.Commands(), p.means)
}

func (c *Call) read() *script {
	if c.script == nil {
		c.script = parse(c.Command)
	}
	return c.script
}

// changes reports whether a call changes a file that the pattern matches.
func (p Pattern) changes(c *Call) bool {
	return slices.ContainsFunc(c.Changes(), func(f string) bool {
		if !path.IsAbs(f) && c.Dir != "" {
			f = path.Join(c.Dir, f)
		}
		return !strings.Contains(f, unknown) && len(f) < 4096 && lessons.MeansFile(p.Path, f)
	})
}

// means reports whether the pattern matches a command.
func (p Pattern) means(words []string) bool {
	args := words[1:]
	if end := slices.Index(args, "--"); end >= 0 && len(p.Flags) > 0 {
		args = args[:end] // arguments after -- are not options
	}
	name := base(words[0])
	if len(p.Words) > 0 && (!isProgram(p.Words[0], words[0]) || !hasWords(name, p.Words[1:], args)) {
		return false
	}
	sub := ""
	if len(p.Words) > 1 {
		sub = p.Words[1]
	}
	return !slices.ContainsFunc(p.Flags, func(f string) bool { return !hasFlag(name, sub, f, args, len(p.Words) > 0) })
}

// isProgram reports whether a command's first word is the program of a pattern.
func isProgram(want, is string) bool {
	if strings.Contains(want, "/") {
		want, is = strings.TrimPrefix(want, "./"), path.Clean(is)
		return is == want || strings.HasSuffix(is, "/"+want)
	}
	name := base(is)
	return name == want || want == "pip" && strings.HasPrefix(name, "pip") && strings.Trim(name[3:], "0123456789.") == ""
}

// hasWords reports whether the operands of a command begin with the words of a pattern.
// Paths among these may come later.
func hasWords(name string, want, args []string) bool {
	values := strings.Fields(takesValue[name])
	for i := 0; i < len(args) && len(want) > 0; i++ {
		switch a := args[i]; {
		case slices.Contains(values, a):
			i++
		case dashed(a) && a != want[0]:
		case same(name, want[0], a):
			want = want[1:]
		case !strings.ContainsAny(want[0], "./"):
			return false
		}
	}
	return len(want) == 0
}

// takesValue lists the options before a sub-command that take the next word.
var takesValue = map[string]string{
	"git": "-C -c --git-dir --work-tree --namespace", "npm": "--prefix -C -w --workspace", "pnpm": "-C --dir --filter -F", "yarn": "--cwd",
	"docker": "-H --host --context -c --config -l --log-level -f --file -p --project-name", "docker-compose": "-f --file -p --project-name",
	"kubectl": "-n --namespace --context --kubeconfig --cluster --user", "helm": "-n --namespace --kube-context", "go": "-C -run -count -bench -timeout -tags -p -o",
	"cargo": "--manifest-path -C --color --config -Z", "make": "-C -f -j", "gh": "-R --repo", "aws": "--profile --region", "gcloud": "--project --account", "terraform": "-chdir",
}

// same reports whether two words name one sub-command.
func same(name, want, is string) bool {
	if want == is {
		return true
	}
	full, ok := aliases[name][is]
	return ok && (want == full || aliases[name][want] == full)
}

// aliases are short forms of sub-commands.
var aliases = map[string]map[string]string{
	"npm":   {"i": "install", "in": "install", "ins": "install", "add": "install", "un": "uninstall", "rm": "uninstall", "remove": "uninstall", "r": "uninstall", "t": "test", "tst": "test", "up": "update", "upgrade": "update", "run-script": "run", "x": "exec"},
	"pnpm":  {"i": "install", "rm": "remove", "un": "remove", "uninstall": "remove", "up": "update", "t": "test", "run-script": "run"},
	"bun":   {"i": "install", "a": "add", "rm": "remove"},
	"cargo": {"b": "build", "t": "test", "r": "run", "c": "check", "rm": "remove"},
}

// hasFlag reports whether a command has a flag: as it is, with a value, in its other
// form, or among several letters after one hyphen.
func hasFlag(name, sub, want string, args []string, known bool) bool {
	forms := []string{want}
	if known {
		for _, pair := range twins[strings.TrimSpace(name+" "+sub)] {
			if slices.Contains(pair, want) {
				forms = pair
			}
		}
	}
	for _, a := range args {
		if !dashed(a) && !(name == "git" && sub == "push" && want == "--force" && strings.HasPrefix(a, "+") && len(a) > 1) {
			continue
		}
		if !dashed(a) {
			return true // git push origin +main
		}
		for _, f := range forms {
			if a == f || strings.HasPrefix(f, "--") && strings.HasPrefix(a, f+"=") {
				return true
			}
		}
	}
	short := func(f string) bool { return len(f) >= 2 && len(f) <= 4 && f[1] != '-' }
	if strings.Contains(longOnly, " "+name+" ") || !slices.ContainsFunc(forms, short) {
		return false
	}
	have := letters(name, args)
	if len(want) > 2 && short(want) { // several at once: rm -r -f is rm -rf
		for _, r := range want[1:] {
			if !hasFlag(name, sub, "-"+string(r), args, known) {
				return false
			}
		}
		return true
	}
	return slices.ContainsFunc(forms, func(f string) bool { return len(f) == 2 && strings.Contains(have, f[1:]) })
}

// longOnly are programs whose long flags have one hyphen.
const longOnly = " find go java javac terraform gcc clang ffmpeg convert openssl "

// letters returns the one-letter flags among the arguments.
func letters(name string, args []string) string {
	var b strings.Builder
	for _, a := range args {
		if !dashed(a) || a[1] == '-' {
			continue
		}
		for i := 1; i < len(a) && isLetter(a[i]); i++ {
			b.WriteByte(a[i])
			if strings.IndexByte(valueLetters[name], a[i]) >= 0 {
				break // the rest is its value
			}
		}
	}
	return b.String()
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// valueLetters are one-letter flags that a value may follow directly.
var valueLetters = map[string]string{
	"git": "mFCctSX", "grep": "efmABC", "rg": "efmABCgtTr", "sed": "efl", "curl": "HdoXuAbFTe", "docker": "evpwuhl", "npm": "wC", "make": "Cfj",
	"ssh": "pilLRDoF", "tar": "fC", "kubectl": "nfl", "psql": "hpUdcf", "mysql": "hPuD", "perl": "eIMm", "python": "cmWX", "python3": "cmWX", "node": "er", "pytest": "kmnp",
}

// twins are flags with the same meaning, by program and sub-command.
var twins = map[string][][]string{
	"git push": {{"--force", "-f"}, {"--delete", "-d"}}, "git commit": {{"--no-verify", "-n"}, {"--all", "-a"}}, "git add": {{"--all", "-A"}, {"--force", "-f"}},
	"git clean": {{"--force", "-f"}}, "git checkout": {{"--force", "-f"}}, "git stash": {{"--include-untracked", "-u"}}, "git rebase": {{"--interactive", "-i"}},
	"rm": {{"--recursive", "-r", "-R"}, {"--force", "-f"}}, "cp": {{"--recursive", "-r", "-R"}, {"--force", "-f"}}, "grep": {{"--recursive", "-r", "-R"}},
	"sed": {{"--in-place", "-i"}}, "curl": {{"--insecure", "-k"}}, "npm install": {{"--global", "-g"}, {"--force", "-f"}}, "chmod": {{"--recursive", "-R"}},
}
