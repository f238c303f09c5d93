#!/bin/sh
# Loads all shards into a GraphDB repository that exists; what it holds is replaced. Usage: sh load-graphdb.sh REPOSITORY
set -eu
exec importrdf load -f -i "$1" -m parallel "$(dirname "$0")"/*.nq.gz
