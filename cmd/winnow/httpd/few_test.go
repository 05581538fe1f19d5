//go:build race || !whole

package httpd

// bombLimit is how much is taken of a bomb.
const bombLimit = 16 << 20
