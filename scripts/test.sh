#!/bin/sh
# All that a change must pass, from fast to slow: make test.
#
# Stops at the first step that fails. What cannot run here is skipped and counted in the closing line; with CI set, that
# is a failure too. FUZZ_BUDGET is the number of seconds for fuzzing in total.
set -eu
cd "$(dirname "$0")/.."
: "${GO:=go}" "${FUZZ_BUDGET:=60}"

SKIPS=$(mktemp)
export GO SKIPS
trap 'rm -f "$SKIPS"' EXIT

step() { printf '\n== %s\n' "$*"; }
skip() { printf 'skipped: %s\n' "$*" | tee -a "$SKIPS"; }

# Debian packages that the tests need, and the command that shows that each is there.
have() { command -v "$1" >/dev/null 2>&1; }
packages=''
have gcc || packages='gcc libc6-dev' # the race detector links with it

if [ -n "$packages" ] && [ "$(id -u)" = 0 ] && have apt-get; then
	step "apt-get install $packages"
	# shellcheck disable=SC2086
	apt-get install -y --no-install-recommends $packages >/dev/null ||
		{ apt-get update -q && apt-get install -y --no-install-recommends $packages; } >/dev/null || true
fi

step gofmt
unformatted=$(gofmt -l .)
[ -z "$unformatted" ] || { printf 'run make fmt:\n%s\n' "$unformatted"; exit 1; }

step go vet
"$GO" vet ./...

step rules
"$GO" run ./scripts/gotest -count=1 ./internal/lint ./internal/importlaw

step builds
CGO_ENABLED=0 "$GO" build ./...
for arch in arm64 386; do
	CGO_ENABLED=0 GOOS=linux GOARCH=$arch "$GO" build ./...
done
echo "ok  	without cgo; linux/arm64; linux/386"

step tests
"$GO" run ./scripts/gotest ./...

if [ -d examples ]; then
	step examples
	"$GO" run ./scripts/gotest -count=1 ./examples/...
fi

step tests under the race detector
if have gcc; then
	CGO_ENABLED=1 "$GO" run ./scripts/gotest -race ./...
else
	skip "race detector: no gcc"
fi

step fuzzing
scripts/fuzz.sh 3 "$FUZZ_BUDGET"

skipped=$(sort -u "$SKIPS" | wc -l | tr -d ' ')
echo
if [ "$skipped" = 0 ]; then
	echo "make test: all passed, none skipped"
	exit
fi
sort -u "$SKIPS"
if [ -n "${CI:-}" ]; then
	echo "make test: FAILED, $skipped skipped (listed above), which CI does not accept"
	exit 1
fi
echo "make test: all others passed, $skipped skipped (listed above)"
