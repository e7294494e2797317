import { Router } from 'express';

/** Whether the service should get traffic; the reasons why not, in words for an operator. */
export interface Readiness {
  problems(): Promise<string[]>;
}

/** `GET /healthz`: the process is alive. `GET /readyz`: the database answers, takes writes, is migrated, and nobody asked to stop. */
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
