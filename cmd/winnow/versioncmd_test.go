package main

import (
	"runtime/debug"
	"testing"
)

func TestDescribeVersion(t *testing.T) {
	build := &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"},
	}}
	if v := describeVersion("", build); v.Version != "v1.2.3" || v.Revision != "abc" || !v.Modified {
		t.Errorf("from the build: %+v", v)
	}
	if v := describeVersion("v9", build); v.Version != "v9" {
		t.Errorf("the linker's word does not win: %+v", v)
	}
	if v := describeVersion("", nil); v.Version != "devel" {
		t.Errorf("without anything: %+v", v)
	}
}
