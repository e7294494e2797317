import { type Database, describeDatabase } from '@causeway/db';
import { buildInfo } from '../build-info.ts';
import type { Environment } from '../env.ts';

/**
 * What an operator asks first of an instance: which version, on which versions of what it needs, with which settings.
 */
export async function describeStart({ settings }: Environment, database: Database): Promise<Record<string, unknown>> {
  const { version, commit } = buildInfo;
  return { version, commit, node: process.versions.node, ...(await describeDatabase(database)), settings };
}
