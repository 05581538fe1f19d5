package proposals

import (
	"testing"
	"time"

	"winnow/core/chat"
	"winnow/core/compress"
	"winnow/core/proposal"
)

// whole is a proposal with something in every field.
func whole() proposal.Proposal {
	at := time.Date(2026, 11, 3, 4, 5, 6, 7000, time.UTC)
	return proposal.Proposal{
		Segment: "s", Content: chat.Digest{Fingerprint: "f", Detail: "d", Edited: "e"}, Sum: "5f", Status: proposal.Accepted,
		Outcome: compress.Compressed, Reason: "why", Target: 1, Summary: 2,
		Layers: [][]compress.Region{{{From: 3, To: 4, Tokens: 5, Text: "six", Role: chat.User, Cleared: true, Cost: 7, Written: true}}},
		Before: 8, After: 9, Samples: 10, Dropped: 11, Over: true, Findings: []compress.Finding{{Check: "lost", N: 12, Detail: "x"}},
		Made:    compress.Made{Strategy: "llm", Form: "split", Counter: "c", Model: "m", Prompt: "p", Hindsight: true},
		Changed: true, By: "ann", At: at, Judge: "bob", Judged: at,
	}
}

// wholeText is how it is kept: what databases have must be read by later programs.
const wholeText = `{"segment":"s","content":{"Fingerprint":"f","Detail":"d","Edited":"e"},"sum":"5f","status":"","outcome":"compressed","reason":"why",` +
	`"target":1,"summary":2,"layers":[[{"from":3,"to":4,"tokens":5,"text":"six","role":"user","cleared":true,"cost":7,"written":true}]],` +
	`"before":8,"after":9,"samples":10,"dropped":11,"over":true,"findings":[{"check":"lost","n":12,"detail":"x"}],` +
	`"made":{"strategy":"llm","form":"split","counter":"c","model":"m","prompt":"p","hindsight":true},"changed":true,"by":"ann","at":"2026-11-03T04:05:06.000007Z"}`

// TestTheTextOfAProposalStays: what is kept is written and read the same way for ever.
func TestTheTextOfAProposalStays(t *testing.T) {
	p := whole()
	if text, err := said(&p); text != wholeText || err != nil {
		t.Errorf("%s, %v", text, err)
	}
	read, err := read(pack(wholeText))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := said(&read); text != wholeText || err != nil || read.Status != "" || read.Judge != "" {
		t.Errorf("read: %s, %v", text, err)
	}
}

// TestWhatIsNoTextIsRefused: damaged bytes are an error, and no empty proposal.
func TestWhatIsNoTextIsRefused(t *testing.T) {
	two := chat.Compress(nil, chat.AppendMessage(chat.AppendMessage(nil, &chat.Message{Role: chat.User}), &chat.Message{Role: chat.User}))
	for _, data := range [][]byte{nil, {}, {0, 255}, pack("{"), two} {
		if p, err := read(data); err == nil {
			t.Errorf("%q is %+v", data, p)
		}
	}
	if text, err := unpack(pack("")); text != "" || err != nil {
		t.Error(text, err)
	}
}

// TestCodesOfStatuses: each has one, and comes back from it.
func TestCodesOfStatuses(t *testing.T) {
	for i, s := range proposal.Statuses {
		if code := Code(s); code != int64(i+1) || string(Compression(code)) != string(s) {
			t.Error(s, code)
		}
	}
	if Code("fine") != 0 || Compression(0) != "" || Compression(7) != "" || Compression(outdated) != "stale" {
		t.Error("what is none")
	}
}
