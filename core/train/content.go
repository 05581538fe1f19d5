package train

import "winnow/core/chat"

// DetailOf names a content: all of its digest. The database puts the columns of a
// segment together in the same way.
func DetailOf(d chat.Digest) string { return d.Fingerprint + d.Detail + d.Edited }

// SampleOf is a segment as a sample of a run.
func SampleOf(d chat.Digest, segment string, split Split, model string) Sample {
	return Sample{Detail: DetailOf(d), Segment: segment, Fingerprint: d.Fingerprint, Split: split, Model: model}
}
