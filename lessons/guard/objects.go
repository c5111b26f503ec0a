package guard

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"learnings/lessons"
)

// objects reads the objects of a prohibition: a list of commands, flags or files.
type objects struct {
	s     []token
	at    int
	kind  kind
	found []Pattern
}

func (o *objects) is(at int, ws ...string) bool {
	return at < len(o.s) && !o.s[at].span && slices.Contains(ws, o.s[at].low)
}

// read reads the list.
func (o *objects) read() {
	for {
		start := o.at
		for o.is(start, "the", "a", "an", "any", "either") {
			start++
		}
		p, next, ok := o.one(start)
		if !ok {
			return
		}
		o.found, o.at = append(o.found, p), next
		for o.is(o.at, "command", "commands", "flag", "flags", "option", "options", "file", "files", "folder", "directory", "script", "tool") {
			o.at++
		}
		sep := o.at
		for sep < len(o.s) && (o.s[sep].text == "," || o.s[sep].text == "/" || o.is(sep, "or", "nor", "and")) {
			sep++
		}
		if sep == o.at {
			return
		}
		if _, _, ok := o.one(sep); !ok {
			return
		}
		o.at = sep
	}
}

// one reads one command, flag or file.
func (o *objects) one(at int) (p Pattern, next int, ok bool) {
	if at >= len(o.s) || o.s[at].mark {
		return p, at, false
	}
	if o.kind == edits {
		for o.is(at, "files", "file", "anything", "folder", "directory") && o.is(at+1, "in", "under", "below", "inside") || o.is(at, "in", "under", "below", "inside", "the", "generated") && at+1 < len(o.s) {
			at++
		}
		t := o.s[min(at, len(o.s)-1)]
		p, ok = file(t)
		return p, at + 1, ok
	}
	switch {
	case o.is(at, "force-push", "force-pushing"):
		return Pattern{Words: []string{"git", "push"}, Flags: []string{"--force"}}, at + 1, true
	case o.is(at, "force") && o.is(at+1, "push"):
		return Pattern{Words: []string{"git", "push"}, Flags: []string{"--force"}}, at + 2, true
	case o.is(at, "commit", "committing", "push", "pushing") && o.is(at+1, "with"):
		f, next, ok := o.flag(at + 2)
		f.Words = []string{"git", strings.TrimSuffix(strings.Replace(o.s[at].low, "tting", "t", 1), "ing")}
		return f, next, ok
	}
	if f, next, ok := o.flag(at); ok {
		if o.is(next, "to", "with", "for", "in", "on") {
			if c, after, ok := o.command(next + 1); ok {
				c.Flags = append(c.Flags, f.Flags...)
				return c, after, true
			}
		}
		return f, next, strings.HasPrefix(f.Flags[0], "--")
	}
	c, next, ok := o.command(at)
	if ok && o.is(next, "with") {
		if f, after, ok := o.flag(next + 1); ok {
			c.Flags = append(c.Flags, f.Flags...)
			return c, after, true
		}
	}
	return c, next, ok
}

// flag reads one flag.
func (o *objects) flag(at int) (Pattern, int, bool) {
	if o.is(at, "the") {
		at++
	}
	if at >= len(o.s) || !dashed(o.s[at].text) || strings.Trim(o.s[at].text, "-") == "" {
		return Pattern{}, at, false
	}
	p, err := Flag(o.s[at].text)
	return p, at + 1, err == nil && len(p.Flags) == 1
}

// command reads one command: in backticks, or bare words that begin with an unmistakable
// program.
func (o *objects) command(at int) (Pattern, int, bool) {
	if at >= len(o.s) {
		return Pattern{}, at, false
	}
	if t := o.s[at]; t.span {
		if !isCommand(t.text, o.kind) {
			return Pattern{}, at, false
		}
		p, err := Command(t.text)
		return p, at + 1, err == nil
	}
	if !isCommandWord(o.s[at]) {
		return Pattern{}, at, false
	}
	text := []string{o.s[at].text}
	next := at + 1
	for next < len(o.s) && !o.s[next].mark && len(text) < maxWords {
		w := o.s[next]
		if dashed(w.text) || !w.span && len(text) == 1 && slices.Contains(subs[text[0]], w.text) || w.text == "." || w.text == "./..." {
			text = append(text, w.text)
			next++
			continue
		}
		break
	}
	if len(text) == 1 && needsSub[text[0]] {
		return Pattern{}, at, false
	}
	p, err := Command(strings.Join(text, " "))
	return p, next, err == nil
}

// tail says how the words after the list narrow the prohibition; "" if they do not.
func (o *objects) tail() string {
	at := o.at
	for at < len(o.s) {
		switch {
		case o.s[at].mark:
			return o.later(at)
		case o.is(at, "directly", "manually", "here", "anymore", "again", "ever", "yourself", "please"):
			at++
		case o.is(at, "by") && o.is(at+1, "hand"), o.is(at, "at") && o.is(at+1, "all"), o.is(at, "any") && o.is(at+1, "more"):
			at += 2
		case o.is(at, "in", "for", "on") && o.is(at+1, "this", "our", "the", "any") && at+2 < len(o.s) && places[o.s[at+2].low]:
			at += 3
		case o.is(at, "because", "since", "as", "use", "run", "prefer", "call", "always", "but", "it", "they", "which"):
			return o.later(at)
		case o.is(at, "and") && o.is(at+1, "use", "run", "prefer", "always", "call"):
			return o.later(at)
		default:
			return fmt.Sprintf("what it forbids depends on more than a command or a file (%q)", lessons.Line(o.s[at].text+" …"))
		}
	}
	return ""
}

// later finds an exception in the rest of the sentence.
func (o *objects) later(at int) string {
	for i := at; i < len(o.s); i++ {
		if o.is(i, "because", "since", "as") {
			return ""
		}
		if !o.s[i].span && (slices.Contains([]string{"unless", "except", "excluding", "without", "until", "till", "if", "when", "while", "besides"}, o.s[i].low) || o.is(i, "other", "apart", "only") && o.is(i+1, "than", "from", "for", "in", "when")) {
			return fmt.Sprintf("it has an exception or a condition (%q)", lessons.Line(o.s[i].text+" …"))
		}
	}
	return ""
}

// file reads a token as a file or a pattern of files.
func file(t token) (Pattern, bool) {
	w := strings.Trim(t.text, "'")
	if w == "" || strings.ContainsAny(w, " \t(){}<>|$=@\"") || strings.Contains(w, "://") || strings.Contains(w, "...") || strings.HasPrefix(w, "-") {
		return Pattern{}, false
	}
	name := path.Base(strings.TrimSuffix(w, "/"))
	ext := strings.TrimPrefix(path.Ext(name), ".")
	hidden := strings.HasPrefix(name, ".") && len(name) > 2 && isLetter(name[1])
	switch {
	case extensions[ext] || hidden && (t.span || strings.HasPrefix(name, ".env") || strings.HasPrefix(name, ".git")) || wellKnown[name]:
	case strings.Contains(w, "/") && (t.span || strings.HasSuffix(w, "/") || strings.Contains(w, "*")) && !strings.Contains(w, "//"):
	default:
		return Pattern{}, false
	}
	if strings.HasPrefix(w, "~/") || strings.HasPrefix(w, "../") {
		return Pattern{}, false
	}
	p, err := Path(w)
	return p, err == nil
}

// isCommandWord reports whether a bare word can only be a program.
func isCommandWord(t token) bool {
	return !t.span && !t.mark && programs[t.text] || !t.span && strings.HasPrefix(t.text, "./") && len(t.text) > 3 && !strings.Contains(t.text, "...")
}

// isCommand reports whether text in backticks is a command.
func isCommand(text string, k kind) bool {
	first, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	if programs[first] || spanPrograms[first] || mixed[first] && rest != "" {
		return true
	}
	if strings.HasPrefix(first, "./") || strings.HasSuffix(first, ".sh") {
		return !strings.Contains(first, "...") && len(first) > 3
	}
	if k != runs || first == "" || first[0] < 'a' || first[0] > 'z' {
		return false
	}
	return strings.Trim(first, "abcdefghijklmnopqrstuvwxyz0123456789-_./") == "" && !strings.Contains(first, "..")
}

// commandsOf returns the commands that a sentence names but does not forbid.
func commandsOf(s []token, used []bool) (out []string) {
	for i := 0; i < len(s); i++ {
		switch t := s[i]; {
		case used[i] || t.mark:
		case t.span:
			out = append(out, t.text)
		case isCommandWord(t):
			text := t.text
			for i+1 < len(s) && !s[i+1].mark && !s[i+1].span && !used[i+1] {
				i++
				text += " " + s[i].text
			}
			out = append(out, text)
		}
	}
	return out
}

var (
	// programs are unmistakable even without backticks.
	programs = lessons.WordSet("npm npx pnpm pnpx yarn bunx pip pip3 pipx uv uvx poetry pipenv conda mamba git docker docker-compose podman kubectl helm terraform cargo rustc rustup jest vitest pytest mocha eslint tsc tsx ts-node mypy ruff pylint flake8 grep egrep rg ripgrep sed awk curl wget sudo rm rmdir chmod chown rsync scp ssh gh jq yq psql mysql sqlite3 redis-cli mvn gradle gradlew composer npm-run-all nodemon webpack vite esbuild golangci-lint gofmt goimports xcodebuild brew apt apt-get dnf pacman systemctl journalctl tmux gsed gawk bazel cmake ctest python python3 pkill killall bd lerna nx turbo tox nox dotnet msbuild")
	// spanPrograms are English words or names, too: they count only in backticks.
	spanPrograms = lessons.WordSet("make node bun deno ruby perl php java javac rake rails flask black isort cat find head tail ls cp mv kill just task swift gem bundle mix elixir iex ant bash sh zsh pwsh open vi vim nano emacs dd tar zip unzip ps nc telnet ffmpeg convert go hatch rye pdm deptry nc")
	// mixed count only in backticks and with arguments.
	mixed = lessons.WordSet("test time date touch sort split cut join watch echo which who env export source eval exec xargs tee truncate")

	// subs are sub-commands that a program may have outside of backticks.
	subs = map[string][]string{
		"npm": {"install", "i", "ci", "run", "publish", "update", "audit", "start", "test", "link", "exec"}, "pnpm": {"install", "i", "add", "run", "publish", "update", "test", "dlx"}, "yarn": {"install", "add", "run", "upgrade", "publish"},
		"git": {"push", "commit", "add", "rebase", "merge", "checkout", "reset", "stash", "clean", "pull", "restore", "switch", "revert", "worktree", "amend", "cherry-pick", "bisect", "tag"},
		"pip": {"install", "uninstall", "freeze"}, "pip3": {"install"}, "uv": {"add", "pip", "sync"}, "poetry": {"add", "install", "run"}, "conda": {"install"},
		"cargo": {"build", "test", "run", "publish", "install", "add", "fmt", "clippy", "update", "clean"}, "docker": {"compose", "run", "build", "push", "system", "exec"}, "kubectl": {"apply", "delete", "exec", "edit"},
		"terraform": {"apply", "destroy"}, "gh": {"pr", "release", "issue"}, "brew": {"install"}, "apt": {"install"}, "apt-get": {"install"}, "helm": {"install", "upgrade"},
	}
	// needsSub are programs that nobody means to forbid as a whole.
	needsSub = lessons.WordSet("git gh")

	extensions = lessons.WordSet("go ts tsx js jsx mjs cjs py rs java kt rb php c h cc cpp cs swift sql proto sh bash json yaml yml toml lock md mdx txt xml html css scss env mod sum gradle ini cfg conf properties csv svg graphql tf lockb snap pb")
	wellKnown  = lessons.WordSet("Makefile Dockerfile Gemfile Procfile Jenkinsfile LICENSE")
)

// Named reads a command in backticks, in a sentence that says to run it. It returns false
// for what may be something else, such as a function name.
func Named(text string) (Pattern, bool) {
	if !isCommand(text, runs) {
		return Pattern{}, false
	}
	p, err := Command(text)
	return p, err == nil
}

// Commands returns the commands that a call runs, as lists of words, including those
// after sudo and in bash -c "…".
func (c *Call) Commands() [][]string {
	if c.Command == "" {
		return nil
	}
	return c.read().commands
}

// Changes returns the files that a call changes, by a file tool or in a shell.
func (c *Call) Changes() []string {
	if !strings.ContainsAny(c.Command, "> ") {
		return c.Files
	}
	return slices.Concat(c.Files, c.read().writes)
}

// readers are programs that show files.
var readers = lessons.WordSet("cat bat head tail less more nl sed awk wc tac")

// Reads returns the files that a call reads, by a file tool or one of readers in a shell.
func (c *Call) Reads() []string {
	out := slices.Clone(c.Seen)
	for _, words := range c.Commands() {
		if !readers[base(words[0])] {
			continue
		}
		for _, w := range words[1:] {
			if !dashed(w) && strings.ContainsAny(w, "./") && !strings.ContainsAny(w, unknown+"*? \t,;{}$") {
				out = append(out, w)
			}
		}
	}
	return out
}

// readsFiles reports whether a tool's name says that it shows files: Read, read_file,
// view.
func readsFiles(tool string) bool {
	tool = strings.ToLower(tool)
	return strings.Contains(tool, "read") && !strings.Contains(tool, "todo") || strings.HasPrefix(tool, "view") || tool == "open_file"
}

// Mentions returns the commands that a text names, as patterns without flags: commands in
// backticks, and programs whose names are not English words, with their sub-command. A
// program without one counts only if the sentence is about its use, as in "use pnpm
// instead of npm".
func Mentions(text string) (out []Pattern) {
	if len(text) > maxSentence {
		text = text[:maxSentence]
	}
	add := func(words []string) {
		if words = subject3(words); len(words) == 0 {
			return
		}
		p := Pattern{Words: words}
		if !slices.ContainsFunc(out, func(o Pattern) bool { return slices.Equal(o.Words, p.Words) }) {
			out = append(out, p)
		}
	}
	for _, s := range sentences(tokens(text)) {
		for i, t := range s {
			switch {
			case t.span && (isCommand(t.text, anyCommand) || i > 0 && runVerbs[s[i-1].low] && isCommand(t.text, runs)), t.span && strings.Contains(t.text, " && "):
				for _, c := range parse(t.text).plain {
					if name := base(c[0]); isCommand(strings.Join(c, " "), anyCommand) || runVerbs[s[max(i-1, 0)].low] && name != "cd" {
						add(c)
					}
				}
			case isCommandWord(t):
				words := []string{t.text}
				if i+1 < len(s) && !s[i+1].mark && !s[i+1].span && slices.Contains(subs[t.text], s[i+1].low) {
					words = append(words, s[i+1].low)
					switch next := i + 2; {
					case next < len(s) && (slices.Contains(acts, s[next].low) || s[i+1].low == "run" && !s[next].mark) && deeper[s[i+1].low]:
						words = append(words, s[next].low)
					case s[i+1].low == "run":
						continue // does not say what is run
					}
				}
				if len(words) > 1 || used(s, i) {
					add(words)
				}
			}
		}
	}
	return out
}

// Sub-commands that say too little without the next word, and next words that count
// outside of backticks.
var (
	deeper = lessons.WordSet("run run-script exec compose tool mod pr issue release repo workflow pip stash worktree submodule remote x dlx")
	acts   = strings.Fields("create merge edit view list checkout close review ready add remove up down build logs install tidy")
)

// subject3 returns up to three words that tell what a command does, without flags, paths
// and expansions.
func subject3(command []string) []string {
	if len(command) == 0 || strings.Contains(command[0], unknown) {
		return nil
	}
	name := base(command[0])
	out := []string{command[0]}
	values := strings.Fields(takesValue[name])
	for i := 1; i < len(command) && len(out) < 3; i++ {
		switch w := command[i]; {
		case slices.Contains(values, w):
			i++
		case dashed(w):
		case strings.Trim(w, "abcdefghijklmnopqrstuvwxyz0123456789-_:") != "" || len(out) == 2 && !deeper[out[1]] || !hasSubs(name):
			i = len(command)
		default:
			out = append(out, w)
		}
	}
	if len(out) == 1 && needsSub[name] {
		return nil
	}
	return out
}

// hasSubs reports whether a program's first operand is a sub-command.
func hasSubs(name string) bool {
	return subs[name] != nil || takesValue[name] != "" || strings.Contains(" npx bun deno just task mix rake rails bundle composer brew systemctl dotnet uvx pipx conda pdm hatch nx turbo ", " "+name+" ")
}

// used reports whether a sentence is about using the program at a position: it begins
// with it, or says to use it or not to.
func used(s []token, at int) bool {
	if needsSub[s[at].text] {
		return false
	}
	for i := at - 1; i >= max(at-3, 0) && !s[i].mark; i-- {
		low := s[i].low
		if !s[i].span && (usings[low] || runVerbs[low] || useVerbs[low] || positives[low] || low == "of" && i > 0 && s[i-1].low == "instead") {
			return true
		}
	}
	return at == 0
}

// usings are words, besides verbs, that precede a program to use or not to use.
var usings = lessons.WordSet("never not don't avoid than over via through with by or")
