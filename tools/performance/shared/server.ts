import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { destination } from 'pino';
import { type Actor, actorOf } from './callers.ts';
import { pool } from './database.ts';
import { Refusal } from './refusal.ts';

/** Starts a hand-written server: one log line a request, a token with each, refusals as JSON; SIGTERM ends it. */
export async function serve(name: string, add: (app: FastifyInstance) => void, options: FastifyServerOptions = {}) {
  const app = Fastify({
    logger: { level: 'info', stream: destination({ sync: false, minLength: 4_096 }) },
    disableRequestLogging: true,
    routerOptions: { ignoreTrailingSlash: true },
    bodyLimit: 10 * 1024 * 1024,
    ...options,
  });
  app.decorateRequest('actor', null as unknown as Actor);
  add(app);
  app.addHook('onRequest', async (request) => {
    const token = /^\s*(?:(?:token|bearer)\s+)?(\S+)\s*$/i.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) throw new Refusal(401, 'not_authenticated', 'The Authorization header is missing.');
    request.actor = await actorOf(token);
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method, url, actor } = request;
    const duration_ms = reply.elapsedTime;
    request.log.info({ method, path: url, status: reply.statusCode, duration_ms, api_key_id: actor?.id }, 'request');
  });
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof Refusal) return reply.code(error.status).send(error.body);
    const { statusCode = 500, message } = error as Error & { statusCode?: number };
    if (statusCode >= 500) request.log.error(error);
    const isOurs = statusCode >= 500;
    const code = isOurs ? 'internal_error' : 'request_failed_validation';
    return reply.code(statusCode).send({ detail: isOurs ? 'Something went wrong.' : message, code, errors: [] });
  });
  const { PORT = '0' } = process.env;
  process.stderr.write(`${name} serves at ${await app.listen({ host: '127.0.0.1', port: Number(PORT) })}\n`);
  process.once('SIGTERM', async () => {
    await app.close();
    await pool.end();
    process.exit(0);
  });
}
