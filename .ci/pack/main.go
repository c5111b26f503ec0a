// Pack makes an archive of a folder, a zip for Windows and otherwise a tar.gz. Nothing of
// the machine or the moment gets into it: the files are in the order of their names, have
// one date (SOURCE_DATE_EPOCH) and no owner.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("pack: ")
	if len(os.Args) != 3 {
		log.Fatal("usage: pack FOLDER TO")
	}
	if err := pack(os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func pack(dir, to string) error {
	epoch, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return err
	}
	when, name := time.Unix(epoch, 0).UTC(), filepath.Base(dir)
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	file, done := name+".zip", z.Close
	create := func(name string, mode fs.FileMode, _ int) (io.Writer, error) {
		h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: when}
		h.SetMode(mode)
		return z.CreateHeader(h)
	}
	if !strings.Contains(name, "-windows-") {
		g, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
		t := tar.NewWriter(g)
		file, done = name+".tar.gz", func() error { return errors.Join(t.Close(), g.Close()) }
		create = func(name string, mode fs.FileMode, size int) (io.Writer, error) {
			return t, t.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: int64(mode), Size: int64(size), ModTime: when, Format: tar.FormatUSTAR})
		}
	}
	files := os.DirFS(dir)
	err = fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error { // in lexical order
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if strings.HasPrefix(path, "learnings") {
			mode = 0o755
		}
		w, err := create(name+"/"+path, mode, len(text))
		if err == nil {
			_, err = w.Write(text)
		}
		return err
	})
	if err := errors.Join(err, done()); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, file), b.Bytes(), 0o644)
}
