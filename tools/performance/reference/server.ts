/*
 * The reference: the data-import interface as an experienced engineer would write it by hand in
 * a day, with Fastify, zod and pg. One transaction a request, prepared statements, multi-row inserts, tokens and supplier
 * configuration remembered for a few seconds. Same checks, rows and answers as the service for every call that is
 * measured; `bench` compares both before it measures. Left out, in the reference's favour: payment instructions, lists,
 * the report of undocumented fields, strict JSON, metrics and the record of failed attempts.
 */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { serve } from '../shared/server.ts';
import { accountCalls } from './account-calls.ts';
import { noteCalls } from './note-calls.ts';
import { statementCalls } from './statement-calls.ts';
import { statusCalls } from './status-calls.ts';
import { transactionCalls } from './transaction-calls.ts';

function addCalls(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  for (const add of [accountCalls, noteCalls, transactionCalls, statementCalls, statusCalls]) add(app);
}

await serve('Reference', addCalls, { genReqId: () => randomUUID(), requestIdHeader: 'x-request-id' });
