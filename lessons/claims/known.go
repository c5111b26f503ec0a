package claims

import (
	"path"
	"strings"
)

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
