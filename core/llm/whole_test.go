//go:build !race && whole

package llm

// uploaded is how large the file is whose upload is measured, in MB.
const uploaded = 300
