package claims

import (
	"path"
	"strings"
	"unicode"
)

// name reads a single word.
func (r *reader) name(ws []word, i int) {
	w := ws[i]
	text := strings.TrimSuffix(w.text, "'s")
	switch {
	case text == "" || placeholder(text) || outside(text) || near(ws, i, 2, 0, branches) && !hasExtension(text) || near(ws, i, 0, 1, "branch tag commit label environment"):
	case strings.HasPrefix(text, "-"):
		r.flag(ws, i)
	case r.dependency(ws, i, text):
	case r.path(ws, i, text):
	default:
		r.symbol(ws, i, text)
	}
}

const branches = "branch branches origin checkout merge rebase tag tags label labels skill"

// path reads a word as a file or folder. It returns false if it is neither.
func (r *reader) path(ws []word, i int, text string) bool {
	w := ws[i]
	file, test, _ := strings.Cut(text, "::") // of pytest
	if n := strings.IndexAny(file, "#"); n > 0 {
		file = file[:n]
	}
	file = withoutLine(file)
	folder := strings.HasSuffix(file, "/") || strings.HasSuffix(file, "/...")
	clean := strings.TrimPrefix(strings.TrimSuffix(strings.TrimSuffix(file, "..."), "/"), "./")
	slash := strings.Contains(clean, "/")
	switch {
	case clean == "" || clean == "." || strings.HasPrefix(clean, "../") || strings.ContainsAny(clean, "()=,;|&@:\"'`"):
		return false
	case !wordly(clean) || throwaway(clean):
		return slash || hasExtension(clean) // a path, but not one to look up
	case hasExtension(clean):
		if !w.code && !slash && product(clean) || homely(clean) || !slash && in(strings.ToLower(clean), anywhere) {
			return true
		}
		r.add(Claim{Kind: Path, Name: clean})
		if isIdentifier(test) {
			r.add(Claim{Kind: Symbol, Name: test})
		}
		return true
	case slash && (folder || strings.HasPrefix(file, "./")) || folder && w.code:
		r.add(Claim{Kind: Path, Name: clean, Loose: !w.code && !strings.HasPrefix(file, "./")})
		return true
	case slash:
		sure := w.code && (near(ws, i, 3, 0, "in under inside into folder directory dir package") && near(ws, i, 4, 2, "folder directory dir package module lives live stay stays belongs belong code sits kept") ||
			near(ws, i, 1, 1, "folder directory dir package module"))
		r.add(Claim{Kind: Path, Name: clean, Loose: !sure})
		return true
	case w.code && near(ws, i, 1, 1, "folder directory dir"):
		r.add(Claim{Kind: Path, Name: clean})
		return true
	case in(clean, "Makefile makefile Justfile justfile Dockerfile Procfile Gemfile Rakefile Jenkinsfile Vagrantfile Taskfile"):
		r.add(Claim{Kind: Path, Name: clean})
		return true
	}
	return false
}

// withoutLine cuts ":12" or ":12:3" off a path.
func withoutLine(s string) string {
	for range 2 {
		n := strings.LastIndexByte(s, ':')
		if n <= 0 || strings.Trim(s[n+1:], "0123456789-") != "" {
			break
		}
		s = s[:n]
	}
	return s
}

// symbol reads a word as a name in code. It returns false if it is not one.
func (r *reader) symbol(ws []word, i int, text string) {
	w := ws[i]
	call := false
	if n := strings.IndexByte(text, '('); n > 0 {
		if !strings.HasSuffix(text, ")") {
			return
		}
		text, call = text[:n], true
	}
	text = strings.NewReplacer("::", ".", "->", ".", "#", ".").Replace(strings.TrimPrefix(text, "@"))
	if strings.HasSuffix(text, ".") || strings.HasPrefix(text, ".") {
		return
	}
	parts := strings.Split(text, ".")
	for _, p := range parts {
		if !isIdentifier(p) {
			return
		}
	}
	last := parts[len(parts)-1]
	named := near(ws, i, 1, 1, kinds) || near(ws, i, 1, 0, "call calls calling invoke invokes")
	upper := strings.ToUpper(last) == last
	switch {
	case len(last) < 3 || external(parts, call), upper && (!strings.Contains(last, "_") || variable(ws, i, last)):
	case !call && near(ws, i, 2, 0, "error errors exception warning message says prints complains reports status"):
	case len(parts) > 1:
		if w.code && !near(ws, i, 2, 0, "set config setting option key git") && (call || strong(last) || named || last[0] >= 'A' && last[0] <= 'Z') {
			r.add(Claim{Kind: Symbol, Name: text})
		}
	case strings.Contains(strings.Trim(last, "_"), "_"), humped(last) && last[0] >= 'a', call:
		r.add(Claim{Kind: Symbol, Name: text})
	case humped(last) && (w.code || named) && !well(last):
		r.add(Claim{Kind: Symbol, Name: text})
	case w.code && named && !in(strings.ToLower(last), "main master true false null none nil this self string bool int float error init default json yaml toml html http get post put delete"):
		r.add(Claim{Kind: Symbol, Name: text})
	}
}

// kinds are words for things in code.
const kinds = "function func fn method type class struct interface trait enum component hook helper helpers constant const variable var field property prop symbol macro " +
	"decorator fixture middleware handler wrapper factory parameter attribute annotation mixin protocol reducer store model schema service controller test exception module procedure routine setter getter validator parser serializer callback"

// strong reports whether a name can hardly be an English word.
func strong(s string) bool { return humped(s) || strings.Contains(strings.Trim(s, "_"), "_") }

// humped reports whether a name has inner capitals, as in camelCase.
func humped(s string) bool {
	small := false
	for i, r := range s {
		switch {
		case r >= 'a' && r <= 'z':
			small = true
		case r >= 'A' && r <= 'Z':
			if small && i > 0 {
				return isIdentifier(s)
			}
		case r < '0' || r > '9':
			return false
		}
	}
	return false
}

func isIdentifier(s string) bool {
	for i, r := range s {
		if r != '_' && (r > unicode.MaxASCII || !unicode.IsLetter(r)) && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != "" && len(s) <= 80
}

// wordly reports whether a path has only characters that are usual in file names.
func wordly(s string) bool {
	letters := false
	for _, r := range s {
		letters = letters || unicode.IsLetter(r)
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("/._-+", r) {
			return false
		}
	}
	return letters
}

// variable reports whether an upper-case name is an environment variable or an error.
func variable(ws []word, i int, name string) bool {
	first, _, _ := strings.Cut(name, "_")
	return in(first, "ERR GIT GO NODE NPM PYTHON PYTEST CI GITHUB AWS DOCKER QT CARGO RUST JAVA GCP AZURE OPENAI ANTHROPIC CLAUDE XDG LC LD DYLD SSH HTTP HTTPS NO KUBE POSTGRES PG VITE NEXT PIP UV DATABASE EOF SIG") ||
		near(ws, i, 3, 2, "set export env environment variable unset sets")
}

// flag reads a word as an option.
func (r *reader) flag(ws []word, i int) {
	name, _, _ := strings.Cut(ws[i].text, "=")
	if !strings.HasPrefix(name, "--") || len(name) < 5 || in(name[2:], commonFlags) || strings.HasPrefix(name, "---") || strings.ContainsAny(name, "/,|()") {
		return
	}
	for j, w := range ws {
		if j == i {
			continue
		}
		head, _, _ := strings.Cut(w.low, " ")
		if in(head, programs) && (w.code || !in(head, "go make time just find task test which sort")) || head == "go" && w.code {
			if !projectCommand(w.text) {
				return
			}
		}
	}
	r.add(Claim{Kind: Flag, Name: name})
}

// projectCommand reports whether a command runs one of the project's programs.
func projectCommand(s string) bool {
	return strings.HasPrefix(s, "go run ./") || strings.HasPrefix(s, "cargo run") || strings.Contains(s, "scripts/") || strings.HasPrefix(s, "./")
}

// dependency reads a word as a package that the project depends on. It returns false if
// it is not one.
func (r *reader) dependency(ws []word, i int, text string) bool {
	w := ws[i]
	host, _, _ := strings.Cut(text, "/")
	switch {
	case strings.HasPrefix(text, "@") && strings.Count(text, "/") == 1 && len(text) > 3 && !strings.ContainsAny(text, " ()"):
		if n := strings.LastIndexByte(text, '@'); n > 0 {
			text = text[:n]
		}
		r.add(Claim{Kind: Package, Name: text, Loose: !near(ws, i, 2, 2, packages)})
		return true
	case strings.Contains(host, ".") && strings.Contains(text, "/") && in(host[strings.LastIndexByte(host, '.')+1:], "com org io in net dev land sh"):
		// This may be a module path or a web address: only manifests can tell.
		if n := strings.LastIndexByte(text, '@'); n > 0 {
			text = text[:n]
		}
		r.add(Claim{Kind: Package, Name: text, Loose: !w.code || strings.Count(text, "/") < 2 && host == "github.com"})
		return true
	case strings.Contains(text, "/") || hasExtension(text) && !in(path.Ext(text), ".js") || !w.code && !strings.ContainsAny(text, "-"):
		return false
	case strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") != "" || len(text) < 2 || strings.HasPrefix(text, ".") || strings.Trim(text, "0123456789.") == "":
		return false
	}
	if near(ws, i, 1, 1, "package") && near(ws, i, 5, 3, "go internal lives folder directory function method exports code under") {
		return false // a folder of the project
	}
	if near(ws, i, 1, 1, "library lib dependency dep crate gem pypi") || near(ws, i, 2, 1, "package npm") && !strings.ContainsAny(text, "_.") ||
		near(ws, i, 2, 0, "depend depends rely relies import pin pinned pins bump bumps upgrade upgrades dependency imports") && !strong(text) {
		r.add(Claim{Kind: Package, Name: text, Loose: !w.code})
		return true
	}
	return false
}

const packages = "package library lib dependency dep module crate gem plugin import imports imported depend depends pin pinned uses use via"
