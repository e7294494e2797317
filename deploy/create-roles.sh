#!/bin/sh
# Once, when the container of compose.yaml lays out its database.
psql --username="$POSTGRES_USER" --dbname=postgres --set=database=causeway --file=/create-roles.sql
