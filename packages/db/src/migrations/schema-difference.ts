import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { SCHEMA_FILE } from './migration-list.ts';
import { openSchemaEngine } from './schema-engine.ts';

/** The SQL that takes a database to what schema.prisma describes; undefined where it is there already. */
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
