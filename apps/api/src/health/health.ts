import { setTimeout as delay } from 'node:timers/promises';
import { type Database, notWritable, pendingMigrations } from '@causeway/db';
import { Router } from 'express';

/** Whether the service should get traffic; if not, the reasons, in sentences for an operator. */
export interface Readiness {
  problems(): Promise<string[]>;
}

/**
 * `GET /healthz`: the process is alive. `GET /readyz`: the database answers, accepts writes and is migrated, and the
 * service is not stopping.
 */
export function createHealthRouter(readiness: Readiness): Router {
  const router = Router();
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'alive' });
  });
  router.get('/readyz', async (_request, response) => {
    const problems = await readiness.problems();
    response.status(problems.length === 0 ? 200 : 503);
    response.json(problems.length === 0 ? { status: 'ready' } : { status: 'not_ready', problems });
  });
  return router;
}

export interface StoppableReadiness extends Readiness {
  /** The service is not ready from now on. */
  stop(): void;
}

const PATIENCE_MS = 2_000;
const SILENT = ['the database does not answer'];

/**
 * A service is ready while its database answers within 2 seconds, accepts writes and lacks no migration, until it is
 * stopped. One query at a time: probes of a database that hangs must not use up its connections.
 */
export function createReadiness(database: Database): StoppableReadiness {
  let stopping = false;
  let asking: Promise<string[]> | undefined;
  const ask = () => {
    asking ??= databaseProblems(database).finally(() => {
      asking = undefined;
    });
    return asking;
  };
  return {
    async problems() {
      return stopping ? ['the service is stopping'] : Promise.race([ask(), delay(PATIENCE_MS, SILENT, { ref: false })]);
    },
    stop() {
      stopping = true;
    },
  };
}

async function databaseProblems(database: Database): Promise<string[]> {
  try {
    const obstacle = await notWritable(database);
    const pending = await pendingMigrations(database);
    return [obstacle ?? [], pending.map((name) => `migration ${name} is not applied`)].flat();
  } catch {
    return SILENT;
  }
}
