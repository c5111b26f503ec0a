-- What is asked for by its name only, as JSON.
CREATE TABLE IF NOT EXISTS kept (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- lessons/given: what each session has been told, as JSON, and all that was given to any.
CREATE TABLE IF NOT EXISTS memory (session TEXT PRIMARY KEY, at INTEGER NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS given (
	n INTEGER PRIMARY KEY, at INTEGER NOT NULL, event TEXT NOT NULL, session TEXT NOT NULL, part TEXT NOT NULL, agent TEXT NOT NULL,
	project TEXT NOT NULL, lessons TEXT NOT NULL, held TEXT NOT NULL, matched TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS given_project ON given (project, at);

-- lessons/outcomes: the last reading of each transcript.
CREATE TABLE IF NOT EXISTS outcomes (session TEXT NOT NULL, file TEXT NOT NULL, at INTEGER NOT NULL, value TEXT NOT NULL, PRIMARY KEY (session, file)) WITHOUT ROWID;

-- extractor: how far each transcript was read, by the rules or by a model. A later mark has a larger n.
CREATE TABLE IF NOT EXISTS marks (
	n INTEGER PRIMARY KEY AUTOINCREMENT, reader TEXT NOT NULL, path TEXT NOT NULL, value TEXT NOT NULL, UNIQUE (reader, path));

-- extractor/live: what hooks have noted and no worker has dealt with, and how many died over it.
CREATE TABLE IF NOT EXISTS spool (n INTEGER PRIMARY KEY, tries INTEGER NOT NULL DEFAULT 0, at INTEGER NOT NULL, notice TEXT NOT NULL);

-- lessons/guard: the calls that guards have stopped.
CREATE TABLE IF NOT EXISTS stops (n INTEGER PRIMARY KEY, at INTEGER NOT NULL, lesson TEXT NOT NULL, denied INTEGER NOT NULL, session TEXT NOT NULL);

-- extractor/past: figures of the session of each transcript, and its events as deflated JSON.
CREATE TABLE IF NOT EXISTS sessions (path TEXT PRIMARY KEY, at INTEGER NOT NULL, line TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS events (path TEXT PRIMARY KEY, size INTEGER NOT NULL, at INTEGER NOT NULL, events BLOB NOT NULL);

-- lessons/store: each file of the corpus as it was last seen.
CREATE TABLE IF NOT EXISTS files (
	path TEXT PRIMARY KEY, id TEXT NOT NULL, rev TEXT NOT NULL, kind TEXT NOT NULL, size INTEGER NOT NULL, mtime INTEGER NOT NULL,
	outside INTEGER NOT NULL, fresh INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS files_id ON files (id);

-- lessons/store: the journal. A write that is not done is one that happens now, or that a crash has cut short.
CREATE TABLE IF NOT EXISTS writes (seq INTEGER PRIMARY KEY, done INTEGER NOT NULL, value TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS writes_cut ON writes (seq) WHERE NOT done;
CREATE TABLE IF NOT EXISTS steps (seq INTEGER NOT NULL, n INTEGER NOT NULL, lesson TEXT NOT NULL, value TEXT NOT NULL, UNIQUE (seq, n));
CREATE INDEX IF NOT EXISTS steps_lesson ON steps (lesson);

-- extractor/model/llm: each call of a model, with what it was for and what it cost in US dollars. One that is estimated is made now, or was given up.
CREATE TABLE IF NOT EXISTS spend (
	n INTEGER PRIMARY KEY, at INTEGER NOT NULL, run TEXT NOT NULL, model TEXT NOT NULL, what TEXT NOT NULL, read INTEGER NOT NULL DEFAULT 0,
	wrote INTEGER NOT NULL DEFAULT 0, cache_read INTEGER NOT NULL DEFAULT 0, cache_wrote INTEGER NOT NULL DEFAULT 0, usd REAL NOT NULL,
	known INTEGER NOT NULL, estimated INTEGER NOT NULL);

-- extractor/model: sums of the records of transcripts that were sent to a model.
CREATE TABLE IF NOT EXISTS sent (sum TEXT PRIMARY KEY) WITHOUT ROWID;

-- extractor/model: answers that a dry run has paid for, by their questions, for the run that stores them.
CREATE TABLE IF NOT EXISTS answers (question TEXT PRIMARY KEY, at INTEGER NOT NULL, answer TEXT NOT NULL) WITHOUT ROWID;

-- index/recall: how usual words are in what a person says, in all projects and in each, and a sample of it.
CREATE TABLE IF NOT EXISTS words (name TEXT PRIMARY KEY, text TEXT NOT NULL);
