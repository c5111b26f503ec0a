package transcript

import (
	"io"
	"iter"
)

// Find finds files of which nothing is known.
func Find(places Places) iter.Seq2[File, error] { return FindKnown(places, nil) }

// Read returns the turns of a whole session.
func Read(r io.Reader, f Format) iter.Seq2[Turn, error] {
	return NewReader(r, f, Options{}).Turns()
}

// PlacesOn is DefaultPlaces on another system.
func PlacesOn(goos, home string, env func(string) string) Places {
	return placesOn(host{home, goos, env})
}

// Formats are the names in the table, each once.
func Formats() (out []Format) {
	seen := map[Format]bool{}
	for _, f := range forms {
		if !seen[f.name] {
			out = append(out, f.name)
		}
		seen[f.name] = true
	}
	return out
}

// NotReadOn is NotRead on another system.
func NotReadOn(goos, home string, env func(string) string) []Unread {
	h := host{home, goos, env}
	return append(NotRead(placesOn(h), nil), elsewhereOn(h)...)
}
