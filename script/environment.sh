# Read by the other scripts: where the checkout is, how to speak, how to stop.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export ROOT

# Parts that no package of ours contains: libduckdb, htmx, ECharts. The server looks here too.
SHARE=${FOOTFALL_SHARE:-$ROOT/share/footfall}

# Debug output, virtual environments and scratch of the scripts; ignored by git.
WORK=$ROOT/.footfall

# Flags that a release would not need but a change must pass. They live here, not in the manifests,
# so that an app that uses the SDK is never stopped by a warning of a newer compiler.
STRICT=(-Xswiftc -warnings-as-errors --explicit-target-dependency-import-check error)

say() { printf '%s\n' "$*"; }

# Prints what is wrong and what to do about it, and ends the script.
fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# A heading before a step, with the seconds the script has run.
step() { printf '\n== %s  (%d s)\n' "$*" "$SECONDS"; }
