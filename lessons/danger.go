package lessons

import (
	"slices"
	"strings"
	"sync"
)

// This file finds what a person should look at twice before approving. The rules are:
//
//    - Nothing is forbidden. Agents read approved text as instructions, so a reviewer
//      must see what it would make them do, and who asks for it.
//    - The text is checked as an agent would read it: without emphasis or hidden
//      characters, with wide letters made plain.
//    - It runs for every row of a screen, so regular expressions are signs, which
//      are asked only about texts with telltale words.

// A Hazard is a kind of danger: one word, for a filter or a program.
type Hazard string

const (
	Instruction Hazard = "instruction" // orders to an agent, role marks, tool-call syntax
	PipedShell  Hazard = "shell"       // runs what it downloads or decodes
	Link        Hazard = "link"        // runs or sends by a web address, or holds one with a key in it
	HiddenText  Hazard = "hidden"      // held characters or comments that are not seen
	SecretShape Hazard = "secret"      // holds a secret, or held one
	Hearsay     Hazard = "hearsay"     // supported only by a tool's output or a web page
)

// A Danger is one reason to look twice.
type Danger struct {
	Hazard Hazard
	Says   string // the reason, for the reviewer
	Found  string // the words that gave it, on one line and safe to show; "" if no single ones did
}

// Web is the [Evidence].From of the output of a tool that read the web.
const Web = "web"

// Pasted is the [Evidence].From of what a person pasted and somebody else wrote.
const Pasted = "pasted"

// FromAsked is the [Evidence].From of words that a person typed to have them remembered. As
// a hook was told them they have no line: the transcript that is read later gives it.
const FromAsked = "asked"

// Asked reports whether a person asked to have the lesson remembered.
func (l Lesson) Asked() bool {
	return slices.ContainsFunc(l.Evidence, func(e Evidence) bool { return e.From == FromAsked && e.By == ByPerson })
}

// Against is the [Evidence].From of words that speak against a lesson: a person corrected
// the agent on its subject.
const Against = "against"

// The [Evidence].From of entries in files that agents read as instructions.
const (
	FromMemory = "memory" // an agent wrote it for itself
	FromFile   = "file"   // it stands in instructions
)

// Stands reports whether the evidence is an entry of a file that agents read. They follow
// it as long as it is there, independent of any decision on the lesson.
func (e Evidence) Stands() bool { return e.From == FromMemory || e.From == FromFile }

// Opposes reports whether the evidence speaks against its lesson.
func (e Evidence) Opposes() bool { return e.From == Against }

// SaidBy returns who speaks for a lesson: a person if any of its evidence is a person's,
// else the agent, else a tool. Without evidence it is a person if a person wrote the
// lesson, else the agent. A proposal that says more than any person did (see [Origin]) is
// at most the agent's.
func (l Lesson) SaidBy() Speaker {
	by := quotes(l)
	if by == ByPerson && l.Status == Pending && len(unsaid(l)) > 0 {
		return ByAgent
	}
	return by
}

// unsaid returns the words that no person said and that are still in the wording.
func unsaid(l Lesson) []string {
	if len(l.Origin.Unsaid) == 0 {
		return nil
	}
	text := strings.ToLower(l.Content + "\n" + l.Insight + "\n" + l.Example)
	return slices.DeleteFunc(slices.Clone(l.Origin.Unsaid), func(w string) bool { return !strings.Contains(text, strings.ToLower(w)) })
}

// quotes returns whose words the evidence of a lesson quotes.
func quotes(l Lesson) Speaker {
	speaks := slices.DeleteFunc(slices.Clone(l.Evidence), Evidence.Opposes)
	if len(speaks) == 0 {
		if l.Origin.Extractor == "person" {
			return ByPerson
		}
		return ByAgent
	}
	for _, by := range []Speaker{ByPerson, ByAgent} {
		if slices.ContainsFunc(speaks, func(e Evidence) bool { return e.By == by }) {
			return by
		}
	}
	return ByTool
}

// MaxHearsay is the highest confidence of a quarantined proposal.
const MaxHearsay Confidence = 0.4

// Quarantined reports whether a lesson that no person has judged rests, fully or for some
// of its words, only on a tool or a web page: anyone who can write a page or a log could
// have written it. A person decides on such lessons one at a time; they are never marked
// or approved with others.
func (l Lesson) Quarantined() bool {
	return l.Status == Pending && (quotes(l) == ByTool || len(unsaid(l)) > 0)
}

// Dangers returns the reasons to look twice at a lesson, the gravest first, each kind
// once.
func Dangers(l Lesson) []Danger {
	texts := append([]string{l.Content, l.Insight, l.Example}, l.Tags...)
	raw := strings.Join(append(texts, l.Triggers...), "\n")
	text := asRead(raw)
	low := lowered(text)
	lane := l.SaidBy()
	var out []Danger
	for _, look := range []func() (Danger, bool){
		func() (Danger, bool) { return instructs(text, low, lane) },
		func() (Danger, bool) { return piped(text, low) },
		func() (Danger, bool) { return hearsay(l, lane) },
		func() (Danger, bool) { return hides(l, raw) },
		func() (Danger, bool) { return secret(text, low) },
		func() (Danger, bool) { return link(text, low) },
	} {
		if d, ok := look(); ok {
			d.Found = clip(d.Found, 80)
			out = append(out, d)
		}
	}
	return out
}

var unwrapped = strings.NewReplacer("\\\r\n", " ", "\\\n", " ", "*", "")

// asRead returns text as a reader or an agent perceives it.
func asRead(s string) string {
	s = unwrapped.Replace(Block(s))
	if plain(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0xff01 && r <= 0xff5e: // the wide forms of ASCII
			return r - 0xfee0
		case r == 0xa0 || r == 0x3000:
			return ' '
		}
		return r
	}, s)
}

func firstSign(all []sign, text, low string) string {
	for _, t := range all {
		if found := t.find(text, low); found != "" {
			return found
		}
	}
	return ""
}

func told(pattern string) sign { return signOf(`(?i)` + pattern) }

// orders match texts aimed at an agent rather than at its work.
var orders = sync.OnceValue(func() []sign {
	const what = `(?:instruction|rule|prompt|message|context|guideline|direction|constraint|polic|training|command)`
	return []sign{
		told(`\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget|overrid(?:e|ing)|overrule|bypass(?:ing)?)\b[^.!?]{0,30}\b(?:previous|above|prior|all|any|earlier|preceding|existing|system|your|these|those|other|developer|safety)\b[^.!?]{0,25}` + what),
		told(`\b(?:ignorier\w*|vergiss|missachte|ignora\w*|olvida|oublie\w*|ignore\w*|esqueça|dimentica\w*|игнорируй\w*|забудь)[^.!?]{0,40}(?:anweisung|instruc|instruktion|regel|reglas|regras|règles|consignes|istruzion|инструкц|указани)`),
		told(`(?:忽略|无视|無視|忘记|忘れ)[^。！？]{0,12}(?:指令|指示|提示|规则|規則|命令)|(?:以前|これまで|上記|前)[^。！？]{0,8}(?:指示|命令|ルール)[^。！？]{0,6}(?:無視|忘れ)|(?:이전|위의|모든)[^.!?]{0,10}(?:지시|명령|규칙)[^.!?]{0,6}무시`),
		told(`\byou(?:'re| are) now (?:an?|in|the|no longer|free|acting|playing|dan|root|admin|allowed|operating|running|under)\b|\bfrom now on,? you(?:'re| are| will be)\b|\b(?:act|behave) as (?:if you|an? (?:unrestricted|different|admin|root|jailbroken))|\bpretend (?:to be|that you|you)\b|\bjailbreak`),
		told(`\b(?:do not|don't|never|without) (?:tell|inform|notify|alert|mention|reveal|show|ask|warn|telling|informing|notifying|alerting|mentioning|asking|warning)\b[^.!?]{0,30}\b(?:user|human|operator|reviewer|anyone|anybody)\b|\b(?:hide|conceal|keep)\b[^.!?]{0,30}\bfrom the (?:user|human|operator|reviewer)\b|\b(?:user|human|operator|reviewer) (?:must|should|need)(?: not|n't) (?:know|see|notice|be told)\b|\b(?:secretly|silently) (?:run|send|execute|upload|install|download|post|copy|add|change)\b`),
		told(`</?\s*(?:system|assistant|user|human|developer|tool|function|instructions?)(?:[-_](?:reminder|prompt|message|instruction|instructions|result|use|call))?\s*>|<\|[a-z_]{2,20}\|>|\[/?INST\]|<</?SYS>>|(?m:^\s*#{0,4}\s*(?:system|assistant|human|developer)(?: (?:prompt|message))?\s*:)`),
		told(`</?(?:antml:)?(?:function_calls|invoke|tool_use|tool_calls?|parameter)\b[^>]{0,80}>|"type"\s*:\s*"(?:tool_use|function_call|tool_call)"|"name"\s*:\s*"[^"]{1,60}"\s*,\s*"arguments"\s*:`),
		told(`\b(?:reveal|print|leak|send|repeat|exfiltrate|upload|post|output|dump|share)\b[^.!?]{0,40}\b(?:system prompt|your (?:instructions|prompt)|api[ _-]?keys?|credentials|passwords?|private keys?|environment variables|secrets|access tokens?)\b`),
		told(`\b(?:approve|accept|auto-?approve)\b[^.!?]{0,20}\b(?:this|these|all|every)\b[^.!?]{0,20}\b(?:lesson|learning|memor)|\bthis (?:lesson|learning|memory|instruction|rule|message)\b[^.!?]{0,20}\b(?:overrides?|supersedes?|takes? (?:precedence|priority)|has (?:the highest|top) priority)`),
		told(`--dangerously-\w[\w-]*|\b(?:disable|turn off|bypass|circumvent|remove)\b[^.!?]{0,25}\b(?:sandbox|safety|guardrails?|permission (?:check|prompt|mode)s?|approval (?:gate|prompt)s?)\b`),
	}
})

// commands match orders that are harmless from a person but suspicious from a tool.
var commands = sync.OnceValue(func() []sign {
	return []sign{told(`\b(?:always|you (?:must|should|need to|have to)|please|make sure to|be sure to|remember to|never|from now on|before (?:any|every|each)[^.!?]{0,30}|important:?|note to (?:agents?|assistants?|ai)\w*[:,]?|agents? (?:must|should))\b[^.!?]{0,40}\b(?:run|execute|curl|wget|install|download|fetch|open|visit|send|paste|upload|eval|chmod|disable|delete|set|use|call|clone|add)\b`)}
})

func instructs(text, low string, lane Speaker) (Danger, bool) {
	found := firstSign(orders(), text, low)
	if found == "" && lane == ByTool {
		found = firstSign(commands(), text, low)
	}
	return Danger{Instruction, "it reads like an order to the agent, not like a lesson", found}, found != ""
}

// shells match commands that run what they downloaded or decoded just before.
var shells = sync.OnceValue(func() []sign {
	const (
		get   = `(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod|aria2c|fetch|lynx|lwp-request|ncat|nc)`
		shell = `(?:sudo\s+(?:-\S+\s+)*)?(?:env\s+(?:\S+=\S*\s+)*)?(?:\S*/)?(?:(?:ba|z|da|k|fi|c|tc|a)?sh|pwsh|powershell|iex|invoke-expression|osascript|source)\b`
		// Interpreters also filter data (| python -m json.tool), so they match only where
		// they read the program itself.
		other = `(?:sudo\s+)?(?:\S*/)?(?:python[\d.]*|perl|ruby|node|php|deno|bun)\s*(?:-\s*)?(?:$|["'` + "`" + `)&;|\n])`
	)
	return []sign{
		told(`\b` + get + `\b[^\n]{0,400}?\|\s*&?\s*(?:` + shell + `|` + other + `)`),
		told(`\b(?:base64\s+(?:-d|-D|--decode|-di)|xxd\s+-r|openssl\s+(?:enc|base64)\b[^\n|]{0,80}-d|gunzip|zcat)\b?[^\n]{0,200}?\|\s*(?:` + shell + `|` + other + `)`),
		told(`(?:\beval|\b(?:ba|z|da|k)?sh\s+-\w*c|\b(?:ba|z|da|k)?sh\b|\bsource|(?:^|\s)\.|\biex|\binvoke-expression)\s*["']?(?:\$\(|<\(|` + "`" + `|\()\s*(?:` + get + `|new-object\s+(?:system\.)?net\.webclient|base64|echo\s+\S+\s*\|\s*base64)`),
		told(`\.downloadstring\(|\b(?:pwsh|powershell)(?:\.exe)?\b[^\n]{0,80}-e(?:nc|ncodedcommand)?\s+[a-z0-9+/=]{16,}`),
		told(`\bexec\w*\(.{0,80}(?:urlopen|requests\.get|b64decode)|\beval\(.{0,40}(?:atob|fetch)\(`),
		told(`\b(?:curl|wget|iwr|invoke-webrequest)\b[^\n]{0,300}?(?:&&|;|\n)\s*(?:sudo\s+)?(?:chmod\s+\S*[x7]\S*\s|(?:ba|z|da)?sh\s+\S|\./\S)`),
	}
})

func piped(text, low string) (Danger, bool) {
	found := firstSign(shells(), text, low)
	return Danger{PipedShell, "it runs what it downloads or decodes, unseen", found}, found != ""
}

func hearsay(l Lesson, lane Speaker) (Danger, bool) {
	words := unsaid(l)
	if lane != ByTool && l.Status == Pending && len(words) > 0 {
		return Danger{Hearsay, "no person said these words in it", strings.Join(words, ", ")}, true
	}
	says := "only a tool's output speaks for it"
	for from, only := range map[string]string{Web: "only a web page speaks for it", Pasted: "it stands only in what somebody else wrote and you pasted"} {
		if !slices.ContainsFunc(l.Evidence, func(e Evidence) bool { return e.From != from }) {
			says = only
		}
	}
	if len(words) > 0 {
		says += ", and it does not say these words"
	}
	return Danger{Hearsay, says, strings.Join(words, ", ")}, lane == ByTool
}

func hides(l Lesson, raw string) (Danger, bool) {
	if i := strings.Index(raw, "<!--"); i >= 0 {
		return Danger{HiddenText, "it holds a comment, which a page would not show", raw[i:]}, true
	}
	hidden := Hidden(raw) || slices.ContainsFunc(l.Evidence, func(e Evidence) bool { return Hidden(e.Quote) })
	return Danger{HiddenText, "it held invisible or control characters, which are not shown", ""}, hidden
}

// keys match secrets with a known prefix, and assigned values.
var keys = sync.OnceValue(func() []sign {
	return []sign{
		told(`\b(?:sk-[a-z0-9_-]{16,}|[sr]k_live_[a-z0-9]{10,}|gh[pousr]_[a-z0-9]{20,}|github_pat_\w{20,}|A[KS]IA[0-9A-Z]{12,}|xox[abeprs]-[a-z0-9-]{10,}|AIza[\w-]{30,}|glpat-[\w-]{16,}|npm_[a-z0-9]{30,}|hf_[a-z0-9]{20,}|eyJ[\w-]{10,}\.[\w-]{10,}\.)|-----BEGIN [A-Z ]*PRIVATE KEY`),
		told(`\b[a-z][a-z0-9+.-]*://[^\s/@:]+:[^\s/@$<{\[]{3,}@`),
	}
})

var assigned = sync.OnceValue(func() sign {
	return told(`\b\w*(?:password|passwd|secret|api[_-]?key|access[_-]?key|token|bearer)["']?\s*(?:[:=]\s*["']?|\s)([^\s"'` + "`" + `,;)]{8,})`)
})

// redaction matches the mark left in place of a secret. Marks for names and addresses of
// people, as in every path, are not a reason to look twice.
var redaction = sync.OnceValue(func() sign { return told(`\[REDACTED:([a-z0-9-]+)\]`) })

func secret(text, low string) (Danger, bool) {
	if redaction().find(text, low) != "" {
		for _, m := range redaction().re().FindAllStringSubmatch(text, -1) {
			if m[1] != "user" && m[1] != "email" {
				return Danger{SecretShape, "a secret was taken out of it", m[0]}, true
			}
		}
	}
	const says = "it has the shape of a secret"
	if firstSign(keys(), text, low) != "" {
		return Danger{SecretShape, says, ""}, true // the secret is not repeated here
	}
	a := assigned()
	if a.find(text, low) == "" {
		return Danger{}, false
	}
	return Danger{SecretShape, says, ""}, slices.ContainsFunc(a.re().FindAllStringSubmatch(text, 20), func(m []string) bool { return random(m[1]) })
}

// random reports whether a value looks machine-made: letters and digits, not a path, call
// or placeholder.
func random(v string) bool {
	letter := strings.IndexFunc(v, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' })
	return letter >= 0 && strings.ContainsAny(v, "0123456789") && !strings.ContainsAny(v, "(){}<>[]$%/\\") && !strings.Contains(v, "...")
}

var (
	address = sync.OnceValue(func() sign {
		return told(`\b(?:(?:https?|ftps?|wss?|ssh|git|file)://[^\s<>"'` + "`" + `)\]]+|www\.[a-z0-9-]+\.[a-z]{2,}\S*|javascript:\S+|data:text/\S+)`)
	})
	loopback = LazyRegexp(`(?i)^[a-z]+://(?:[^/@]*@)?(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1\])(?:[:/?#]|$)`)
)

var (
	codeAddress = LazyRegexp(`(?i)^(?:javascript:|data:)`)
	// sending matches what sends something to an address.
	sending = LazyRegexp(`(?i)\b(?:send|sends|sending|post|upload|uploads|submit|forward|exfiltrate|paste|mail|beacon|leak)\b[^.!?\n]{0,80}?\b(?:to|at|into|on|via)\s+["'` + "`<(" + `]?(?:(?:https?|ftps?|wss?)://|www\.)` +
		`|\bcurl\b[^|\n]{0,200}\s(?:-d|--data[\w-]*|--json|-F|--form|-T|--upload-file|-X\s*(?:POST|PUT|PATCH)|--request[ =](?:POST|PUT|PATCH))\b|\bwget\b[^|\n]{0,200}--(?:post|body)-` +
		`|\b(?:nc|ncat|netcat|socat)\s+\S*[a-z\d]|\b(?:fetch|axios|requests|http)\.?(?:post|put)?\([^)\n]{0,120}\b(?:post|put|body|data|json)\b`)
	// running matches what runs what it gets from an address.
	running = LazyRegexp(`(?i)\b(?:curl|wget|download|fetch|get|grab|clone)\b[^!?\n]{0,40}(?:://|www\.)\S+[^!?\n]{0,80}\b(?:run|runs|execute|exec|install|source|eval|chmod|bash|sh|zsh|python\d?|node|open|start|launch)\b` +
		`|\b(?:run|execute|install|source|eval|bash|sh|npx|uvx|pipx|deno run|go run|go install|iex|pip3? install|npm (?:i|install)|cargo install|brew install|docker run)\b[^.!?\n]{0,40}(?:://|\bwww\.)`)
	// known are hosts of code and documentation. An address there may have anything in it.
	known = LazyRegexp(`(?i)^[a-z+]+://(?:[\w.-]*\.)?(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|sr\.ht|readthedocs\.(?:io|org)|go\.dev|docs\.rs|crates\.io|npmjs\.com|pypi\.org|python\.org|rust-lang\.org|mozilla\.org|` +
		`wikipedia\.org|stackoverflow\.com|stackexchange\.com|w3\.org|ietf\.org|rfc-editor\.org|kernel\.org|debian\.org)(?:[:/?#]|$)|^[a-z+]+://(?:docs?|developers?|wiki|help|support)\.`)
	piece = LazyRegexp(`[\w~+-]{16,}`)
	words = LazyRegexp(`^(?:[a-zA-Z]+|\d+|[a-z]*\d{1,4})$`)
	login = LazyRegexp(`^[a-zA-Z][\w+.-]*://[^/@:]*:[^/@]+@`)
	inGit = LazyRegexp(`/(?:commit|commits|blob|tree|raw|compare|blame)/`)
)

// withToken reports whether an address has a part that no words make up, such as the key
// of an upload or a webhook.
func withToken(address string) bool {
	if login().MatchString(address) {
		return true
	}
	if inGit().MatchString(address) {
		return false
	}
	_, path, _ := strings.Cut(address, "://")
	_, path, _ = strings.Cut(path, "/")
	for _, p := range piece().FindAllString(path, 20) {
		parts := strings.FieldsFunc(p, func(r rune) bool { return r == '-' || r == '_' })
		if random(p) && slices.ContainsFunc(parts, func(w string) bool { return !words().MatchString(w) && len(w) > 7 }) {
			return true
		}
	}
	return false
}

// link judges addresses by what is done with them: most only say where something is
// described.
func link(text, low string) (Danger, bool) {
	a := address()
	if a.find(text, low) == "" {
		return Danger{}, false
	}
	for _, found := range a.re().FindAllString(text, 20) {
		switch {
		case codeAddress().MatchString(found):
			return Danger{Link, "it holds an address that is code", found}, true
		case loopback().MatchString(found):
		case running().MatchString(text):
			return Danger{Link, "it runs what it gets from a web address", found}, true
		case sending().MatchString(text):
			return Danger{Link, "it sends something to a web address", found}, true
		case !known().MatchString(found) && withToken(found):
			return Danger{Link, "it holds a web address with a key in it", found}, true
		}
	}
	return Danger{}, false
}
