//go:build race

package segment

// cases is how many random sessions a property is tried on.
const cases = 300
