package redact

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// The secrets in this file are made up, and put together from parts so that no
// scanner of this repository takes them for real ones.

const (
	b62   = "q7Xv2LmZ9RtK4wYb8NcD3fGh" // 24 random letters and digits
	b62b  = "Ht5Jp0SxWe6UaQ1Vz7Bk2MnC"
	b36   = "k3v9x2m7q1z8w4r6t5y0p2n8"
	hex32 = "9f86d081884c7d659a2feaa0c55ad015"
	upper = "Q7XV2LMZ9RTK4WYB"
)

// secrets pairs a text, in which %s is the secret, with the secret.
var secrets = []struct{ name, text, secret string }{
	{"aws key id", "use %s for the bucket", "AKIA" + "Q7XV2LMZTRTK4WYB"},
	{"aws temporary key id", "key: %s", "ASIA" + "Q7XV2LMZTRTK4WYB"},
	{"aws secret key", "aws_secret_access_key = %s", b62 + "/" + "Ht5Jp0SxWe6UaQ1"},
	{"aws secret in env", "export AWS_SECRET_ACCESS_KEY=%s", b62 + "+" + "Ht5Jp0SxWe6UaQ1"},
	{"github classic", "git remote set-url origin %s", "gh" + "p_" + b62 + "Ht5Jp0SxWe6U"},
	{"github oauth", "%s", "gh" + "o_" + b62 + "Ht5Jp0SxWe6U"},
	{"github app", "token %s expired", "gh" + "s_" + b62 + "Ht5Jp0SxWe6U"},
	{"github fine-grained", "GITHUB_TOKEN=%s", "github" + "_pat_" + b62 + "_" + b62b + "Ht5Jp0SxWe6UaQ1V"},
	{"gitlab", "glab auth login --token %s", "gl" + "pat-" + "q7Xv2LmZ9RtK4wYb8NcD"},
	{"slack bot", "SLACK=%s", "xo" + "xb-1234567890-" + b62},
	{"slack user", "%s is revoked", "xo" + "xp-1234567890-1234567890-" + b62},
	{"slack webhook", "curl https://hooks.slack.com/services/%s", "T0" + "1ABCDEF/B02GHIJKL/" + b62},
	{"discord webhook", "https://discord.com/api/webhooks/%s", "123456789012345678/" + b62 + b62b},
	{"discord bot", "bot.run('%s')", "MTk4NjIyNDgzNDcxOTI1MjQ4" + ".Cl2FMQ." + "ZnCjm1XVW7vRze4b7Cq4se7kKWs"},
	{"telegram bot", "bot token %s", "123456789:AA" + b62 + "Ht5Jp0SxW"},
	{"stripe live", "stripe.api_key = '%s'", "sk" + "_live_" + b62},
	{"stripe restricted", "%s", "rk" + "_live_" + b62},
	{"stripe webhook", "endpoint secret %s", "wh" + "sec_" + b62},
	{"openai", "OPENAI_API_KEY=%s", "sk" + "-proj-" + b62 + b62b},
	{"openai old", "my key is %s ok?", "sk" + "-" + b62 + b62b},
	{"anthropic", "x-api-key: %s", "sk" + "-ant-api03-" + b62 + b62b + b62 + "AA"},
	{"google api", "key=%s&lang=en", "AI" + "zaSy" + b62 + "Ht5Jp0SxW"},
	{"google oauth", "access token %s", "ya" + "29." + b62 + b62b},
	{"google client secret", "client_secret: %s", "GOC" + "SPX-" + b62},
	{"huggingface", "hf login %s", "hf" + "_" + b62 + "Ht5Jp0SxWe"},
	{"npm", "//registry.npmjs.org/:_authToken=%s", "np" + "m_" + b62 + "Ht5Jp0SxWe6U"},
	{"pypi", "twine upload -p %s", "py" + "pi-AgEIcHlwaS5vcmc" + b62 + b62b},
	{"sendgrid", "%s", "S" + "G." + b62[:22] + "." + b62 + "Ht5Jp0SxWe6UaQ1Vz7B"},
	{"digitalocean", "doctl auth init -t %s", "do" + "p_v1_" + hex32 + hex32},
	{"vault", "VAULT_TOKEN=%s", "hv" + "s." + b62},
	{"databricks", "%s", "da" + "pi" + hex32},
	{"linear", "%s", "lin" + "_api_" + b62 + "Ht5Jp0SxWe6UaQ1V"},
	{"shopify", "%s", "shp" + "at_" + hex32},
	{"grafana", "%s", "gl" + "sa_" + b62 + "Ht5Jp0Sx_" + "1a2b3c4d"},
	{"tailscale", "tailscale up --authkey %s", "ts" + "key-auth-" + "kq7Xv2LmZCNTRL-" + b62},
	{"docker", "docker login -u me -p %s", "dckr" + "_pat_" + b62},
	{"jwt", "cookie holds %s", "ey" + "JhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9." + "ey" + "JzdWIiOiIxMjM0NTY3ODkwIn0." + b62},
	{"jwt cut", "token was %s", "ey" + "JhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9" + "a1b2c3d4e5f6g7h8i9j0" + b62},
	{"telltale base64", "session: %s", b62 + "+" + b62b + "=="},
	{"bearer in curl", "curl -H 'Authorization: Bearer %s' https://x.y", b36},
	{"bearer alone", "send Authorization: Bearer %s with it", b36},
	{"bearer in prose", "it used bearer %s before", b36},
	{"basic", "Authorization: Basic %s", "dXNlcjpodW50ZXIyaHVudGVy"},
	{"authorization in JSON", `{"headers":{"Authorization":"Bearer %s"}}`, b36},
	{"authorization without a scheme", "authorization: %s", b36},
	{"authorization in code", `req.Header.Set("Authorization", "Bearer %s")`, b36},
	{"cookie", "Cookie: session=%s; theme=dark", "a1b2c3d4e5f6"},
	{"postgres url", "psql postgres://app:%s@db.internal:5432/app", "Tr0ub4dor"},
	{"postgres url with a slash", "postgres://app:%s@db.internal/app", "pa/ss/w0rd"},
	{"https url", "git clone https://bob:%s@git.corp.net/x.git", "hunter2"},
	{"token as url user", "https://%s@github.com/o/r.git", b36 + "abc1"},
	{"redis url without a user", "REDIS=redis://:%s@cache:6379/0", "s3cr3tpw"},
	{"mongodb+srv", "mongodb+srv://root:%s@c0.abcde.mongodb.net", "pW9xK2mQ"},
	{"azure storage", "AccountName=x;AccountKey=%s;EndpointSuffix=core", b62 + b62b + b62 + "abcdefg1" + "=="},
	{"azure sas", "https://x.blob.core.windows.net/c?sv=2022&sig=%s", "q7Xv2LmZ9RtK4w%2BYb8NcD3fGh%3D"},
	{"query token", "GET /v1?access_token=%s&x=1", b36},
	{"password assignment", "password=%s", "hunter2hunter2"},
	{"password in yaml", "  password: %s", "Tr0ub4dor&3"},
	{"password of letters in env", "DB_PASSWORD=%s", "correcthorse"},
	{"password of letters in quotes", `password: "%s"`, "correcthorse"},
	{"short password in quotes", `pwd = "%s"`, "hunter2"},
	{"password said", "the admin password is %s, use it", "hunter2hunter"},
	{"key said", "the api key for staging is %s", b36},
	{"password flag", "deploy --password %s --force", "Winter2024!"},
	{"mysql flag", "mysql -u root -p%s app < dump.sql", "s3cr3tpw"},
	{"sshpass", "sshpass -p '%s' ssh root@box", "s3cr3tpw"},
	{"curl user", "curl -u admin:%s https://x.y/api", "Tr0ub4dor3x"},
	{"secret_token", "secret_token: %s", b36},
	{"api key in JSON", `{"api_key":"%s"}`, b36},
	{"api key in escaped JSON", `"{\"api_key\":\"%s\"}"`, b36},
	{"api key in twice escaped JSON", `"{\\\"api_key\\\":\\\"%s\\\"}"`, b36},
	{"password in escaped JSON", `{\"db\":{\"password\":\"%s\"}}`, "Tr0ub4dor"},
	{"header with a key", "X-Api-Key: %s", b36},
	{"private token header", "PRIVATE-TOKEN: %s", b36},
	{"python dict", "conf['secret_key'] = '%s'", b36},
	{"ruby arrow", ":password => '%s'", "Tr0ub4dor"},
	{"bcrypt", "hash %s", "$2b$10$" + "N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy"},
	{"pem", "key:\n%s\ndone", "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIEpAIBAAKCAQEA" + b62 + "\n" + b62b + b62 + "\n-----END RSA " + "PRIVATE KEY-----"},
	{"pem in JSON", `"private_key": "%s"`, "-----BEGIN " + `PRIVATE KEY-----\nMIIEpAIBAAKCAQEA` + b62 + `\n` + b62b + b62 + `\n-----END ` + "PRIVATE KEY-----"},
	{"pem cut short", "-----BEGIN OPENSSH " + "PRIVATE KEY-----\n%s", "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAE\n" + b62 + b62b},
	{"random token alone", "it printed %s and stopped", b62 + b62b},
	{"random lower-case token", "it printed %s and stopped", b36 + "h4j7"},
	{"random token in an assignment", "FOO=%s", b62 + b62b},
	{"age", "%s", "AGE-" + "SECRET-KEY-1" + "QQPQZ3RY9X8GF2TVDW0S3JN54KHCE6MUA7LQQPQZ3RY9X8GF2TVDW0S3"},
	{"token cut at its end", "I ran it with %s… and it failed", "gh" + "p_" + b62[:13]},
	{"token cut at its start", "…%s was refused", b62[8:20]},
	{"token cut in a tool's answer", "TOKEN is %s\n[… 12345 bytes left out …]\nok", b62[:14]},
	{"e-mail", "write to %s please", "alice.miller" + "@" + "corp.net"},
	{"e-mail in a trailer", "Co-authored-by: Bob <%s>", "bob" + "@" + "bobs-mail.org"},
	{"home on linux", "cd /home/%s/src", "alice"},
	{"home on macOS", "/Users/%s/Library", "alice.miller"},
	{"home on windows", `C:\Users\%s\AppData`, "alice"},
	{"home on windows in JSON", `"C:\\Users\\%s\\AppData"`, "alice"},
	{"home on windows with a blank", `C:\Users\%s\AppData`, "Alice Miller"},
	{"home in a project folder's name", "~/.claude/projects/-Users-%s-src-app", "alice"},
}

// harmlessTexts must come out as they went in.
var harmlessTexts = []string{
	"you forgot to regenerate again, always run make generate after proto edits",
	"No, use pnpm instead of npm in this repo.",
	"commit 793ee8c2f1b0c4d5e6f708192a3b4c5d6e7f8091 broke it",
	"see 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
	"image@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
	"session 0b51d8e2-4f6a-4b9c-8d7e-1a2b3c4d5e6f line 1412",
	"golang.org/x/crypto v0.57.0 h1:3ZVCjf8Ggz7zneR/EHRVx68Ctf+2pmIMP2UFhh9cC6M=",
	`"integrity": "sha512-q7Xv2LmZ9RtK4wYb8NcD3fGhHt5Jp0SxWe6UaQ1Vz7Bk2MnCq7Xv2LmZ9RtK4wYb8NcD3fGhHt5Jp0SxWe6UaQ1Vz7Bk2MnC=="`,
	"x/vt v0.0.0-20260430013151-79116d1f37bd",
	"the id AKIA" + "IOSFODNN7EXAMPLE is AWS's own example",
	"aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
	"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
	"/usr/local/go/src/internal/runtime/maps/runtime_fast64_swiss.go:123",
	"node_modules/.pnpm/@babel+core@7.24.5/node_modules/@babel/core/lib/index.js",
	"github.com/charmbracelet/bubbletea/v2/internal/renderer/cursed_renderer.go",
	"see commit 793ee8c2f1b0c4… and session 0b51d8e2-4f6a-4b… or …-8d7e-1a2b3c4d5e6f",
	"TestExtractorKeepsMark2… failed in internal/extractor/run_test…",
	"--- FAIL: TestE2E_AutoCommitStrategy (13.84s), TestE2E_AgentCommitsDuringTurn",
	"git fetch --depth=1 origin +ebc91a2bd381790422314a55f76a1b79b9d0cd36:refs/remotes/x",
	"TestExtractorKeepsMarkWhenTranscriptHasShrunk2 failed",
	"applyConfigurationOverridesFromEnvironmentVariables32",
	"ABSOLUTELY_MAXIMUM_NUMBER_OF_CONCURRENT_CONNECTIONS_V2",
	"my-service-with-a-very-long-name-2024-01-02-staging",
	"Authorization: Bearer $TOKEN", "Authorization: Bearer ${GITHUB_TOKEN}", "Authorization: Bearer <token>",
	"Authorization: Bearer YOUR_API_KEY",
	"password=$DB_PASSWORD", "password: ${{ secrets.DB_PASSWORD }}", `password = os.environ["DB_PASSWORD"]`,
	"const token = process.env.GITHUB_TOKEN;", "token: string", "password: required", "the token is expired", "api_key=None",
	"max_tokens=100000000", "token_count: 123456789", "the token is base64 encoded", "secret=config.secret_value",
	"postgres://user:${DB_PASS}@localhost/app", "http://localhost:4873/@scope/pkg",
	"git clone git@github.com:owner/repo.git", "Co-Authored-By: Claude <noreply@anthropic.com>", "user@example.com", "icon@2x.png",
	"/home/user/project", "/home/runner/work/x", "GET /users/alice/repos", "https://x.y/home/dashboard",
	"toolu_01A09q90qw90lq917835lq9Kx", "01ARZ3NDEKTSV4RRFFQ69G5FAV",
	"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl",
	"claude-3-5-sonnet-20241022 and gpt-4o-mini-2024-07-18",
	"keep the key in the keyring, never in .env", "pass the token through the context",
	"password=[REDACTED:password] and [REDACTED:entropy]",
	"日本語のテキスト、パスワードは設定ファイルに書かない",
	"",
}

func redactor(t testing.TB) *Redactor {
	t.Helper()
	return New()
}

func TestSecretsAreRedacted(t *testing.T) {
	r := redactor(t)
	if len(secrets) < 60 {
		t.Errorf("only %d secrets are tested", len(secrets))
	}
	for _, c := range secrets {
		in := fmt.Sprintf(c.text, c.secret)
		out := r.Redact(in)
		if strings.Contains(out, c.secret) || !strings.Contains(out, markOpen) {
			t.Errorf("%s:\n\tsurvives in %s\n\tfrom        %s", c.name, out, in)
		}
		// A rest of a secret is still too much.
		for n := 12; n+12 <= len(c.secret); n += 4 {
			if rest := c.secret[n : n+12]; strings.Contains(out, rest) {
				t.Errorf("%s: %q of it survives in %s", c.name, rest, out)
				break
			}
		}
		if again := r.Redact(out); again != out {
			t.Errorf("%s: redacted twice:\n\tonce  %s\n\ttwice %s", c.name, out, again)
		}
	}
}

func TestHarmlessTextSurvives(t *testing.T) {
	r := redactor(t)
	for _, s := range harmlessTexts {
		if out := r.Redact(s); out != s {
			t.Errorf("changed\n\tfrom %s\n\tto   %s", s, out)
		}
	}
}

func TestRedactKeepsWhatIsAround(t *testing.T) {
	r := redactor(t)
	in := "run `deploy --token " + b36 + "` in /home/alice/src, then tell bob" + "@" + "corp.net"
	want := "run `deploy --token [REDACTED:password]` in /home/[REDACTED:user]/src, then tell [REDACTED:email]"
	if got := r.Redact(in); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestRedactGivesValidUTF8(t *testing.T) {
	r := redactor(t)
	for _, s := range []string{"\xff\xfe\x00binary", "half a rune \xe6\x97", "token=" + b36 + "\xff"} {
		if out := r.Redact(s); !utf8.ValidString(out) || strings.Contains(out, b36) {
			t.Errorf("%q became %q", s, out)
		}
	}
}

func TestRedactInParallel(t *testing.T) {
	r := redactor(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for _, c := range secrets {
				in := fmt.Sprintf(c.text, c.secret)
				if strings.Contains(r.Redact(in), c.secret) {
					t.Errorf("%s survives", c.name)
				}
			}
		})
	}
	wg.Wait()
}

func FuzzRedact(f *testing.F) {
	for i, s := range harmlessTexts {
		f.Add(s, i)
	}
	for i, c := range secrets {
		f.Add(fmt.Sprintf(c.text, c.secret), i)
	}
	f.Add(`\ud800\u00e9\\\\n\"`, 3)
	r := redactor(f)
	planted := "gh" + "p_" + b62 + "Ht5Jp0SxWe6U"
	f.Fuzz(func(t *testing.T, s string, at int) {
		out := r.Redact(s)
		if !utf8.ValidString(out) {
			t.Fatalf("not UTF-8: %q", out)
		}
		if again := r.Redact(out); again != out {
			t.Fatalf("not stable:\n%q\n%q\n%q", s, out, again)
		}
		clean := strings.ToValidUTF8(s, "\ufffd")
		cut := 0
		if len(clean) > 0 {
			cut = max(at, -(at+1)) % len(clean)
			for !utf8.RuneStart(clean[cut]) {
				cut--
			}
		}
		out = r.Redact(clean[:cut] + " " + planted + " " + clean[cut:])
		if strings.Contains(out, planted) {
			t.Fatalf("a planted token survives in %q", out)
		}
	})
}
