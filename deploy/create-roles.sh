#!/bin/sh
# Once, when the container of compose.yaml lays out its database.
psql --username="$POSTGRES_USER" --dbname=postgres --set=database=causeway --set=owner_password="$OWNER_PASSWORD" \
  --set=service_password="$SERVICE_PASSWORD" --file=/create-roles.sql
