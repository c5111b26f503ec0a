package transcript

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
)

// Save saves a transcript that came otherwise than in a file, for evidence has to name
// one. It makes the folder, and names the file for what it holds. What is no session of
// a known agent is [ErrNoSession].
func Save(dir string, data []byte) (path string, err error) {
	format, ok := Detect(data[:min(len(data), HeadSize)])
	if !ok {
		return "", ErrNoSession
	}
	if format == GitHub {
		if data, err = GitHubLines(data); err != nil {
			return "", err
		}
	}
	sum := sha256.Sum256(data)
	path = filepath.Join(dir, hex.EncodeToString(sum[:8])+".jsonl")
	if err = os.MkdirAll(dir, 0o700); err == nil {
		err = os.WriteFile(path, data, 0o600)
	}
	if err != nil {
		return "", fmt.Errorf("saving a transcript: %w", err)
	}
	return path, nil
}
