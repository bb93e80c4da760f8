package config

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Override takes settings from a list "section.key=value,section.key=value", the form of GOMPSS_CONFIG_OVERRIDE. Values are
// written as in TOML; spaces round keys and values don't count, and an empty list changes nothing. name is what errors and
// origins call the list. If anything in it is wrong nothing is taken, and the error names every key that is wrong.
func (s *Settings) Override(list, name string) error {
	if strings.TrimSpace(list) == "" {
		return nil
	}
	var given []Setting
	var errs []error
	seen := map[string]bool{}
	for i, item := range strings.Split(list, ",") {
		v, err := parseItem(item, name, i+1)
		if err == nil && seen[v.Key] {
			err = fmt.Errorf("%s: %s: given twice", name, v.Key)
		}
		seen[v.Key] = true
		given, errs = append(given, v), append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	s.put(given)
	return nil
}

// parseItem parses the nth item of a list.
func parseItem(item, name string, nth int) (Setting, error) {
	left, right, ok := strings.Cut(item, "=")
	left, right = strings.TrimSpace(left), strings.TrimSpace(right)
	if !ok || left == "" {
		return Setting{}, fmt.Errorf("%s: item %d is %s, want section.key=value", name, nth, show(strings.TrimSpace(item)))
	}
	var value any = right
	if k, ok := lookup(left); ok {
		value = k.domain.parse(right)
	} else if oneLine(left) != left || len(left) > 80 {
		left = show(left)
	}
	return newSetting(left, value, name)
}

// parseInt parses a decimal integer of TOML: an optional sign, no leading zeros, single underscores between digits.
func parseInt(text string) (int64, bool) {
	digits := strings.TrimLeft(text, "+-")
	if len(text)-len(digits) > 1 || len(digits) > 1 && (digits[0] == '0' || digits[0] == '_') ||
		strings.Contains(digits, "__") || strings.HasSuffix(digits, "_") {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 10, 64)
	return n, err == nil
}
