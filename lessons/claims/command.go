package claims

import (
	"path"
	"strings"
)

// plainCommand reads a command in a sentence without backquotes, such as "run make lint
// before you push". It returns its number of words; 0 for none.
func (r *reader) plainCommand(ws []word, i int, out bool) int {
	w := ws[i]
	if w.code || w.end != 0 || i+1 >= len(ws) || ws[i+1].code {
		return 0
	}
	said := i > 0 && in(ws[i-1].low, "run runs running via with execute executing invoke by") && ws[i-1].end == 0
	least := 2
	switch {
	case in(w.text, "npm pnpm yarn bun") && in(ws[i+1].text, "run test start"):
		if ws[i+1].text == "run" {
			least = 3
		}
	case w.text == "go" && in(ws[i+1].text, "run test build"), in(w.text, "python python3 bash node sh") && hasExtension(ws[i+1].text):
	case said && in(w.text, "make just yarn pnpm rake task") && !in(ws[i+1].low, "sure it a the this that sense use changes them your sure, tests-pass"):
	default:
		return 0
	}
	n, text := 1, w.text
	for n < 6 && i+n < len(ws) && !ws[i+n].code && ws[i+n-1].end == 0 {
		t := ws[i+n].text
		if n >= least && !strings.ContainsAny(t, "-./:_=") {
			break
		}
		text += " " + t
		n++
	}
	if n < least {
		return 0
	}
	if !out {
		r.command(text, false)
	}
	return n
}

// command reads a shell command. Of an example only what it runs counts.
func (r *reader) command(text string, example bool) {
	if !example {
		if name, _, ok := strings.Cut(text, "("); ok && isIdentifier(strings.ReplaceAll(name, ".", "")) && strings.HasSuffix(text, ")") {
			// A call with arguments.
			r.symbol([]word{{text: name + "()", low: strings.ToLower(name), code: true}}, 0, name+"()")
			return
		}
	}
	for _, part := range strings.FieldsFunc(strings.NewReplacer("&&", "\n", "||", "\n", ";", "\n", "|", "\n").Replace(text), func(r rune) bool { return r == '\n' }) {
		args := strings.Fields(part)
		for len(args) > 0 && (in(args[0], "sudo time env nohup exec then do command") || strings.Contains(args[0], "=") && !strings.HasPrefix(args[0], "-")) {
			args = args[1:]
		}
		for len(args) > 2 && in(args[0]+"_"+args[1], "poetry_run uv_run pipenv_run bundle_exec hatch_run pdm_run rye_run mise_exec") {
			args = args[2:]
		}
		for i, a := range args {
			args[i] = strings.Trim(a, `"'`)
		}
		if len(args) > 0 {
			r.run(args)
		}
	}
}

// run reads one command.
func (r *reader) run(args []string) {
	head, rest := args[0], args[1:]
	target := func(s string) bool {
		return s != "" && !placeholder(s) && !strings.ContainsAny(s, "=`'\"(),") && !strings.HasPrefix(s, "-") && !outside(s) && strings.ToUpper(s) != s && wordly(strings.ReplaceAll(s, ":", "-"))
	}
	switch {
	case in(head, "make gmake just task rake"):
		runner := strings.TrimPrefix(head, "g")
		for i, a := range rest {
			if in(a, "-C -f --file -j -d --justfile") || i > 0 && in(rest[i-1], "-C -f --file -j") {
				continue
			}
			if !target(a) {
				if strings.HasPrefix(a, "-") || strings.Contains(a, "=") {
					continue
				}
				return
			}
			if strings.Contains(a, "/") || hasExtension(a) {
				return
			}
			r.add(Claim{Kind: Command, In: runner, Name: a})
			if head != "make" {
				return // arguments of a recipe follow
			}
		}
	case in(head, "npm pnpm yarn bun"):
		r.script(head, rest, target)
	case head == "go" && len(rest) > 0:
		r.goCommand(rest)
	case in(head, "python python3 bash sh zsh node ruby perl deno ts-node tsx source . pytest php lua Rscript"):
		r.file(head, rest)
	case strings.HasPrefix(head, "./") || hasExtension(head) && strings.Contains(head, "/"):
		r.file("", args)
	}
}

// script reads the arguments of a runner of package.json scripts.
func (r *reader) script(runner string, rest []string, target func(string) bool) {
	for len(rest) > 1 && (in(rest[0], "-w --filter -F -C --prefix --workspace --cwd") || strings.HasPrefix(rest[0], "-")) {
		if in(rest[0], "-w --filter -F -C --prefix --workspace --cwd") {
			rest = rest[1:]
		}
		rest = rest[1:]
	}
	if len(rest) > 1 && rest[0] == "workspace" {
		rest = rest[2:]
	}
	switch {
	case len(rest) == 0:
	case in(rest[0], "run run-script rum"):
		rest = rest[1:]
		for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
			rest = rest[1:]
		}
		if len(rest) > 0 && target(rest[0]) && !hasExtension(rest[0]) {
			r.add(Claim{Kind: Command, In: runner + " run", Name: rest[0]})
		}
	case in(rest[0], "test start") && runner != "bun" || in(rest[0], "restart stop") && runner == "npm":
		r.add(Claim{Kind: Command, In: runner, Name: rest[0]})
	case in(runner, "yarn pnpm") && target(rest[0]) && !in(rest[0], managers) && !hasExtension(rest[0]) && !strings.Contains(rest[0], "/"):
		r.add(Claim{Kind: Command, In: runner, Name: rest[0], Loose: true})
	}
}

// managers are the built-in commands of pnpm and yarn.
const managers = "add install i remove rm un uninstall update up upgrade exec dlx create init link unlink list ls why publish pack audit outdated dedupe import store config cache workspaces workspace info view run prune rebuild patch patch-commit env deploy fetch login logout whoami version set node plugin constraints global self-update setup root bin licenses approve-builds recursive multi ci clean-install tsc eslint prettier vitest jest playwright vite next turbo nx tsx ts-node rimraf husky lerna wrangler prisma changeset biome cypress mocha webpack rollup storybook"

// goCommand reads the arguments of go: packages, tests and tools.
func (r *reader) goCommand(rest []string) {
	if rest[0] == "tool" && len(rest) > 1 && strings.Trim(rest[1], "abcdefghijklmnopqrstuvwxyz-0123456789") == "" {
		if !in(rest[1], "asm buildid cgo compile cover fix link nm objdump pack pprof test2json trace vet dist doc api addr2line covdata preprofile") {
			r.add(Claim{Kind: Command, In: "go tool", Name: rest[1]})
		}
		return
	}
	if !in(rest[0], "run test build vet generate install list") {
		return
	}
	for i, a := range rest[1:] {
		before := rest[i]
		switch {
		case in(before, "-run -bench -fuzz"):
			name := strings.Trim(a, "^$")
			if isIdentifier(name) && (strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Bench") || strings.HasPrefix(name, "Fuzz")) && len(name) > 6 {
				r.add(Claim{Kind: Symbol, Name: name, In: "prefix"})
			}
		case in(before, "-o -C -coverprofile -cpuprofile -memprofile -modfile -exec"):
		case a == "." && rest[0] == "run":
			r.flags(a, rest[i+2:])
			return
		case strings.HasPrefix(a, "./") && !placeholder(a):
			p := strings.Trim(strings.TrimSuffix(a, "..."), "/.")
			if p = strings.TrimPrefix(path.Clean(p), "./"); p != "." && wordly(p) && !throwaway(p) {
				r.add(Claim{Kind: Path, Name: p})
			}
			if rest[0] == "run" {
				r.flags(a, rest[i+2:])
				return
			}
		}
	}
}

// file reads the file that an interpreter runs, and its options.
func (r *reader) file(head string, rest []string) {
	for i, a := range rest {
		switch {
		case strings.HasPrefix(a, "-"):
			if in(a, "-c -e -m -") {
				return
			}
			continue
		case placeholder(a) || outside(a) || !wordly(strings.ReplaceAll(a, ":", "-")):
			return
		}
		name, test, _ := strings.Cut(a, "::")
		name = strings.TrimPrefix(withoutLine(name), "./")
		if (hasExtension(name) || strings.HasPrefix(a, "./") || head == "pytest" && strings.Contains(name, "/")) && !throwaway(name) && !homely(name) {
			r.add(Claim{Kind: Path, Name: strings.TrimSuffix(name, "/")})
			if isIdentifier(test) {
				r.add(Claim{Kind: Symbol, Name: test})
			}
			if head != "pytest" {
				r.flags(name, rest[i+1:])
			}
		}
		return
	}
}

// flags reads the options of a program of the project.
func (r *reader) flags(program string, args []string) {
	for _, a := range args {
		name, _, _ := strings.Cut(a, "=")
		if name == "--" {
			return
		}
		if strings.HasPrefix(name, "--") && len(name) > 3 && !placeholder(name) && !in(name, "--help --version") && wordly(name) {
			r.add(Claim{Kind: Flag, Name: name, In: strings.TrimPrefix(program, "./")})
		}
	}
}
