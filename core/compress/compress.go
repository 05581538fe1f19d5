// Package compress brings long conversations into a budget of tokens.
package compress
