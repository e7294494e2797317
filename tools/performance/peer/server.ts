/*
 * The lean peer: what somebody would write by hand in a day instead of using Causeway. Fastify with its own JSON schemas
 * for bodies and answers, and pg: tables of its own with plain foreign keys, one prepared INSERT a table, repeats held by
 * unique keys. The same paths, bodies and answers for all calls that are measured; left out: the record of what happened,
 * limits, phone numbers and postcodes by country, rules between fields, open statement periods, and what is left out of
 * the reference.
 */
import { serve } from '../shared/server.ts';
import { accountCalls } from './account-calls.ts';
import { historyCalls } from './history-calls.ts';

const ajv = {
  customOptions: { coerceTypes: false, removeAdditional: false, discriminator: true, multipleOfPrecision: 3 },
} as const;

await serve(
  'Peer',
  (app) => {
    accountCalls(app);
    historyCalls(app);
  },
  { ajv },
);
