// Package compress is the screen on which a curator reviews what compression makes
// of segments: before and after beside each other, what was found, and keys to
// accept it, to reject it, or to have it otherwise.
//
// It follows the selection of the list: the segment that is selected there is the
// one whose proposal is shown, and going on to the next proposal selects its
// segment. Proposals are made by core/proposal, in commands; what is written goes
// through the program's queue of writes (Program).
package compress
