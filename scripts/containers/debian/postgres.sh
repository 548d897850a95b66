#!/bin/sh
# Serves a database as the official image does: POSTGRES_USER owns it, and signs in with POSTGRES_PASSWORD.
set -eu
data=/var/lib/postgresql/data/cluster
as_postgres() { setpriv --reuid=postgres --regid=postgres --init-groups "$@"; }

mkdir -p "$data" && chown postgres: "$data"
if [ ! -e "$data/PG_VERSION" ]; then
  printf '%s' "$POSTGRES_PASSWORD" > /tmp/password && chown postgres: /tmp/password
  as_postgres initdb --pgdata="$data" --username="$POSTGRES_USER" --pwfile=/tmp/password --auth=scram-sha-256 --encoding=UTF8
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$data/pg_hba.conf"
  echo "CREATE DATABASE \"$POSTGRES_USER\"" | as_postgres postgres --single -D "$data" postgres
fi
mkdir -p /var/run/postgresql && chown postgres: /var/run/postgresql
exec setpriv --reuid=postgres --regid=postgres --init-groups postgres -D "$data" -c listen_addresses='*'
