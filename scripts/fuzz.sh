#!/bin/sh
# fuzz.sh SECONDS [BUDGET]: runs every fuzz test of the module for SECONDS each, and fewer where all of them together would
# exceed BUDGET; at least one second each.
set -eu
cd "$(dirname "$0")/.."
: "${GO:=go}"
seconds=$1 budget=${2:-0}

# go test -list prints the names of a package's fuzz tests and then a line "ok <package> <time>".
targets=$("$GO" test -list '^Fuzz' ./... | awk '/^Fuzz/ { n[++k] = $1 } /^ok/ { for (i = 1; i <= k; i++) print $2, n[i]; k = 0 }')
count=$(printf '%s\n' "$targets" | grep -c . || true)
if [ "$count" -gt 0 ] && [ "$budget" -gt 0 ] && [ $((seconds * count)) -gt "$budget" ]; then
	seconds=$((budget / count))
	[ "$seconds" -gt 0 ] || seconds=1
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
printf '%s\n' "$targets" | while read -r package name; do
	[ -n "$name" ] || continue
	"$GO" test -run '^$' -fuzz "^$name\$" -fuzztime "${seconds}s" "$package" >"$log" 2>&1 || { cat "$log"; exit 1; }
	printf 'ok  \t%s %s, %ss\n' "$package" "$name" "$seconds"
done
