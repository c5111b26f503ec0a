package formats

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"learnings/lessons"
)

// A Start is a file that an agent looks at when a session starts.
type Start struct {
	Path string
	Name string   // for display
	From string   // the name of the file that includes it; "" if the agent looks for it by itself
	Text string   // what the agent takes from it, byte for byte; "" if nothing
	Left []string // what it does not read, and why, in words
	Raw  string   // the file
}

// A reach is how far above a session's folder an agent looks for files.
type reach int

const (
	here   reach = iota // only there
	ends                // there and at the top of the repository
	within              // in each folder from the top of the repository down
	above               // the same, from the folder above the repository
	root                // in each folder from the root of the file system down
)

// A starter says what an agent reads at the start of a session. The first was seen in
// requests to a model, and .ci/agents compares it again; from cursor on it follows the
// agents' documentation or source.
//
// In names, "rules/**.md" stands for files in a folder and below it, "rules/*.md" for
// those in it. Of several names in one list the agent reads the first that exists.
type starter struct {
	at      agent      // its own folder
	own     [][]string // files there, or from ~ or the root
	reach   reach
	each    [][]string // files in the session's folder and those above it
	alone   [][]string // files in the session's folder
	byName  bool       // all files of a name come before those of the next
	oneName bool       // files of the first name that exists anywhere hide the others
	below   bool       // it also reads the files of a folder below the session's, once it works there

	raw     bool // it keeps white space around a text
	matter  bool // it keeps the frontmatter
	always  bool // it also reads rules that hold for some files
	comment bool // it keeps comments
	room    int  // bytes of all files but its own; 0 for any number
	most    int  // characters of a file; 0 for any number
	mostOwn int  // the same of its own files
	hops    int  // how deep files include others
	// include replaces the name of an included file, which follows an @. If nil, the file
	// comes after the one that includes it.
	include func(named, full, text string) string
	missing func(named, full string) string // replaces the name of a file that is not there; nil keeps it
	only    []string                        // files that may include others; nil for all
	loose   bool                            // names end at punctuation
}

var starters = map[string]starter{
	"claude": {
		at: agent{variable: "CLAUDE_CONFIG_DIR", folder: ".claude"}, own: [][]string{{"/etc/claude-code/CLAUDE.md"}, {"CLAUDE.md"}, {"rules/**.md"}},
		reach: root, each: [][]string{{"CLAUDE.md"}, {".claude/CLAUDE.md"}, {".claude/rules/**.md"}, {"CLAUDE.local.md"}}, hops: 4, below: true,
	},
	"codex": {
		at: agent{variable: "CODEX_HOME", folder: ".codex"}, own: [][]string{{"AGENTS.override.md", "AGENTS.md"}},
		reach: within, each: [][]string{{"AGENTS.override.md", "AGENTS.md"}}, raw: true, matter: true, comment: true, room: 32 << 10,
	},
	"gemini": {
		at: agent{folder: ".gemini"}, own: [][]string{{"GEMINI.md"}},
		reach: within, each: [][]string{{"GEMINI.md"}}, below: true, matter: true, comment: true, hops: 5, include: inComments,
		missing: func(named, full string) string {
			return fmt.Sprintf("<!-- Import failed: %s - ENOENT: no such file or directory, access '%s' -->", named, full)
		},
	},
	"qwen": {
		at: agent{variable: "QWEN_HOME", folder: ".qwen"}, own: [][]string{{"QWEN.md"}, {"output-language.md"}},
		reach: above, each: [][]string{{"QWEN.md"}, {"AGENTS.md"}}, byName: true, matter: true, comment: true, hops: 5, include: inComments,
	},
	"opencode": openCode(agent{folder: ".config/opencode"}),
	"kilo":     openCode(agent{variable: "KILO_CONFIG_DIR", folder: ".config/kilo"}, []string{".kilo/rules/*.md"}),
	"droid": {
		at: agent{folder: ".factory"}, own: [][]string{{"AGENTS.md"}},
		reach: within, each: [][]string{{"CLAUDE.md"}, {"AGENTS.md"}, {".factory/AGENTS.md"}}, below: true, raw: true, matter: true, comment: true,
	},
	"copilot": {
		at: agent{variable: "COPILOT_HOME", folder: ".copilot"}, own: [][]string{{"copilot-instructions.md"}},
		reach: ends, each: [][]string{{".github/copilot-instructions.md"}, {"AGENTS.md"}, {"CLAUDE.md"}, {"GEMINI.md"}, {".github/instructions/**.instructions.md"}, {".claude/rules/**.md"}},
		raw: true, matter: true, comment: true, hops: 10, only: []string{"AGENTS.md", "CLAUDE.md"}, loose: true, include: func(named, full, text string) string {
			return fmt.Sprintf("@%s\n\n<imported_custom_instruction source=%q>\n%s\n</imported_custom_instruction>", named, full, strings.TrimSpace(text))
		},
	},
	"cline": {
		at: agent{folder: ".cline"}, own: [][]string{{"~/Documents/Cline/Rules/*.md"}},
		each: [][]string{{".clinerules"}, {".clinerules/*.md"}, {".clinerules/*.txt"}, {"AGENTS.md"}}, always: true, comment: true,
	},
	"pi": {
		at: agent{variable: "PI_CODING_AGENT_DIR", folder: ".pi/agent"}, own: [][]string{{"AGENTS.override.md", "AGENTS.md", "AGENTS.MD", "CLAUDE.md", "CLAUDE.MD"}},
		reach: root, each: [][]string{{"AGENTS.override.md", "AGENTS.md", "AGENTS.MD", "CLAUDE.md", "CLAUDE.MD"}}, raw: true, matter: true, comment: true,
	},
	"cursor": {
		at: agent{folder: ".cursor"}, reach: within, each: [][]string{{".cursor/rules/**.mdc"}, {"AGENTS.md"}, {".cursorrules"}}, below: true, comment: true,
	},
	"windsurf": {
		at: agent{folder: ".codeium/windsurf"}, own: [][]string{{"/etc/windsurf/rules/*.md"}, {"memories/global_rules.md"}},
		reach: within, each: [][]string{{".devin/rules/*.md"}, {".windsurf/rules/*.md"}, {".windsurfrules"}, {"AGENTS.md"}}, below: true, comment: true, most: 12_000, mostOwn: 6_000,
	},
	"antigravity": {
		at: agent{folder: ".gemini"}, own: [][]string{{"GEMINI.md"}, {"AGENTS.md"}},
		reach: ends, each: [][]string{{"GEMINI.md"}, {"AGENTS.md"}, {".agents/rules/**.md"}, {".agent/rules/**.md"}}, comment: true, most: 12_000, mostOwn: 12_000,
	},
	"kiro": {
		at: agent{variable: "KIRO_HOME", folder: ".kiro"}, own: [][]string{{"steering/**.md"}},
		each: [][]string{{".kiro/steering/**.md"}, {"AGENTS.md"}}, comment: true,
	},
	"junie": {
		at: agent{folder: ".junie"}, each: [][]string{{".junie/AGENTS.md", "AGENTS.md", ".junie/guidelines.md"}}, comment: true,
	},
	"amp": {
		at: agent{folder: ".config/amp"}, own: [][]string{{"AGENTS.md"}, {"~/.config/AGENTS.md"}},
		reach: root, each: [][]string{{"AGENTS.md", "AGENT.md", "CLAUDE.md"}}, below: true, comment: true, hops: 1,
	},
	"crush": {
		at: agent{folder: ".config/crush"}, own: [][]string{{"CRUSH.md"}, {"~/.config/AGENTS.md"}}, each: [][]string{
			{".cursor/rules/**"}, {".cursorrules"}, {".github/copilot-instructions.md"}, {"AGENTS.md", "Agents.md", "agents.md"}, {"CLAUDE.local.md"}, {"CLAUDE.md"},
			{"CRUSH.local.md", "Crush.local.md", "crush.local.md"}, {"CRUSH.md", "Crush.md", "crush.md"}, {"GEMINI.md", "gemini.md"},
		}, raw: true, matter: true, always: true, comment: true,
	},
	"copilot-chat": {
		at: agent{folder: ".copilot"}, own: [][]string{{"instructions/**.instructions.md"}, {"~/.claude/CLAUDE.md"}, {"~/.claude/rules/**.md"}},
		each: [][]string{{".github/copilot-instructions.md"}, {"AGENTS.md"}, {"CLAUDE.md"}, {".claude/CLAUDE.md"}, {"CLAUDE.local.md"}, {".github/instructions/**.instructions.md"}, {".claude/rules/**.md"}}, comment: true,
	},
}

// openCode is what OpenCode reads, and what is built on it.
func openCode(at agent, alone ...[]string) starter {
	return starter{
		at: at, own: [][]string{{"AGENTS.md", "~/.claude/CLAUDE.md"}},
		reach: within, each: [][]string{{"AGENTS.md"}, {"CLAUDE.md"}, {"CONTEXT.md"}}, alone: alone, byName: true, oneName: true, below: true, raw: true, matter: true, comment: true,
	}
}

// inComments is how Gemini CLI and Qwen Code include a file.
func inComments(named, _, text string) string {
	return "<!-- Imported from: " + named + " -->\n" + text + "\n<!-- End of import from: " + named + " -->"
}

// A starting collects what one session reads.
type starting struct {
	Finder
	starter
	dir, top string
	used     int // bytes of the room
	seen     map[string]bool
	out      []Start
}

// Start returns the files that an agent, named as in setup, looks at when a session
// starts in a folder, in the agent's order; without a folder, those that it reads
// everywhere. It includes files of which it reads nothing, and says why.
func (f Finder) Start(agent, dir string) []Start {
	how, ok := starters[agent]
	if !ok {
		return nil
	}
	s := &starting{Finder: f, starter: how, dir: dir, seen: map[string]bool{}}
	var levels []string
	if filepath.IsAbs(dir) {
		levels = s.reached(dir)
	}
	own := f.folder(s.at)
	for _, names := range s.own {
		s.first(own, names, true)
	}
	s.project(levels)
	for _, names := range s.alone {
		s.first(dir, names, false)
	}
	if own != "" {
		s.memories(agent, own)
	}
	if how.below && len(levels) > 0 {
		s.later()
	}
	return s.out
}

// maxFolders is how many folders below the session's are searched for files.
const maxFolders = 2000

// later adds the files of the folders below the session's. None is read at the start.
func (s *starting) later() {
	left := maxFolders
	_ = filepath.WalkDir(s.dir, func(dir string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || !d.IsDir() || dir == s.dir:
			return nil
		case left == 0:
			s.out = append(s.out, Start{Path: s.dir, Name: s.shown(s.top, s.dir), Left: []string{fmt.Sprintf("only %d folders below it were searched for files", maxFolders)}})
			return fs.SkipAll
		case d.Name()[0] == '.' || d.Name() == "node_modules":
			return fs.SkipDir
		}
		left--
		had := len(s.out)
		for _, names := range s.each {
			if s.first(dir, names, false); s.oneName && len(s.out) > had {
				break
			}
		}
		for i := range s.out[had:] {
			f := &s.out[had+i]
			f.Left, f.Text = append([]string{"read when it works in " + s.shown(s.top, dir)}, f.Left...), ""
		}
		return nil
	})
}

// project takes the files of the session's folder and those above it.
func (s *starting) project(levels []string) {
	if !s.byName {
		for _, level := range levels {
			for _, names := range s.each {
				s.first(level, names, false)
			}
		}
		return
	}
	for _, names := range s.each {
		had := len(s.out)
		for _, level := range levels {
			s.first(level, names, false)
		}
		if s.oneName && len(s.out) > had {
			return
		}
	}
}

// reached returns the folders in which the agent looks, the topmost first.
func (s *starting) reached(dir string) []string {
	levels := s.levels(dir)
	slices.Reverse(levels)
	s.top = levels[0]
	switch s.reach {
	case here:
		return []string{dir}
	case ends:
		return slices.Compact([]string{s.top, dir})
	case above:
		return append([]string{filepath.Dir(s.top)}, levels...)
	case root:
		for at := s.top; at != filepath.Dir(at) && len(levels) < maxLevels; {
			at = filepath.Dir(at)
			levels = append([]string{at}, levels...)
		}
	}
	return levels
}

// first takes the first of some files that exists; of the agent's own, the first that has
// a text.
func (s *starting) first(dir string, names []string, own bool) {
	for _, name := range names {
		at := dir
		if rest, ok := strings.CutPrefix(name, "~/"); ok {
			at, name = s.Home, rest
		}
		if at == "" && !path.IsAbs(name) {
			continue
		}
		if folder, end, ok := strings.Cut(name, "*"); ok {
			s.folderOf(filepath.Join(at, filepath.FromSlash(folder)), strings.TrimPrefix(end, "*"), strings.HasPrefix(end, "*"))
			continue
		}
		if !path.IsAbs(name) {
			name = filepath.Join(at, filepath.FromSlash(name))
		}
		had := len(s.out)
		if s.take(name, "", s.hops, own) && (!own || len(s.out) > had) {
			return
		}
	}
}

// folderOf takes the rules of a folder.
func (s *starting) folderOf(dir, end string, below bool) {
	left := maxFiles
	filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil, left == 0:
			return fs.SkipAll
		case d.IsDir() && name != dir && !below:
			return fs.SkipDir
		case !d.IsDir() && strings.HasSuffix(name, end):
			left--
			s.take(name, "", s.hops, false)
		}
		return nil
	})
}

// take adds a file and those that it includes; false if there is none.
func (s *starting) take(name, from string, hops int, own bool) bool {
	if s.seen[name] || len(s.out) >= maxFiles {
		return false
	}
	raw, err := regular(name)
	if err == errNoFile {
		return false
	}
	s.seen[name] = true
	f := Start{Path: name, Name: s.shown(s.top, name), From: from, Raw: raw}
	if err != nil && err != errLong {
		f.Left = append(f.Left, err.Error())
		s.out = append(s.out, f)
		return true
	}
	matter, text := frontmatter(raw)
	if why := condition(name, matter, raw); why != "" && !s.always {
		f.Left, text = append(f.Left, why), ""
	}
	if s.matter && text != "" {
		text = raw
	}
	if !s.comment {
		text = withoutComments(text)
	}
	var includes []string
	if hops > 0 && (s.only == nil || slices.Contains(s.only, filepath.Base(name))) {
		text, includes = s.included(&f, text, hops, own)
	}
	if s.room > 0 && !own {
		if left := s.room - s.used; len(text) > left {
			f.Left = append(f.Left, fmt.Sprintf("its last %d bytes are not read: a project has %d KB", len(text)-left, s.room>>10))
			text = text[:left]
		}
		s.used += len(text)
	}
	most := s.most
	if own {
		most = s.mostOwn
	}
	if n := utf8.RuneCountInString(text); most > 0 && n > most {
		f.Left = append(f.Left, fmt.Sprintf("its last %d characters are not read: a file has %d", n-most, most))
		text = string([]rune(text)[:most])
	}
	if f.Text = text; !s.raw || own && s.room > 0 {
		f.Text = strings.TrimSpace(text)
	}
	if strings.TrimSpace(f.Text) != "" || len(f.Left) > 0 {
		s.out = append(s.out, f)
	}
	for _, next := range includes {
		s.take(next, f.Name, hops-1, own)
	}
	return true
}

// condition says when a rule with this frontmatter is read, if not at every start.
func condition(name, matter, raw string) string {
	of := func(key string) string {
		for line := range strings.Lines(matter) {
			if value, ok := strings.CutPrefix(line, key+":"); ok {
				return strings.Trim(strings.TrimSpace(value), `"'`)
			}
		}
		return ""
	}
	when, mode, cursor := paths(raw), cmp.Or(of("trigger"), of("inclusion")), strings.HasSuffix(name, ".mdc")
	switch {
	case of("alwaysApply") == "true", mode == "always_on", mode == "always":
		return ""
	case mode == "manual":
		return "read only when you name it"
	case len(when) > 0:
		return "read only with " + strings.Join(when, ", ")
	case mode == "model_decision", mode == "auto", cursor && of("description") != "":
		return "read only when the agent asks for it"
	case cursor && of("globs") != "":
		return "read only with " + of("globs")
	case cursor:
		return "read only when you name it"
	}
	return ""
}

var (
	// including matches the name of an included file, up to a blank that no backslash
	// precedes; includingLoosely up to punctuation.
	including        = lessons.LazyRegexp(`(?:^|\s)@(?:[^\s\\` + "`" + `]|\\.)+`)
	includingLoosely = lessons.LazyRegexp(`(?:^|[\s(])@[\w./~-]*[\w/]`)
)

// included returns a text with the files that it includes, or their paths if they come
// after it. Code includes nothing.
func (s *starting) included(f *Start, text string, hops int, own bool) (string, []string) {
	names := including()
	if s.loose {
		names = includingLoosely()
	}
	var after []string
	var out strings.Builder
	fenced := ""
	for line := range strings.Lines(text) {
		t := strings.TrimSpace(line)
		if fence := t[:min(len(t), 3)]; fence == "```" || fence == "~~~" {
			if fenced == "" {
				fenced = fence
			} else if fence == fenced {
				fenced = ""
			}
		}
		if fenced != "" || !strings.Contains(line, "@") {
			out.WriteString(line)
			continue
		}
		for i, part := range strings.Split(line, "`") {
			if i > 0 {
				out.WriteByte('`')
			}
			if i%2 == 1 {
				out.WriteString(part)
				continue
			}
			out.WriteString(names.ReplaceAllStringFunc(part, func(m string) string {
				named := m[strings.IndexByte(m, '@')+1:]
				before := strings.TrimSuffix(m, "@"+named)
				full, ok := s.resolve(f, named, own)
				switch {
				case !ok && s.missing != nil && full != "":
					return before + s.missing(named, full)
				case !ok:
				case s.include == nil:
					after = append(after, full)
				default:
					return before + s.include(named, full, s.nested(full, hops-1, own))
				}
				return m
			}))
		}
	}
	return out.String(), after
}

// nested returns the text of a file that another one includes in place.
func (s *starting) nested(name string, hops int, own bool) string {
	raw, _ := regular(name)
	if hops > 0 {
		f := Start{Path: name}
		raw, _ = s.included(&f, raw, hops, own)
	}
	return raw
}

// resolve returns the file that another one includes; false with its path if it is not
// there, and without if it must not be read.
func (s *starting) resolve(f *Start, named string, own bool) (string, bool) {
	name := s.target(f.Path, strings.ReplaceAll(named, `\ `, " "))
	if _, err := regular(name); err != nil && err != errLong {
		return name, false
	}
	base := s.top
	if s.include == nil {
		base = s.dir
	}
	if rel, err := filepath.Rel(base, name); !own && (err != nil || !filepath.IsLocal(rel)) {
		f.Left = append(f.Left, s.shown(s.top, name)+" is not included: it lies outside")
		return "", false
	}
	return name, true
}

// frontmatter splits a file after its frontmatter.
func frontmatter(text string) (matter, rest string) {
	if !strings.HasPrefix(text, "---\n") {
		return "", text
	}
	matter, rest, ok := strings.Cut(text[4:], "\n---\n")
	if !ok {
		return "", text
	}
	return matter, rest
}

// comment matches a comment and what follows it up to the next line with text.
var comment = lessons.LazyRegexp(`(?s)<!--.*?-->`)

// withoutComments removes comments that begin a line, as Claude Code does: with the lines
// that they end on, unless these hold something else. In code and lists they stay.
func withoutComments(text string) string {
	var out strings.Builder
	fenced, item := false, false
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		t := strings.TrimSpace(line)
		indent := len(line) - len(strings.TrimLeft(line, " "))
		switch {
		case strings.HasPrefix(t, "```"), strings.HasPrefix(t, "~~~"):
			fenced = !fenced
		case t != "" && indent == 0:
			item = startsBlock().MatchString(line) && t[0] != '#' && t[0] != '>'
		}
		end := strings.Index(text, "-->")
		if fenced || indent > 3 || item && indent > 0 || !strings.HasPrefix(t, "<!--") || end < 0 {
			out.WriteString(text[:len(text)-len(rest)])
			text = rest
			continue
		}
		if eol := strings.IndexByte(text[end:], '\n'); eol < 0 {
			end = len(text)
		} else {
			end += eol
		}
		token := text[:end]
		text = text[end:]
		trimmed := strings.TrimLeft(text, "\n")
		if left := comment().ReplaceAllString(token, ""); strings.TrimSpace(left) != "" {
			out.WriteString(left + text[:len(text)-len(trimmed)])
		}
		text = trimmed
	}
	return out.String()
}
