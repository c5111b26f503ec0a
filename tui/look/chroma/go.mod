// A stand-in for the module that glamour colours code with: see chroma.go.
module github.com/alecthomas/chroma/v2

go 1.26.0
