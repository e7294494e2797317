import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { SCHEMA_FILE } from './migration-list.ts';
import { openSchemaEngine } from './schema-engine.ts';

/** The SQL that brings a database to the state of schema.prisma; undefined if it is already in that state. */
export async function schemaDifference(url: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    using engine = await openSchemaEngine(client);
    const files = [{ path: SCHEMA_FILE, content: await readFile(SCHEMA_FILE, 'utf8') }];
    const { stdout, exitCode } = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: '' },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    });
    return exitCode === 0 ? undefined : (stdout ?? undefined);
  } finally {
    await client.end();
  }
}
