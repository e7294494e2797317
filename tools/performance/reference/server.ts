/*
 * The reference: the data-import interface as an experienced engineer would write it by hand in
 * a day, with Fastify, zod and pg. One transaction a request, prepared statements, multi-row inserts, tokens and supplier
 * configuration remembered for a few seconds. Same checks, rows and answers as the service for every call that is
 * measured; `bench` compares both before it measures. Left out, in the reference's favour: payment instructions, lists,
 * the report of undocumented fields, strict JSON, metrics and the record of failed attempts.
 */
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { destination } from 'pino';
import { accountCalls } from './account-calls.ts';
import { type Actor, actorOf } from './callers.ts';
import { pool } from './database.ts';
import { noteCalls } from './note-calls.ts';
import { Refusal } from './refusals.ts';
import { statementCalls } from './statement-calls.ts';
import { statusCalls } from './status-calls.ts';
import { transactionCalls } from './transaction-calls.ts';

const { PORT = '0' } = process.env;

const app = Fastify({
  logger: { level: 'info', stream: destination({ sync: false, minLength: 4_096 }) },
  disableRequestLogging: true,
  genReqId: () => randomUUID(),
  requestIdHeader: 'x-request-id',
  routerOptions: { ignoreTrailingSlash: true },
  bodyLimit: 10 * 1024 * 1024,
});
app.decorateRequest('actor', null as unknown as Actor);
app.addHook('onRequest', async (request, reply) => {
  reply.header('x-request-id', request.id);
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

for (const addCalls of [accountCalls, noteCalls, transactionCalls, statementCalls, statusCalls]) addCalls(app);

process.stderr.write(`Reference serves at ${await app.listen({ host: '127.0.0.1', port: Number(PORT) })}\n`);
process.once('SIGTERM', async () => {
  await app.close();
  await pool.end();
  process.exit(0);
});
