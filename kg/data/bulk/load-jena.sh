#!/bin/sh
# Adds all shards to a TDB2 database, which no server may have open. Usage: sh load-jena.sh DATABASE_FOLDER
set -eu
exec tdb2.tdbloader --loc "$1" "$(dirname "$0")"/*.nq.gz
