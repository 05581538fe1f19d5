//go:build race || !whole

package pipeline_test

// slower is by how much tests of many sizes shrink.
const slower = 5
