#!/bin/sh
# Builds QLever's index `paperkg` in this folder. Usage: sh load-qlever.sh
set -eu
cd "$(dirname "$0")"
builder=$(command -v qlever-index || command -v IndexBuilderMain)
echo '{ "num-triples-per-batch": 1000000 }' > paperkg.settings.json
zcat ./*.nq.gz | "$builder" -i paperkg -s paperkg.settings.json -F nq -f -
