package past

import (
	"slices"
	"strings"
	"sync"

	"learnings/extractor/rules"
	"learnings/extractor/transcript"
)

// A Tool is the kind of a tool call.
type Tool int

// The kinds of calls, in the order of [Record.Did].
const (
	Reads    Tool = iota // a file
	Edits                // or writes a file
	Searches             // files, by name or content
	Runs                 // a program
	Web                  // fetches or searches the web
	Asks                 // starts another agent
	Others
)

var kindNames = [...]string{"read", "edit", "search", "run", "web", "agent", "other"}

// Name returns the kind in one word, such as "read".
func (t Tool) Name() string { return kindNames[t] }

// toolNames are the names that agents give their tools, lower case without punctuation,
// for calls that name neither a file nor a command.
var toolNames = map[Tool]string{
	Reads: `read readfile readfiles readmanyfiles view viewfile open cat fsread notebookread extractlines readlines viewimage readimage getfile openfile scrolldown scrollup`,
	Edits: `edit multiedit write notebookedit writefile editfile editedexistingfile newfilecreated writetofile replaceinfile searchreplace searchandreplace replace
		strreplace strreplaceeditor strreplacebasededittool create createfile insert insertcontent applydiff applypatch patch editor texteditor batchedit fswrite fsappend deletefile undoedit`,
	Searches: `grep glob ls list listdir listdirectory listfiles listfilestoplevel listfilesrecursive find findfile findfiles searchfile searchdir searchfiles searchfilecontent grepsearch grepfiles
		filesearch globfilesearch globpath codebasesearch codesearch semanticsearch astgrep structuralsearch listcodedefinitionnames listcodeusages lsp viewsignatures rg searchtext codebaseinvestigator`,
	Runs: `bash shell exec execcommand execute executecommand executebash runcommand runcommands runterminal runterminalcmd runterminalcommand runterminalcommandv2 runshellcommand shellexec localshell powershell
		writestdin bashoutput killshell killbash readbash writebash stopbash python terminal runinterminal getterminaloutput shellcommand unifiedexec`,
	Web:  `webfetch websearch googlewebsearch fetch fetchurl fetchwebpage browser browseraction browsersearch readhtml searchweb websearchcall webreader openurl`,
	Asks: `task agent spawnagent subagent newtask delegate delegatetoagent dispatchagent runsubagent explore waitagent sendinput oracle`,
	Others: `askuserquestion askuser question skill toolsearch todowrite todoread taskcreate taskupdate tasklist taskget taskoutput taskstop updateplan enterplanmode exitplanmode
		planmoderespond attemptcompletion reportintent savememory submit think usemcptool`,
}

// names is toolNames by name.
var names = sync.OnceValue(func() map[string]Tool {
	all := make(map[string]Tool, 200)
	for t, names := range toolNames {
		for name := range strings.FieldsSeq(names) {
			all[name] = t
		}
	}
	return all
})

// searchers and fetchers are programs that search files and fetch from the web.
var (
	searchers = []string{"grep", "rg", "find", "fd", "fdfind", "ls", "tree", "ag", "ack", "egrep", "fgrep", "locate", "which", "findstr"}
	fetchers  = []string{"curl", "wget", "http", "xh"}
)

// ToolOf returns the kind of a call, by its arguments or else by the name of the tool.
func ToolOf(c *transcript.ToolCall) Tool {
	if c == nil {
		return Others
	}
	known, ok := names()[plain(c.Name)]
	switch {
	case ok && known == Edits && c.Command == "view": // an editor with subcommands
		return Reads
	case ok && known == Edits && c.Path != "":
		return Edits
	case ok && known != Runs && c.Command == "" && known != Edits:
		return known
	case rules.Edits(c):
		return Edits
	case rules.Reads(c):
		return Reads
	case c.Command != "":
		if writes(c.Command[:min(len(c.Command), 2000)]) {
			return Edits
		}
		switch program := rules.Program(c.Command); {
		case slices.Contains(searchers, program):
			return Searches
		case slices.Contains(fetchers, program):
			return Web
		}
		return Runs
	case ok:
		return known
	}
	return guess(plain(c.Name))
}

// writes reports whether a command line writes a file whose text it contains.
func writes(command string) bool {
	return strings.Contains(command, "sed -i") || strings.Contains(command, "patch -p") || strings.Contains(command, "| tee ") ||
		strings.Contains(command, "<<") && (strings.HasPrefix(command, "cat >") || strings.Contains(command, " cat >") || strings.HasPrefix(command, "cat <<") && strings.Contains(command, "> "))
}

// guess judges by parts of an unlisted name, such as one of an MCP server.
func guess(name string) Tool {
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(name, p) })
	}
	switch {
	case has("readfile", "readmultiplefiles", "readtextfile", "viewfile"):
		return Reads
	case has("writefile", "editfile", "replacein", "createfile", "applypatch"):
		return Edits
	case has("searchfile", "listdirectory", "directorytree", "grep", "glob", "codesearch", "findfile"):
		return Searches
	case has("browser", "webfetch", "websearch", "fetchurl", "playwright", "puppeteer", "navigate", "deepwiki", "context7"):
		return Web
	case has("subagent", "spawnagent"):
		return Asks
	case has("bash", "shell", "terminal", "runcommand", "execcommand", "executecommand"):
		return Runs
	}
	return Others
}

// plain returns a name in lower case, without punctuation, at most as long as names
// are.
func plain(name string) string {
	const most = 120
	b := make([]byte, 0, min(len(name), most))
	for i := 0; i < len(name) && len(b) < most; i++ {
		switch c := name[i]; {
		case c >= 'A' && c <= 'Z':
			b = append(b, c+'a'-'A')
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c >= 0x80:
			b = append(b, c)
		}
	}
	return string(b)
}
