package guard

import (
	"encoding/json"
	"strings"
	"testing"
)

// object is the input of a tool as JSON has it.
type object map[string]any

func (o object) Text(key string) string { s, _ := o[key].(string); return s }

func (o object) Words(key string) (out []string) {
	all, _ := o[key].([]any)
	for _, w := range all {
		s, _ := w.(string)
		out = append(out, s)
	}
	return out
}

func input(text string) object {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return nil
	}
	if s, ok := v.(string); ok {
		return object{"": s}
	}
	o, _ := v.(map[string]any)
	return o
}

func TestMatches(t *testing.T) {
	for pattern, calls := range map[string]struct{ yes, no []string }{
		"command npm install": {
			[]string{
				"npm install", "npm install lodash --save", "cd web && npm install", "npm i", "npm add x", "FOO=1 npm install", "sudo npm install", "sudo -u app -E npm install",
				"/usr/local/bin/npm install", "npm --prefix web install", "npm -w web install x", "(npm install)", "true; npm install &", "npm install | tee log", "echo $(npm install)",
				`bash -c "npm install"`, `bash -lc 'cd x && npm install'`, `sh -c "bash -c 'npm install'"`, "env A=b npm install", "timeout 60 npm install", "time npm install", "nohup npm install >/dev/null 2>&1",
				"n\\pm install", `"npm" 'install'`, "xargs -n1 npm install < list", "if true; then npm install; fi", "f() { npm install; }; f", "eval 'npm install'", "bash <<EOF\nnpm install\nEOF",
				"npm.cmd install", `$HOME/bin/npm install`, "find . -name package.json -execdir npm install \\;", "while read d; do npm install; done",
			},
			[]string{
				"pnpm install", "npm ci", "npm run install-hooks", "echo npm install", `git commit -m "npm install"`, "grep -r 'npm install' .", "npm", "npm uninstall x", "cat npm install", "# npm install", "command -v npm install", "npm test install",
				"cat <<EOF\nnpm install\nEOF", "npminstall", "docker run node npm install", ") npm install", "npm install && broken )", "",
			},
		},
		"command git push --force": {
			[]string{"git push --force", "git push origin main --force", "git push -f", "git push -uf origin x", "git -C repo push --force", "git -c a=b push -f", "git push origin +main", "git push --force=x"},
			[]string{"git push --force-with-lease", "git push", "git push origin main", "git commit --force", "git log --grep push --force", "git push -- --force", "git push -o f"},
		},
		"command git commit --no-verify": {[]string{"git commit -n", "git commit -nm x", "git commit -am x --no-verify"}, []string{"git commit -m no", "git commit -mnice", "git push --no-verify"}},
		"command rm -rf":                 {[]string{"rm -rf x", "rm -fr x", "rm -r -f x", "rm --recursive --force x", "sudo rm -Rf /"}, []string{"rm -r x", "rm -f x", "rm x -- -rf"}},
		"command pip":                    {[]string{"pip install x", "pip3 install x", "python3 -m pip install x", "pip3.11 list", "uv run pip list"}, []string{"pipx install x", "uv pip install x", "pipenv"}},
		"command ./scripts/deploy.sh":    {[]string{"./scripts/deploy.sh", "bash scripts/deploy.sh", "/repo/scripts/deploy.sh prod", "sh -x ./scripts/deploy.sh"}, []string{"./scripts/deploy.sh.bak", "cat scripts/deploy.sh", "deploy.sh"}},
		"command git add .":              {[]string{"git add .", "git add -v ."}, []string{"git add file.go", "git add ./x"}},
		"command go test ./...":          {[]string{"go test ./...", "go test -run X -race ./...", "GOFLAGS=-v go test -count=1 ./..."}, []string{"go test ./x", "go build ./...", "go vet ./..."}},
		"command docker compose up":      {[]string{"docker compose up -d", "docker compose -f x.yml up"}, []string{"docker compose down", "docker up"}},
		"command sed -i":                 {[]string{"sed -i s/a/b/ f", "sed -i.bak s/a/b/ f", "sed -ne p -i f", "sed --in-place s/a/b/ f"}, []string{"sed -n p f", "sed s/-i/x/ f"}},
		"command find -delete":           {[]string{"find . -name x -delete"}, []string{"find . -name delete", "find . -d"}},
		"flag --no-verify":               {[]string{"git push --no-verify", "x && y --no-verify"}, []string{"git push", "echo x --no-verify-ssl", "echo 'a --no-verify'"}},
		"path gen/**": {
			[]string{"echo x > gen/a.go", "cat y >> web/gen/b/c.go", "rm gen/a.go", "sed -i s/a/b/ gen/a.go", "cp x gen/a.go", "cd gen && touch a.go", "tee gen/a.go <x", "apply_patch <<'E'\n*** Begin Patch\n*** Update File: gen/a.go\n*** End Patch\nE"},
			[]string{"cat gen/a.go", "grep x gen/a.go", "sed -n p gen/a.go", "cp gen/a.go x", "echo gen/a.go", "echo x > gen.go"},
		},
		"path .env": {[]string{"echo A=1 >> .env", "rm -f web/.env"}, []string{"echo x > .env.example", "source .env"}},
	} {
		p, err := Parse(pattern)
		if err != nil || p.String() != pattern {
			t.Fatalf("%s: read as %q: %v", pattern, p, err)
		}
		for _, c := range calls.yes {
			if !p.Matches(&Call{Command: c, Dir: "/repo"}) {
				t.Errorf("%s: not %q", pattern, c)
			}
		}
		for _, c := range calls.no {
			if p.Matches(&Call{Command: c, Dir: "/repo"}) {
				t.Errorf("%s: also %q", pattern, c)
			}
		}
	}
}

// Each agent has its own names for tools and arguments.
func TestLook(t *testing.T) {
	gen, npm := Pattern{Path: "gen/**"}, Pattern{Words: []string{"npm", "install"}}
	for _, c := range []struct {
		tool, input string
		gen, npm    bool
	}{
		{"Bash", `{"command":"npm install","description":"x"}`, false, true},
		{"shell", `{"command":["bash","-lc","npm install"]}`, false, true},
		{"exec_command", `{"cmd":"npm install"}`, false, true},
		{"run_shell_command", `{"command":"npm install"}`, false, true},
		{"Edit", `{"file_path":"/r/gen/a.go","old_string":"npm install"}`, true, false},
		{"write_file", `{"file_path":"gen/a.go","content":"npm install"}`, true, false},
		{"edit", `{"filePath":"/r/gen/a.go"}`, true, false},
		{"str_replace_editor", `{"command":"str_replace","path":"gen/a.go"}`, true, false},
		{"str_replace_editor", `{"command":"view","path":"gen/a.go"}`, false, false},
		{"apply_patch", `{"command":"*** Begin Patch\n*** Update File: gen/a.go\n@@\n*** End Patch"}`, true, false},
		{"apply_patch", `{"input":"*** Begin Patch\n*** Add File: gen/a.go\n*** End Patch"}`, true, false},
		{"apply_patch", `"*** Begin Patch\n*** Delete File: gen/a.go\n*** End Patch"`, true, false},
		{"shell", `{"command":["apply_patch","*** Begin Patch\n*** Update File: gen/a.go\n*** End Patch"]}`, true, false},
		{"Read", `{"file_path":"/r/gen/a.go"}`, false, false},
		{"TodoWrite", `{"path":"gen/a.go"}`, false, false},
		{"Bash", `null`, false, false}, {"", ``, false, false}, {"Bash", `{"command":7}`, false, false}, {"Edit", `{"file_path":{}}`, false, false},
	} {
		call := Look(c.tool, input(c.input), "/r")
		if g, n := gen.Matches(call), npm.Matches(call); g != c.gen || n != c.npm {
			t.Errorf("%s %s: gen %v, npm %v", c.tool, c.input, g, n)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{"", "npm install", "command ", "command --force", "command a; b", "command $X y", "command a | b", "flag force", "flag -", "path ", "path **", "path [", "path a\nb", "command " + strings.Repeat("x ", 20)} {
		if p, err := Parse(text); err == nil {
			t.Errorf("%q is read as %q", text, p)
		}
	}
}

// FuzzMatches checks that no command takes long or breaks the reader, and that what is
// written of a pattern is read again.
func FuzzMatches(f *testing.F) {
	for _, s := range []string{"npm install", "bash -c \"npm i $(x)\"", "a <<E\nnpm\nE", "((((", "`\\``", "${a:-${b}}", "case x in x) npm;; esac", "find -exec npm \\;", "\x00", "sudo sudo sudo", "cd ..; > x"} {
		f.Add("npm install", s)
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		for _, make := range []func(string) (Pattern, error){Command, Flag, Path} {
			p, err := make(pattern)
			if err != nil {
				continue
			}
			if again, err := Parse(p.String()); err != nil || again.String() != p.String() {
				t.Errorf("%q is written as %q and read as %q, %v", pattern, p, again, err)
			}
			p.Matches(&Call{Command: text, Dir: "/r"})
		}
		Look("Edit", input(text), "")
	})
}

// Hostile commands are given up on soon.
func TestDeep(t *testing.T) {
	p := Pattern{Words: []string{"npm"}}
	for _, open := range []string{"(", "$(", "`", "\"$(", "{ ", "if ", "$((", "${a:-", "[[ (", "<(", "a <<E\n", "while ", "case x in x) ", "! ", "npm \"", "sudo ", "x|", "bash -c '", "\\", "((", "a[", "function f ", "x=(", "time ", "coproc "} {
		p.Matches(&Call{Command: "npm_; " + strings.Repeat(open, maxScript/len(open))})
	}
}

func BenchmarkMatches(b *testing.B) {
	p := Pattern{Words: []string{"npm", "install"}}
	for name, text := range map[string]string{"other": "go test ./... | tail -5", "near": "cd web && npm run build -- --mode production | tee build.log"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				p.Matches(&Call{Command: text})
			}
		})
	}
}
