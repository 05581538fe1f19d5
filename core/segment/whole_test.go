//go:build !race && whole

package segment

// cases is how many random sessions a property is tried on.
const cases = 10000

// longText is how often a unit of text repeats in long messages.
const longText = 20_000
