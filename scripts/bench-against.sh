#!/bin/sh
# What the micro benchmarks cost in this tree and at an earlier commit, in one run: make bench-regions.
#
#	scripts/bench-against.sh COMMIT [PATTERN [ROUNDS]]
#
# Both are built, and run in turns on one slot, so that what disturbs the machine disturbs both. Prints the least and the
# median of nanoseconds per task and their ratios; where valgrind is installed, also instructions per task, which do not
# depend on what else the machine does.
set -eu
cd "$(dirname "$0")/.."
: "${GO:=go}"
commit=$1
pattern=${2:-M[1234]}
rounds=${3:-15}

tmp=$(mktemp -d)
trap 'git worktree remove --force "$tmp/tree" 2>/dev/null || true; rm -rf "$tmp"' EXIT INT TERM
git worktree add --quiet --detach "$tmp/tree" "$commit"
(cd "$tmp/tree" && "$GO" test -c -o "$tmp/then" ./bench)
"$GO" test -c -o "$tmp/now" ./bench

# bench BINARY PATTERN TIMES [PREFIX…]
bench() {
	binary=$1 of=$2 times=$3
	shift 3
	"$@" "$tmp/$binary" -test.run '^$' -test.bench "Micro/$of/workers=1" -test.benchtime "${times}x"
}

round=0
while [ "$round" -lt "$rounds" ]; do
	for binary in then now; do
		bench "$binary" "$pattern" 2 |
			awk -v b="$binary" '/ns\/task/ { split($1, name, "/"); for (i = 2; i <= NF; i++) if ($i == "ns/task") print name[2], b, $(i - 1) }'
	done
	round=$((round + 1))
done | sort -k1,2 -k3,3n | awk -v rounds="$rounds" '
	{ n[$1, $2]++; v[$1, $2, n[$1, $2]] = $3; names[$1] = 1 }
	END {
		printf "%-4s %18s %18s %8s   %s\n", "", "'"$commit"'", "now", "ratio", "ns/task"
		m = int((rounds + 1) / 2)
		for (p in names) {
			printf "%-4s %18.1f %18.1f %8.3f   least\n", p, v[p, "then", 1], v[p, "now", 1], v[p, "now", 1] / v[p, "then", 1]
			printf "%-4s %18.1f %18.1f %8.3f   median\n", p, v[p, "then", m], v[p, "now", m], v[p, "now", m] / v[p, "then", m]
		}
	}' | { read -r head; echo "$head"; sort; }

command -v valgrind >/dev/null 2>&1 || exit 0
# Instructions of 3 executions less those of 1: what is left is 2 executions.
count() {
	GOGC=off bench "$1" "$2" "$3" valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null 2>&1 |
		awk '/I +refs:/ { gsub(",", "", $NF); print $NF }'
}
for p in M1 M2 M3 M4; do
	case $p in M4) tasks=655360 ;; *) tasks=1000000 ;; esac
	then=$(($(count then $p 3) - $(count then $p 1)))
	now=$(($(count now $p 3) - $(count now $p 1)))
	awk -v p=$p -v a=$then -v b=$now -v n=$((2 * tasks)) 'BEGIN { printf "%-4s %18.1f %18.1f %8.3f   instructions\n", p, a / n, b / n, b / a }'
done
