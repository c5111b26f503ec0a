package curate

import "context"

// A Shop is a store of another program on this machine.
type Shop struct {
	Format, Path string
	Shown        string // the path as people know it
}

// A Form is one in which some lessons alone can be written.
type Form struct {
	Name, About string
	Path        string // where a person would write it, as people know the place
	Text        bool   // it is a text, which can be copied as well
}

// A Preview is what an import or an export would do, and has not done.
type Preview struct {
	Title string
	Text  string // lines that begin with "+", "-" or "!" for what comes, goes or is lost
	Over  string // a file that is there and would be replaced as a whole; "" for none
	// Do does it and says what was done. It is nil when there is nothing to do.
	Do func(context.Context) (string, error)
}
