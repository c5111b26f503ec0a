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

// placeholder reports whether a word is a placeholder or wildcard.
func placeholder(s string) bool {
	if strings.ContainsAny(s, "<>{}$*?[]%^\\!…") || strings.Contains(strings.TrimSuffix(s, "/..."), "...") {
		return true
	}
	low := strings.ToLower(s)
	for _, part := range strings.FieldsFunc(low, func(r rune) bool { return strings.ContainsRune("/.-_()", r) }) {
		if in(part, "foo bar baz qux foobar xxx xyz yyyy yyyymmdd nnn nnnn todo placeholder blah your") {
			return true
		}
	}
	return strings.Contains(low, "path/to") || strings.HasPrefix(low, "example.") || strings.HasPrefix(low, "my_") || strings.HasPrefix(low, "my-") || strings.Contains(s, "XX")
}

// outside reports whether a word names something outside of any project: a page, an
// address, a file of the home folder or the system.
func outside(s string) bool {
	low := strings.ToLower(s)
	for _, p := range []string{"~", "/", "www.", "mailto:", "c:", "d:", "http:", "https:", "localhost", "127.", "0.", "../", "refs/", "origin/", "upstream/", "feat/", "feature/", "fix/", "chore/", "release/", "hotfix/", "docs:", "feat:"} {
		if strings.HasPrefix(low, p) {
			return true
		}
	}
	if strings.Contains(s, "://") || strings.Contains(s, "@") && strings.Contains(s, ".") && !strings.HasPrefix(s, "@") && !strings.Contains(s, "/") {
		return true
	}
	return strings.HasPrefix(s, "application/") || strings.HasPrefix(s, "text/") || strings.HasPrefix(s, "image/") || strings.HasPrefix(low, "n/")
}

// extensions are the common file extensions.
const extensions = " go py pyi ts tsx js jsx mjs cjs mts cts rs java kt kts scala swift c h cc cpp cxx hpp hh m mm cs fs vb rb php pl pm lua ex exs erl hs ml clj sh bash zsh fish ps1 bat cmd " +
	"sql proto graphql gql tf hcl nix json jsonl json5 jsonc yaml yml toml ini cfg conf xml html htm css scss sass less vue svelte astro md mdx rst txt adoc csv tsv ipynb lock mod sum work " +
	"tmpl tpl j2 hbs ejs gradle cmake mk bzl dart zig nim r jl v sv vhd svg png jpg gif ico pdf env template sample snap golden txtar patch diff plist service "

// hasExtension reports whether a word ends in a file extension.
func hasExtension(s string) bool {
	ext := path.Ext(s)
	base := path.Base(s)
	return len(ext) > 1 && len(base) > len(ext) && strings.Contains(extensions, " "+strings.ToLower(ext[1:])+" ") && !strings.ContainsAny(s, "()")
}

// product reports whether a word with a file extension is a product, such as Node.js.
func product(s string) bool {
	return strings.HasSuffix(s, ".js") && s[0] >= 'A' && s[0] <= 'Z' && strings.Count(s, ".") == 1 || in(strings.ToLower(s), "node.js next.js vue.js three.js express.js d3.js nuxt.js alpine.js p5.js chart.js")
}

// homely reports whether a file belongs to a machine rather than a project.
func homely(s string) bool {
	base := path.Base(s)
	return strings.HasPrefix(base, ".env") || in(base, ".bashrc .zshrc .profile .gitconfig .npmrc .netrc .vimrc .pypirc .DS_Store .bash_profile .zprofile .zshenv settings.local.json")
}

// anywhere are file names that often do not belong to a project.
const anywhere = "settings.json config.toml config.yaml config.yml config.json known_hosts authorized_keys output.txt output.json out.txt log.txt results.json data.json test.txt a.txt b.txt file.txt credentials.json"

// throwaway reports whether a path is in a folder for generated or installed files.
func throwaway(s string) bool {
	for part := range strings.SplitSeq(strings.ToLower(s), "/") {
		if in(part, "node_modules dist build out target .next .nuxt .venv venv __pycache__ .cache tmp temp coverage .git .terraform .tox .gradle .pytest_cache logs .svelte-kit .turbo obj") {
			return true
		}
	}
	return false
}

// external reports whether a name belongs to a language or library, by its first part.
func external(parts []string, call bool) bool {
	last := parts[len(parts)-1]
	if len(parts) == 1 {
		return in(last, globals) || strings.HasPrefix(last, "__") && strings.HasSuffix(last, "__")
	}
	return in(parts[0], standard) || in(last, "js ts io md com org net exe dll so") && !call
}

// well reports whether a word with inner capitals is a well-known name.
func well(s string) bool { return in(s, products) }

const products = "GitHub GitLab TypeScript JavaScript PostgreSQL MySQL SQLite OpenAI GraphQL CoffeeScript PowerShell WebSocket WebSockets WebAssembly LaTeX YouTube LinkedIn CloudFront DynamoDB MongoDB BigQuery RabbitMQ " +
	"OpenTelemetry OpenAPI DevOps CloudFormation CloudFlare VSCode IntelliJ PyCharm NumPy SciPy PyTorch TensorFlow FastAPI SQLAlchemy ESLint JSDoc JUnit OAuth PyPI DuckDB ClickHouse CodeRabbit NixOS FreeBSD MacOS AppImage StackOverflow ReadTheDocs GitOps OpenSSL"

// standard are libraries and objects that come with languages, as named in code.
const standard = "fmt os io strings bytes errors context time sync atomic http url json xml csv strconv sort slices maps math rand bufio filepath path regexp reflect runtime testing slog log exec signal syscall unsafe binary hex base64 sha256 md5 rsa tls net sql template embed fs iter cmp unicode utf8 tar gzip zip flag " +
	"sys re datetime itertools functools collections typing dataclasses subprocess pathlib logging asyncio argparse shutil tempfile unittest mock copy pickle uuid random decimal enum abc warnings threading multiprocessing np pd plt tf torch nn F np pytest self cls this super " +
	"Math JSON Object Array String Number Promise Date Map Set Symbol Reflect Proxy Intl console process window document localStorage sessionStorage navigator globalThis module exports require Buffer React ReactDOM Vue fetch crypto performance URL Error jest vi expect cy page test " +
	"std core alloc Vec Option Result HashMap Box Rc Arc tokio serde String System Arrays Collections List Optional Stream Objects Thread Integer Long assert require t b tb suite"

// globals are names defined outside of any project.
const globals = "useEffect useState useMemo useCallback useRef useContext useReducer useLayoutEffect setTimeout setInterval clearTimeout clearInterval setImmediate queueMicrotask requestAnimationFrame addEventListener removeEventListener querySelector getElementById innerHTML textContent className dangerouslySetInnerHTML localStorage sessionStorage " +
	"isinstance hasattr getattr setattr staticmethod classmethod dataclass NotImplementedError ValueError TypeError KeyError IndexError AttributeError ImportError ModuleNotFoundError RuntimeError FileNotFoundError PermissionError AssertionError StopIteration OSError IOError IndentationError SyntaxError ReferenceError RangeError NullPointerException IllegalArgumentException IllegalStateException " +
	"printf sprintf println memcpy memset strcpy strlen malloc free toString valueOf hashCode equals forEach indexOf innerText camelCase snake_case PascalCase kebab_case CamelCase lowerCamelCase UpperCamelCase macOS iOS iPhone iPad eBay gRPC jQuery npm pnpm pyproject undefined autocrlf size_t int32_t uint8_t uint32_t int64_t uint64_t nullptr static_cast dynamic_cast reinterpret_cast unique_ptr shared_ptr " +
	"print len range open append make panic recover close delete map filter reduce sorted zip sum min max any all eval exec input super type set dict list tuple str int float bool require import fetch alert describe it expect beforeEach afterEach beforeAll afterAll test assertEqual assertTrue assert unwrap expect clone dyn impl todo unimplemented"

// commonFlags are options of many programs.
const commonFlags = "help version verbose quiet force yes dry-run all json no-verify force-with-lease watch debug config output input file no-cache no-edit amend no-color color recursive rm detach name tags race count run bench short timeout parallel cover coverage fix write check staged cached hard soft mixed ff-only no-ff squash rebase autostash depth ignore-scripts frozen-lockfile save-dev save-exact legacy-peer-deps global prefix registry workspace workspaces filter release features no-default-features all-features all-targets locked offline target package bin example test lib manifest-path user group port host env platform tag build no-deps"

// programs are common programs, not built by a project.
const programs = "git gh npm npx pnpm yarn bun deno node go gofmt cargo rustc rustup rustfmt python python3 pip pip3 pipx uv poetry pytest tox nox mypy ruff black isort flake8 pylint docker docker-compose podman kubectl helm terraform aws gcloud az curl wget ssh scp rsync rg grep sed awk find ls cat tail head tar zip make cmake ninja gcc clang mvn gradle gradlew bazel java javac ruby gem bundle rake rails php composer tsc eslint prettier vitest jest mocha playwright cypress webpack vite rollup esbuild turbo nx lerna biome golangci-lint staticcheck govulncheck dlv psql mysql redis-cli sqlite3 systemctl journalctl brew apt apt-get yum dnf pacman nix codex claude gemini cursor opencode aider jq yq tmux make just task mise asdf direnv pre-commit husky semgrep trivy snyk swift xcodebuild dotnet msbuild mix elixir dart flutter hugo jekyll mkdocs sphinx-build tesseract ffmpeg openssl gpg launchctl adb fastlane ansible vagrant packer wrangler vercel netlify fly flyctl heroku supabase prisma alembic django-admin flask uvicorn gunicorn celery locust k6 ab hey dd mount chmod chown cp mv rm mkdir touch ln xargs time env sudo nohup watch diff patch less more sort uniq wc cut tr tee date sleep kill ps top du df"
