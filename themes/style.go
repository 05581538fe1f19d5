package themes

import (
	"errors"
	"fmt"
	"image/color"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
)

// attributes are the words of a role that are no colours.
var attributes = map[string]func(lipgloss.Style) lipgloss.Style{
	"bold":      func(s lipgloss.Style) lipgloss.Style { return s.Bold(true) },
	"italic":    func(s lipgloss.Style) lipgloss.Style { return s.Italic(true) },
	"underline": func(s lipgloss.Style) lipgloss.Style { return s.Underline(true) },
	"reverse":   func(s lipgloss.Style) lipgloss.Style { return s.Reverse(true) },
	"faint":     func(s lipgloss.Style) lipgloss.Style { return s.Faint(true) },
}

// parseStyle reads a role such as "bold #ffcc00 on #333".
func parseStyle(spec string) (lipgloss.Style, error) {
	style := lipgloss.NewStyle()
	words := strings.Fields(spec)
	for i := 0; i < len(words); i++ {
		if with, ok := attributes[words[i]]; ok {
			style = with(style)
			continue
		}
		background := words[i] == "on"
		if background {
			if i++; i == len(words) {
				return style, errors.New(`a colour is missing behind "on"`)
			}
		}
		c, err := parseColor(words[i])
		if err != nil {
			return style, err
		}
		if background {
			style = style.Background(c)
		} else {
			style = style.Foreground(c)
		}
	}
	return style, nil
}

// parseColor reads #rgb, #rrggbb or 0 to 255.
func parseColor(word string) (color.Color, error) {
	if hex, ok := strings.CutPrefix(word, "#"); ok {
		if _, err := strconv.ParseUint(hex, 16, 32); err == nil && (len(hex) == 3 || len(hex) == 6) {
			return lipgloss.Color(word), nil
		}
	} else if n, err := strconv.ParseUint(word, 10, 8); err == nil {
		return lipgloss.Color(strconv.FormatUint(n, 10)), nil
	}
	return nil, fmt.Errorf("%q is neither a colour (#rrggbb or 0-255) nor bold, italic, underline, reverse or faint", word)
}
