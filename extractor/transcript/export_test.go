package transcript

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
