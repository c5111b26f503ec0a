package gitsync

// A Report says what a sync did, or would do.
type Report struct {
	Branch    string     `json:"branch"`
	Remote    string     `json:"remote,omitempty"` // its address, without a password
	DryRun    bool       `json:"dry_run,omitempty"`
	Committed Tally      `json:"committed"`          // what was decided here
	Received  Tally      `json:"received"`           // what the corpus took over
	Awaiting  []Awaiting `json:"awaiting,omitempty"` // approvals of others, which arrived as proposals
	Settled   []Settled  `json:"settled,omitempty"`  // lessons that both copies had changed
	Pushed    int        `json:"pushed"`             // commits
	Held      []Held     `json:"held,omitempty"`     // unreadable lesson files, left unchanged and not sent
	Left      []string   `json:"left,omitempty"`     // files of others, which are not committed
	Notes     []string   `json:"notes,omitempty"`
	Squashed  bool       `json:"squashed,omitempty"` // what was not pushed yet became one commit
}

// A Held is a file that a sync does not touch.
type Held struct {
	Path string `json:"path"`
	Line int    `json:"line,omitempty"`
	Why  string `json:"why"`
}

// A Wish is what a person may ask of a sync.
type Wish struct {
	DryRun  bool // fetch, and say what would be done
	Redact  bool // take secrets out of lessons, and out of what was not pushed yet
	Rejoin  bool // accept that the history of the remote was rewritten
	Removal bool // accept that many lessons are gone, here or at the remote

	Programs bool // let git run the programs that the repository's own settings name, from now on
}

// A Status compares a copy with its remote, as far as this machine knows.
type Status struct {
	Branch  string   `json:"branch"`
	Remote  string   `json:"remote,omitempty"`
	Changed Tally    `json:"changed"`        // decided here and not committed
	Ahead   int      `json:"ahead"`          // commits that the remote lacks
	Behind  int      `json:"behind"`         // commits of the remote that are not here, as last fetched
	Held    []Held   `json:"held,omitempty"` // see Report
	Left    []string `json:"left,omitempty"`
	Problem string   `json:"problem,omitempty"` // why a sync would stop
	Hint    string   `json:"hint,omitempty"`
}
