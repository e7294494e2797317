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
