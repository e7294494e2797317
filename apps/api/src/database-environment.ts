import path from 'node:path';
import { splitHosts } from '@causeway/db';
import { z } from 'zod';
import { buildInfo } from './build-info.ts';
import { type Rule, readVariables, type Variables } from './read-variables.ts';

/** Where the database is, and its roles. */
export interface DatabaseEnvironment {
  /** Absent: the embedded PostgreSQL. */
  databaseUrl: string | undefined;
  /** Absent: `databaseUrl` migrates too. */
  databaseOwnerUrl: string | undefined;
  dataDirectory: string;
}

const REPOSITORY = path.resolve(import.meta.dirname, '../../..');

const databaseUrl = z
  .string()
  .refine((url) => splitHosts(url).length > 0, 'must be a postgresql:// address')
  .optional();

export const DatabaseVariables = z.object({
  DATABASE_URL: databaseUrl,
  DATABASE_OWNER_URL: databaseUrl,
  DATA_DIR: z.string().min(1).default(path.join(REPOSITORY, '.causeway')),
});

/** Only the variables about the database: for a program that only prepares it. */
export function readDatabaseEnvironment(variables: Variables): DatabaseEnvironment {
  return databaseEnvironment(readVariables(variables, DatabaseVariables, databaseRules));
}

export function databaseEnvironment(data: z.infer<typeof DatabaseVariables>): DatabaseEnvironment {
  return {
    databaseUrl: data.DATABASE_URL,
    databaseOwnerUrl: data.DATABASE_OWNER_URL,
    dataDirectory: path.resolve(data.DATA_DIR),
  };
}

function serverMissing(set: Variables): string[] {
  const isMissing = buildInfo.isBuilt && set.DATABASE_URL === undefined;
  const rule = 'must be set to a PostgreSQL of yours: the production build has no database server in it';
  return isMissing ? [`  DATABASE_URL ${rule}`] : [];
}

function ownerAlone(set: Variables): string[] {
  const isAlone = set.DATABASE_OWNER_URL !== undefined && set.DATABASE_URL === undefined;
  return isAlone ? ['  DATABASE_OWNER_URL must come with DATABASE_URL'] : [];
}

export const databaseRules: readonly Rule[] = [serverMissing, ownerAlone];
