package file

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"learnings/lessons"
)

// statusFolder says where the files of a status lie. Approved ones are where Octomind
// looks; the others are in dot-folders of the same layout, which nothing injects.
var statusFolder = map[lessons.Status]string{
	lessons.Approved: "",
	lessons.Pending:  ".pending",
	lessons.Rejected: ".rejected",
	lessons.Merged:   ".merged",
	lessons.Archived: ".archived",
}

// Global is the folder of lessons for every project.
const Global = "_"

// StatusFolder gives the folder in which the lessons of a status lie; it is ""
// for the approved ones, which lie in the root of the corpus.
func StatusFolder(s lessons.Status) string { return statusFolder[s] }

// Is reports whether a path within a corpus is that of a lesson's file.
func Is(name string) bool {
	_, parts := cutStatus(name)
	for _, p := range parts {
		if p == "" || strings.HasPrefix(p, ".") {
			return false
		}
	}
	want := 3
	if parts[0] == Global {
		want = 2
	}
	return strings.HasSuffix(name, ".md") && len(parts) == want
}

// cutStatus splits a path, and takes the folder of a status off it.
func cutStatus(name string) (lessons.Status, []string) {
	parts := strings.Split(name, "/")
	for s, f := range statusFolder {
		if f != "" && parts[0] == f && len(parts) > 1 {
			return s, parts[1:]
		}
	}
	return lessons.Approved, parts
}

// Name gives the n-th path, from 1, that a lesson's file may have within the
// corpus, with slashes. A lesson goes to the first that is free.
func Name(l lessons.Lesson, n int) string {
	if n > 1 {
		return fmt.Sprintf("%s/%s-%d.md", folder(l), Stem(l), n)
	}
	return folder(l) + "/" + Stem(l) + ".md"
}

// Named reports whether a path is one that [Name] gives for the lesson.
func Named(l lessons.Lesson, name string) bool {
	return path.Dir(name) == folder(l) && strings.HasSuffix(name, ".md") && fits(path.Base(name), Stem(l))
}

// folder gives the folder of a lesson within the corpus, with slashes.
func folder(l lessons.Lesson) string {
	if l.Scope.Global {
		return path.Join(statusFolder[l.Status], Global)
	}
	role, _, _ := strings.Cut(utf8Text(l.Scope.Role), ":")
	return path.Join(statusFolder[l.Status], folderName(utf8Text(l.Scope.Project)), folderName(role))
}

// placeOf reads a file's path.
func placeOf(p string) place {
	at := place{path: p}
	var parts []string
	at.status, parts = cutStatus(p)
	switch {
	case len(parts) == 2 && parts[0] == Global:
		at.scope.Global = true
	case len(parts) == 3:
		at.scope.Project, at.scope.Role = nameOfFolder(parts[0]), nameOfFolder(parts[1])
	}
	return at
}

// Stem gives the name that Octomind computes for a lesson, which is the only way it
// can find or delete it: the first 14 digits of the date, a hyphen, and at most 40
// letters and digits of the content.
func Stem(l lessons.Lesson) string {
	var slug []rune
	for _, r := range l.Content {
		switch {
		case r == ' ' || r == '_' || r == '-':
			r = '-'
		case r >= 'A' && r <= 'Z':
			r += 'a' - 'A'
		case !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.Is(unicode.Other_Alphabetic, r):
			continue
		}
		if slug = append(slug, r); len(slug) == 40 {
			break
		}
	}
	name := stamp14(normalTime(l.Created))
	if s := strings.TrimRight(string(slug), "-"); s != "" {
		name += "-" + s
	}
	return name
}

func stamp14(t time.Time) string { return t.UTC().Format("20060102150405") }

// fits reports whether a file's name is the stem, with or without the number that a
// collision added.
func fits(name, stem string) bool {
	rest, ok := strings.CutPrefix(strings.TrimSuffix(name, ".md"), stem)
	return ok && (rest == "" || strings.HasPrefix(rest, "-") && digits(rest[1:]))
}

// maxName is the longest name of a folder, in bytes: file systems allow 255, and
// Windows 260 for a whole path.
const maxName = 80

// folderName gives a name that every file system takes for one folder inside its
// parent. Plain names stay as they are, as in Octomind; other bytes are written as
// %XX. A name that is too long is cut and ends in a hash.
func folderName(s string) string {
	if s == "" {
		return "%"
	}
	var b strings.Builder
	for i, r := range s {
		n := utf8.RuneLen(r)
		if r == utf8.RuneError {
			_, n = utf8.DecodeRuneInString(s[i:])
		}
		c := s[i : i+n]
		edge := i == 0 && (r == '.' || r == ' ') || i+n == len(s) && (r == '.' || r == ' ')
		switch {
		case edge, strings.ContainsRune(`%/\:*?"<>|`, r), r == utf8.RuneError, !unicode.IsPrint(r):
			for _, x := range []byte(c) {
				fmt.Fprintf(&b, "%%%02X", x)
			}
		default:
			b.WriteString(c)
		}
	}
	name := b.String()
	if name == Global || reserved(name) {
		name = fmt.Sprintf("%%%02X", name[0]) + name[1:]
	}
	if len(name) > maxName {
		sum := sha256.Sum256([]byte(s))
		cut := name[:maxName-18]
		for !utf8.ValidString(cut) {
			cut = cut[:len(cut)-1]
		}
		return cut + "%~" + hex.EncodeToString(sum[:8])
	}
	return name
}

// nameOfFolder undoes folderName, as far as that is possible.
func nameOfFolder(name string) string {
	if name == "%" {
		return ""
	}
	var b []byte
	for i := 0; i < len(name); i++ {
		if name[i] == '%' && i+2 < len(name) {
			if x, err := hex.DecodeString(name[i+1 : i+3]); err == nil {
				b = append(b, x[0])
				i += 2
				continue
			}
		}
		b = append(b, name[i])
	}
	return string(b)
}

// reserved reports whether Windows reserves a name for a device, with any extension.
func reserved(name string) bool {
	base, _, _ := strings.Cut(strings.ToLower(name), ".")
	base = strings.TrimRight(base, " ")
	if slices.Contains([]string{"con", "prn", "aux", "nul", "conin$", "conout$"}, base) {
		return true
	}
	rest, ok := strings.CutPrefix(base, "com")
	if !ok {
		rest, ok = strings.CutPrefix(base, "lpt")
	}
	return ok && (len(rest) == 1 && rest >= "0" && rest <= "9" || rest == "¹" || rest == "²" || rest == "³")
}
