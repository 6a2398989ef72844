#!/usr/bin/env bash
# Writes the table of docs/user/settings.md anew from what the built command says.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
page=docs/user/settings.md
table=$("${TIGHTWIRE_BUILD:-build}/bin/tightwire" settings --markdown)
new=$(sed '/^<!-- begin: /q' "$page" && echo "$table" && sed -n '/^<!-- end -->/,$p' "$page")
echo "$new" >"$page"
