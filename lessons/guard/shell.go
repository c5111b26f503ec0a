package guard

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Limits of reading a shell line. What exceeds them is ignored.
const (
	maxScript   = 64 << 10 // bytes
	maxNested   = 400      // opening brackets and quotes
	maxCommands = 2000
	maxDepth    = 4 // of scripts in scripts, as bash -c "bash -c …"
)

// unknown replaces, in a word, what only the shell knows: "$HOME/bin/x" is unknown +
// "/bin/x".
const unknown = "\x00"

// A script is the effect of a shell line.
type script struct {
	plain    [][]string // the commands as written
	commands [][]string // these and the commands that they run, as after sudo or in bash -c "…"
	writes   []string   // files that it writes, removes or moves
	dir      string     // where it has changed to; "" for where it began
}

// parse reads a shell line up to the first syntax error.
func parse(text string) *script {
	s := &script{}
	s.read(text, 0)
	return s
}

func (s *script) read(text string, depth int) {
	if depth > maxDepth {
		return
	}
	text = text[:min(len(text), maxScript)]
	if deep(text) {
		return
	}
	p := syntax.NewParser(syntax.Variant(syntax.LangBash))
	defer func() { _ = recover() }() // what cannot be read matches nothing
	// The parser does not support leaving the loop early.
	for stmt, err := range p.StmtsSeq(strings.NewReader(text)) {
		if err != nil || stmt == nil || len(s.commands) >= maxCommands {
			continue
		}
		syntax.Walk(stmt, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.Stmt:
				s.statement(n, depth)
			case *syntax.CallExpr:
				if words := literals(n.Args); len(words) > 0 {
					if depth == 0 {
						s.plain = append(s.plain, words)
					}
					s.run(words, depth)
				}
			}
			return len(s.commands) < maxCommands
		})
	}
}

// deep reports whether a text may nest too deeply for the parser.
func deep(text string) bool {
	n := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(', '{', '`', '[':
			n++
		case ')', '}', ']':
			n = max(n-1, 0)
		}
		if n > maxNested {
			return true
		}
	}
	return strings.Count(text, "if")+strings.Count(text, "while")+strings.Count(text, "until")+strings.Count(text, "for")+strings.Count(text, "case")+strings.Count(text, "<<") > 4*maxNested
}

// statement collects the files that a statement redirects to, and reads the standard
// input of a shell.
func (s *script) statement(n *syntax.Stmt, depth int) {
	var first string
	call, _ := n.Cmd.(*syntax.CallExpr)
	if call != nil && len(call.Args) > 0 {
		first = base(literal(call.Args[0]))
	}
	for _, r := range n.Redirs {
		switch r.Op {
		case syntax.RdrOut, syntax.AppOut, syntax.RdrInOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll:
			s.write(literal(r.Word))
		case syntax.Hdoc, syntax.DashHdoc:
			switch text := literal(r.Hdoc); {
			case first == "apply_patch":
				s.write(patched(text)...)
			case shells[first] && len(call.Args) == 1:
				s.read(text, depth+1)
			}
		}
	}
}

func (s *script) write(files ...string) {
	for _, f := range files {
		if s.dir != "" && !strings.HasPrefix(f, "/") {
			f = path.Join(s.dir, f)
		}
		if f != "" && f != "/dev/null" && len(s.writes) < maxCommands {
			s.writes = append(s.writes, f)
		}
	}
}

// literals returns the words of a command.
func literals(args []*syntax.Word) []string {
	var out []string
	for _, w := range args {
		out = append(out, literal(w))
	}
	return out
}

// literal returns a word as the program gets it, as far as that is known.
func literal(w *syntax.Word) string {
	if w == nil {
		return ""
	}
	var b strings.Builder
	var add func(parts []syntax.WordPart, quoted bool)
	add = func(parts []syntax.WordPart, quoted bool) {
		for _, part := range parts {
			switch part := part.(type) {
			case *syntax.Lit:
				b.WriteString(unescaped(part.Value, quoted))
			case *syntax.SglQuoted:
				if part.Dollar && strings.Contains(part.Value, `\`) {
					b.WriteString(unknown)
				} else {
					b.WriteString(part.Value)
				}
			case *syntax.DblQuoted:
				add(part.Parts, true)
			default:
				b.WriteString(unknown)
			}
		}
	}
	add(w.Parts, false)
	return b.String()
}

// unescaped removes backslashes as the shell does.
func unescaped(s string, quoted bool) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			if next := s[i+1]; next == '\n' {
				i++
				continue
			} else if !quoted || strings.IndexByte("$`\"\\", next) >= 0 {
				i++
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// run collects a command and, recursively, the commands that it runs.
func (s *script) run(words []string, depth int) {
	for step := 0; step < 8 && len(words) > 0 && len(s.commands) < maxCommands; step++ {
		name, args := base(words[0]), words[1:]
		s.commands = append(s.commands, words)
		s.write(written(name, args)...)
		switch {
		case name == "cd" && len(args) == 1 && !strings.HasPrefix(args[0], "-"):
			s.dir = path.Join(s.dir, args[0])
			if strings.HasPrefix(args[0], "/") {
				s.dir = path.Clean(args[0])
			}
			return
		case shells[name] || name == "su" || name == "pwsh" || name == "powershell" || name == "cmd":
			if text, rest := shellArgs(name, args); text != "" {
				s.read(text, depth+1)
				return
			} else if words = rest; !shells[name] {
				return
			}
		case name == "eval":
			s.read(strings.Join(args, " "), depth+1)
			return
		case name == "find":
			words = afterExec(args)
		case strings.HasPrefix(name, "python") && len(args) > 1 && args[0] == "-m":
			words = args[1:]
		default:
			words = behind(name, args)
		}
	}
}

// shells are programs that run a script: a file, or the argument of -c.
var shells = map[string]bool{"bash": true, "sh": true, "zsh": true, "dash": true, "ksh": true, "fish": true, "ash": true}

// shellArgs returns the text that a shell runs, or else its script file and arguments.
func shellArgs(name string, args []string) (text string, file []string) {
	for i, a := range args {
		low := strings.ToLower(a)
		switch {
		case i+1 < len(args) && (name == "cmd" && low == "/c" || low == "-command" || dashed(a) && a[1] != '-' && len(a) < 5 && strings.HasSuffix(low, "c")):
			if name == "cmd" || low == "-command" {
				return strings.Join(args[i+1:], " "), nil
			}
			return args[i+1], nil
		case !dashed(a) && shells[name]:
			return "", args[i:]
		}
	}
	return "", nil
}

func afterExec(args []string) []string {
	for i, a := range args {
		if a == "-exec" || a == "-execdir" || a == "-ok" || a == "-okdir" {
			rest := args[i+1:]
			if end := slices.IndexFunc(rest, func(w string) bool { return w == ";" || w == "+" }); end >= 0 {
				rest = rest[:end]
			}
			return rest
		}
	}
	return nil
}

// A wrapper is a program whose arguments are another command.
type wrapper struct {
	values string // its options that take the next word as their value
	words  string // operands required first, such as run in `uv run`; one of them
	skip   int    // operands before the command
}

var wrappers = map[string]wrapper{
	"sudo": {values: "-u -g -h -p -C -r -t -U -D -R -T"}, "doas": {values: "-u -C"}, "env": {values: "-u -C"},
	"nohup": {}, "setsid": {}, "command": {}, "builtin": {}, "exec": {values: "-a"}, "time": {values: "-f -o"},
	"nice": {values: "-n"}, "ionice": {values: "-c -n -p"}, "timeout": {values: "-k -s", skip: 1}, "stdbuf": {values: "-i -o -e"},
	"xargs": {values: "-I -n -P -L -d -E -s -a"}, "watch": {values: "-n"}, "chroot": {skip: 1}, "caffeinate": {values: "-t"}, "unbuffer": {},
	"npx": {values: "-p --package"}, "bunx": {}, "pnpx": {}, "npm": {words: "exec x"}, "pnpm": {words: "exec dlx"}, "yarn": {words: "exec dlx"}, "bun": {words: "x"},
	"uv": {words: "run", values: "--with -p --python --group --extra"}, "uvx": {}, "poetry": {words: "run"}, "pipenv": {words: "run"}, "pdm": {words: "run"}, "rye": {words: "run"}, "hatch": {words: "run"},
	"bundle": {words: "exec"}, "mise": {words: "exec x"}, "rtk": {},
}

// behind returns the command that a wrapper runs; nil for any other program.
func behind(name string, args []string) []string {
	w, ok := wrappers[name]
	if !ok {
		return nil
	}
	if w.words != "" {
		if len(args) == 0 || !slices.Contains(strings.Fields(w.words), args[0]) {
			return nil
		}
		args = args[1:]
	}
	values := strings.Fields(w.values)
	for skip := w.skip; len(args) > 0; {
		switch a := args[0]; {
		case a == "--":
			args = args[1:]
		case name == "command" && (a == "-v" || a == "-V"):
			return nil // it looks the command up but does not run it
		case slices.Contains(values, a) && len(args) > 1:
			args = args[2:]
		case dashed(a), strings.Contains(a, "=") && (name == "env" || name == "sudo"):
			args = args[1:]
		case skip > 0:
			skip--
			args = args[1:]
		default:
			return args
		}
	}
	return nil
}

// written returns the files that a command changes by its own arguments.
func written(name string, args []string) []string {
	operands := slices.DeleteFunc(slices.Clone(args), dashed)
	switch name {
	case "tee", "rm", "rmdir", "unlink", "touch", "truncate", "mv":
		return operands
	case "cp", "install", "ln":
		return operands[max(len(operands)-1, 0):]
	case "sed", "perl":
		if slices.ContainsFunc(args, func(a string) bool {
			return strings.HasPrefix(a, "--in-place") || dashed(a) && a[1] != '-' && strings.Contains(a, "i")
		}) && len(operands) > 0 {
			return operands[1:]
		}
	case "dd":
		for _, a := range args {
			if f, ok := strings.CutPrefix(a, "of="); ok {
				return []string{f}
			}
		}
	case "apply_patch":
		if len(args) == 1 {
			return patched(args[0])
		}
	}
	return nil
}

// patched returns the files that an apply_patch patch changes.
func patched(text string) []string {
	var out []string
	if !strings.Contains(text, beginPatch) {
		return nil
	}
	for l := range strings.Lines(text) {
		for _, head := range []string{"*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "} {
			if f, ok := strings.CutPrefix(l, head); ok && len(out) < maxCommands {
				out = append(out, strings.TrimSpace(f))
			}
		}
	}
	return out
}
