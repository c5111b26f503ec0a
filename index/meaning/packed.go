package meaning

import (
	"encoding/binary"
	"errors"
	"math"
)

// ofNorm is how many bytes the square of its length takes before a packed vector.
const ofNorm = 4

// Whole reports that bytes are what [Table.Lesson] of the built-in table may have made.
func Whole(vectors []byte) bool {
	t := Words()
	return t == nil || len(vectors)%t.dim == 0 && len(vectors) <= most*t.dim
}

// Pack makes of what [Table.Lesson] has made a form that is measured in half of the time:
// before each vector stands the square of its length.
func Pack(vectors []byte) ([]byte, error) {
	t := Words()
	if t == nil || !Whole(vectors) {
		return nil, errors.New("the vectors of a lesson are broken")
	}
	out := make([]byte, 0, len(vectors)/t.dim*(t.dim+ofNorm))
	for ; len(vectors) > 0; vectors = vectors[t.dim:] {
		own := 0
		for _, x := range vectors[:t.dim] {
			own += int(int8(x)) * int(int8(x))
		}
		out = binary.LittleEndian.AppendUint32(out, uint32(own))
		out = append(out, vectors[:t.dim]...)
	}
	return out, nil
}

// NearPacked gives a function for what [Vector.Near] says of the vectors that are packed of
// a lesson. It is not ok when that is broken, or made with another
// table. Any number of goroutines may call it.
func (v Vector) NearPacked() func(packed []byte) (near float64, ok bool) {
	t := Words()
	square := 0
	for _, x := range v {
		square += int(x) * int(x)
	}
	return func(packed []byte) (near float64, ok bool) {
		if t == nil || packed == nil || len(packed)%(t.dim+ofNorm) != 0 || len(v) != 0 && len(v) != t.dim {
			return 0, false
		}
		if len(v) == 0 {
			return 0, true
		}
		// The cosines are compared as squares, in whole numbers, and the best is worked out.
		var both, own uint64 = 0, 1
		for ; len(packed) > 0; packed = packed[ofNorm+len(v):] {
			b := dot(v, packed[ofNorm:ofNorm+len(v)])
			o := uint64(binary.LittleEndian.Uint32(packed))
			if b > 0 && uint64(b)*uint64(b)*own > both*both*o {
				both, own = uint64(b), o
			}
		}
		if both == 0 {
			return 0, true
		}
		return min(float64(both)/math.Sqrt(float64(square)*float64(own)), 1), true
	}
}

// dot is the product with a vector of the same length, eight numbers at a time.
func dot[bytes []byte | string](v Vector, w bytes) int64 {
	var a, b int32
	for len(v) >= 8 && len(w) >= 8 {
		x, y := v[:8], w[:8]
		a += int32(x[0])*int32(int8(y[0])) + int32(x[1])*int32(int8(y[1])) + int32(x[2])*int32(int8(y[2])) + int32(x[3])*int32(int8(y[3]))
		b += int32(x[4])*int32(int8(y[4])) + int32(x[5])*int32(int8(y[5])) + int32(x[6])*int32(int8(y[6])) + int32(x[7])*int32(int8(y[7]))
		v, w = v[8:], w[8:]
	}
	sum := int64(a) + int64(b)
	for i, x := range v {
		sum += int64(x) * int64(int8(w[i]))
	}
	return sum
}
