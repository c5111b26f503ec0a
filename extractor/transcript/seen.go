package transcript

import (
	"hash/maphash"
	"sync"
)

// A Seen remembers records by their uuid, across files: agents copy the
// records of a resumed or forked session into the new session's file and keep
// their uuids. Which of two copies counts as the first is up to the order in
// which the files are read. It keeps no uuid, only 64-bit hashes of them, so a
// record is taken for a copy by mistake about once in 10^19/n. It may be used by
// several goroutines. The zero value is empty and ready.
type Seen struct {
	mu       sync.Mutex
	seed     maphash.Seed
	first    map[uint64]uint32 // hash of a uuid to index of the session
	sessions []string
	index    map[string]uint32
}

// Add remembers a record of a session. When the uuid was there already it
// returns the session that had it first, and true.
func (s *Seen) Add(uuid, session string) (first string, again bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.first == nil {
		s.seed = maphash.MakeSeed()
		s.first = make(map[uint64]uint32)
		s.index = make(map[string]uint32)
	}
	h := maphash.String(s.seed, uuid)
	if i, ok := s.first[h]; ok {
		return s.sessions[i], true
	}
	i, ok := s.index[session]
	if !ok {
		i = uint32(len(s.sessions))
		s.sessions = append(s.sessions, session)
		s.index[session] = i
	}
	s.first[h] = i
	return "", false
}
