import { type PreparedDatabase, prepareDatabase } from '@causeway/db';
import { startEmbeddedPostgres } from '@causeway/embedded-postgres';
import { readDatabaseEnvironment } from '../database-environment.ts';
import { takeNoArguments } from '../program-arguments.ts';
import { databaseRoles } from '../start/open-migrated-database.ts';

// Does what every start does before it serves, then exits: to migrate before a new version starts. npx pnpm@12 migrate

function print(sentence: string): void {
  process.stdout.write(`${sentence}\n`);
}

async function main(): Promise<void> {
  takeNoArguments({ name: 'migrate', purpose: 'Brings the schema of the database up to date.' });
  const environment = readDatabaseEnvironment(process.env);
  let stop = async () => {};
  try {
    const roles = await databaseRoles(environment, async () => {
      const server = await startEmbeddedPostgres({ dataDirectory: environment.dataDirectory });
      stop = server.stop;
      return server.url;
    });
    tellOfTheRest(await prepareDatabase(roles, print));
    if (roles.ownerUrl === undefined) print('No role was granted rights, since DATABASE_OWNER_URL is not set.');
    print('The database is up to date.');
  } finally {
    await stop();
  }
}

/** Problems that do not prevent a service from starting: each start and each run of this program tries again. */
function tellOfTheRest({ missingIndexes, brokenConstraints }: PreparedDatabase): void {
  for (const { index, reason } of missingIndexes) {
    print(`Did not build index ${index}: ${reason}. Everything works without it, and slower.`);
  }
  for (const { constraint, table, count, keys, reason } of brokenConstraints) {
    const why = reason ?? `rows that break it: ${count}, such as ${keys.join(', ')}`;
    print(`Did not validate constraint ${constraint} of ${table}: ${why}. See docs/constraints.md.`);
  }
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
