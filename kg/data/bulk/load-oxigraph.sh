#!/bin/sh
# Adds all shards to an Oxigraph store, which no server may have open. Usage: sh load-oxigraph.sh STORE_FOLDER
set -eu
exec oxigraph load --location "$1" --file "$(dirname "$0")"/*.nq.gz
