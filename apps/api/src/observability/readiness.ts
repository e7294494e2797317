import { type Database, pendingMigrations } from '@causeway/db';
import type { Readiness } from './health.ts';

const PATIENCE_MS = 2_000;
const SILENT = ['the database does not answer'];

/**
 * Ready is a service whose database answers within 2 seconds and lacks no migration, until it is stopped. One question
 * at a time: probes of a database that hangs must not use up its connections.
 */
export function createReadiness(database: Database): Readiness & { stop(): void } {
  let stopping = false;
  let asking: Promise<string[]> | undefined;
  const ask = () => {
    asking ??= migrationProblems(database).finally(() => {
      asking = undefined;
    });
    return asking;
  };
  return {
    async problems() {
      return stopping ? ['the service is stopping'] : Promise.race([ask(), silentAfter(PATIENCE_MS)]);
    },
    stop() {
      stopping = true;
    },
  };
}

async function migrationProblems(database: Database): Promise<string[]> {
  try {
    const pending = await pendingMigrations(database);
    return pending.map((name) => `migration ${name} is not applied`);
  } catch {
    return SILENT;
  }
}

function silentAfter(milliseconds: number): Promise<string[]> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds, SILENT).unref();
  });
}
