/*
 * The reference: the data-import interface as an experienced engineer would write it by hand in
 * a day, with Fastify, zod and pg. One transaction a request, prepared statements, multi-row inserts, tokens and supplier
 * configuration remembered for a few seconds. Same checks, rows and answers as the service for every call that is
 * measured; `bench` compares both before it measures. Left out, in the reference's favour: payment instructions, lists,
 * the report of undocumented fields, strict JSON, metrics and the record of failed attempts.
 */
import { createHash, createSecretKey, randomInt, randomUUID } from 'node:crypto';
import Fastify, { type FastifyRequest } from 'fastify';
import { jwtVerify } from 'jose';
import { type CountryCode, isPossiblePhoneNumber } from 'libphonenumber-js';
import pg from 'pg';
import { destination } from 'pino';
import { z } from 'zod';

const { DATABASE_URL = '', TOKEN_SECRET = '', PORT = '0', DATABASE_POOL_SIZE = '20' } = process.env;
const REMEMBERED_FOR_MS = 4_000;

// What is accepted.

const text = (maximum: number) => z.string().max(maximum).regex(/\S/);
const day = z.iso.date();
const datetime = z.iso.datetime({ precision: 0 });
const upperSnake = text(64).regex(/^[A-Z][A-Z0-9_]*$/);
const postcode = z.string().regex(/^[A-Za-z0-9](?:[A-Za-z0-9 -]{0,8}[A-Za-z0-9])$/);
const supplierCode = text(64).regex(/^[A-Z0-9_-]+$/);
const accountNumber = text(128).regex(/^[^\p{Cc}\p{Cs}]*$/u);
const decimalString = z.string().regex(/^-?\d{1,11}(?:\.\d{1,2})?$/);
const readingString = z.string().regex(/^\d{1,12}(?:\.\d{1,7})?$/);
const documentPath = text(1024).regex(
  /^(?![A-Za-z][A-Za-z0-9+.-]*:)(?!.*%2[ef])(?!\/)(?!.*\/\/)(?!(?:.*\/)?\.{1,2}(?:\/|$))[^\\\p{Cc}\p{Cs}]+(?<!\/)$/iu,
);
const decimal = (limit: number, scale: number) =>
  z
    .number()
    .gt(-limit)
    .lt(limit)
    .refine((value) => Math.round(value * scale) / scale === value, 'Has too many decimal places.');
const money = decimal(1e11, 100);
const quantity = decimal(1e8, 1e7);

type Fields = Record<string, unknown>;
const period = <Schema extends z.ZodType<Fields>>(schema: Schema, from: string, to: string) =>
  schema.refine((value) => !value[from] || !value[to] || String(value[from]) <= String(value[to]), { path: [from] });

const Reading = z.object({
  register_id: text(50),
  reading_date: day,
  reading_value: readingString,
  reading_type: text(50).optional(),
});
const Meter = z
  .object({
    meter_serial_number: text(50).optional(),
    installed_on: day.optional(),
    registers: z
      .array(z.object({ register_id: text(50), number_of_digits: z.int().min(1).max(20).optional() }))
      .max(100)
      .optional(),
    transfer_readings: z.array(Reading).max(100).optional(),
    reading_history: z.array(Reading).max(100).optional(),
  })
  .refine(({ registers = [], transfer_readings = [], reading_history = [] }) => {
    const known = new Set(registers.map(({ register_id }) => register_id));
    const readings = [...transfer_readings, ...reading_history];
    return known.size === registers.length && readings.every(({ register_id }) => known.has(register_id));
  }, 'Registers must be unique, and readings must name one.');
const Agreement = period(
  z.object({ tariff_code: text(255), effective_from: day, effective_to: day.optional() }),
  'effective_from',
  'effective_to',
);
const SupplyAddress = period(
  z.object({
    supply_address1: text(255),
    supply_address2: text(255).optional(),
    supply_address3: text(255).optional(),
    supply_address4: text(255).optional(),
    supply_address5: text(255).optional(),
    supply_postcode: postcode,
    customer_at_supply_address_from_date: day,
    customer_at_supply_address_to_date: day.optional(),
    is_landlord: z.boolean().optional(),
    meter_points: z
      .array(
        z.object({
          identifier: text(50).optional(),
          supply_type: z.enum(['ELECTRICITY', 'GAS']).optional(),
          supply_start_date: day.optional(),
          mpid: text(50).optional(),
          agreements: z.array(Agreement).max(100).optional(),
          meters: z.array(Meter).max(100).optional(),
        }),
      )
      .max(100)
      .optional(),
  }),
  'customer_at_supply_address_from_date',
  'customer_at_supply_address_to_date',
);
const Customer = z
  .object({
    title: text(20).optional(),
    given_name: text(255).optional(),
    family_name: text(255).optional(),
    email: z.email().max(254).optional(),
    mobile: text(32).optional(),
    landline: text(32).optional(),
    alternative_phone_numbers: z.array(text(32)).max(100).optional(),
    date_of_birth: day.optional(),
    salutation: text(255).optional(),
    pronouns: text(50).optional(),
    deceased: z.enum(['Reported', 'Confirmed']).optional(),
    user_identifier: text(255).optional(),
    consents: z
      .array(
        z.object({
          type: text(50),
          value: z.enum(['ACCEPTED', 'REJECTED', 'UNKNOWN', 'PENDING']),
          signed_at: datetime.optional(),
        }),
      )
      .max(100)
      .optional(),
    customer_preferences: z.record(z.string().regex(/^opted_into_[a-z0-9_]{1,64}$/), z.boolean()).optional(),
    psr: z
      .array(z.object({ code: text(50), effective_from: day.optional() }))
      .max(100)
      .optional(),
  })
  .refine(({ given_name, family_name }) => given_name !== undefined || family_name !== undefined, 'Give a name.');
const PaymentSchedule = period(
  z.object({
    means: z.enum(['DD', 'CARD', 'MANUAL', 'PAYMENT_SLIP']).optional(),
    start_date: day.optional(),
    end_date: day.optional(),
    frequency: text(50).optional(),
    day_of_month: z.int().min(1).max(28).optional(),
    amount: money.min(0).optional(),
  }),
  'start_date',
  'end_date',
);
const legacyLine = text(255).optional();
const AccountPayload = z
  .object({
    import_supplier: supplierCode,
    external_account_number: accountNumber,
    account_type: z.enum(['DOMESTIC', 'BUSINESS', 'MANAGED', 'PORTFOLIO_LEAD']).default('DOMESTIC'),
    unknown_occupier: z.boolean().optional(),
    date_of_sale: day.optional(),
    sales_channel: text(50).optional(),
    sales_subchannel: text(50).optional(),
    language_preference: text(35).optional(),
    communication_preference: z.enum(['ONLINE', 'PRINT']).default('ONLINE'),
    document_accessibility: z.enum(['LARGE_PRINT', 'BRAILLE', 'SPOKEN']).optional(),
    references: z
      .array(z.object({ namespace: text(50), value: text(100) }))
      .max(100)
      .optional(),
    metadata: z
      .array(z.object({ key: text(255), value: text(1000) }))
      .max(100)
      .optional(),
    billing_name: text(510).optional(),
    billing_address1: legacyLine,
    billing_address2: legacyLine,
    billing_address3: legacyLine,
    billing_address4: legacyLine,
    billing_address5: legacyLine,
    billing_postcode: postcode.optional(),
    billing_address: z
      .object({
        country: z.string().regex(/^[A-Z]{2}$/),
        street_address: text(1000).optional(),
        locality: legacyLine,
        administrative_area: legacyLine,
        postal_code: postcode.optional(),
        delivery_point_identifier: text(50).optional(),
      })
      .optional(),
    billing_email: z.email().max(254).optional(),
    transfer_balance: decimalString.optional(),
    last_billed_to_date: day.optional(),
    customers: z.array(Customer).max(50).optional(),
    supply_addresses: z.array(SupplyAddress).max(500).optional(),
    payment_schedules: z.array(PaymentSchedule).max(100).optional(),
  })
  .refine(({ unknown_occupier, customers = [] }) => (customers.length === 0) === (unknown_occupier === true), {
    path: ['customers'],
  })
  .refine(({ customers = [] }) => {
    const identifiers = customers.flatMap(({ user_identifier }) => user_identifier ?? []);
    return new Set(identifiers).size === identifiers.length;
  })
  .refine((payload) => {
    const {
      billing_address1: line1,
      billing_address2: line2,
      billing_address3: line3,
      billing_postcode: code,
    } = payload;
    const legacy = [line1, line2, line3, payload.billing_address4, payload.billing_address5, code];
    return payload.billing_address === undefined || legacy.every((line) => line === undefined);
  });
const Note = z
  .object({
    body: text(65_536).optional(),
    document_paths: z
      .array(z.object({ document_path: documentPath }))
      .max(100)
      .optional(),
    created_at: datetime.optional(),
    is_pinned: z.boolean().optional(),
    unpin_at: datetime.optional(),
  })
  .refine(({ body, document_paths = [] }) => body !== undefined || document_paths.length > 0)
  .refine(({ is_pinned, unpin_at }) => unpin_at === undefined || is_pinned !== undefined)
  .refine(({ created_at, unpin_at }) => !unpin_at || unpin_at > (created_at ?? utcSeconds(new Date())));
const ofTransaction = { transaction_id: text(255), transaction_date: day, note: text(4096).optional() };
const signed = { amount: money.refine((amount) => amount !== 0), display_note: text(4096).optional() };
const payment = {
  amount: money.gt(0),
  reason: upperSnake.optional(),
  reference: text(255).optional(),
  payment_type: upperSnake.optional(),
};
const LineItem = period(
  z.object({
    rate_band: upperSnake.optional(),
    start_date: day,
    end_date: day,
    number_of_units: quantity,
    net_amount: money,
    price_per_unit: quantity.optional(),
    units: z.array(quantity).max(100).optional(),
  }),
  'start_date',
  'end_date',
);
const TaxItem = z.object({
  amount: money,
  tax_type: upperSnake,
  value_taxed: money,
  rate: quantity,
  unit_type: upperSnake,
});
const Transaction = z.discriminatedUnion('type', [
  z.object({ ...ofTransaction, type: z.literal('CHARGE'), ...signed, reason: upperSnake }),
  z.object({ ...ofTransaction, type: z.literal('CREDIT'), ...signed, reason: upperSnake }),
  z.object({ ...ofTransaction, type: z.literal('PAYMENT'), ...payment }),
  z.object({ ...ofTransaction, type: z.literal('REPAYMENT'), ...payment }),
  z.object({
    ...ofTransaction,
    type: z.literal('SUPPLY_CHARGE'),
    ...signed,
    product_code: text(255),
    line_items: z.array(LineItem).min(1).max(100),
    tax_items: z.array(TaxItem).max(100).optional(),
  }),
]);
const Statement = period(
  z.object({
    bill_period_from_date: day,
    bill_period_to_date: day,
    statement_id: text(255),
    issued_date: day,
    number: text(255),
    gross_amount: money,
    statement_path: documentPath.optional(),
  }),
  'bill_period_from_date',
  'bill_period_to_date',
);
const ofAccount = { import_supplier: supplierCode, external_account_number: accountNumber };
const ProcessRequest = z.object({
  import_supplier_code: supplierCode,
  external_account_number: accountNumber,
  operations_team_name: text(255),
  dry_run: z.boolean().default(false),
});
const NotesRequest = z.object({ ...ofAccount, notes: z.array(Note).min(1).max(1_000) });
const TransactionsRequest = z.object({ ...ofAccount, transactions: z.array(Transaction).min(1).max(10_000) });
const flag = z.enum(['true', 'false']).default('true');
const TransactionsQuery = z.object({ check_previously_added: flag, force_add_to_current_statement: flag });
const StatementsRequest = z.object({ ...ofAccount, statements: z.array(Statement).min(1).max(1_000) });

// How it is refused.

interface FieldError {
  detail: string;
  code: string;
  attr: string;
}

class Refusal extends Error {
  readonly status: number;
  readonly body: Fields;
  constructor(status: number, code: string, detail: string, extra: Fields = {}) {
    super(detail);
    this.status = status;
    this.body = { detail, code, errors: [], ...extra };
  }
}

function parse<Schema extends z.ZodType>(schema: Schema, input: unknown, code = 'request_failed_validation') {
  const { success, data, error } = schema.safeParse(input);
  if (success) return data;
  const errors = error.issues.map((issue) => ({
    detail: issue.message,
    code: issue.code,
    attr: issue.path.join('.'),
  }));
  throw new Refusal(400, code, 'The payload failed validation.', { errors });
}

const GB_POSTCODE = /^(?:[A-Z]{1,2}[0-9][A-Z0-9]? ?[0-9][A-Z]{2}|GIR ?0AA)$/i;

/** The rules that depend on the supplier's country and on today. */
function checkAccount(payload: z.output<typeof AccountPayload>, country: string): void {
  const today = new Date().toISOString().slice(0, 10);
  const errors: FieldError[] = [];
  const refuse = (isBad: boolean, code: string, attr: string) => {
    if (isBad) errors.push({ detail: 'Is not possible.', code, attr });
  };
  const impossible = (phone: string | undefined) =>
    phone !== undefined && !isPossiblePhoneNumber(phone, country as CountryCode);
  const foreign = (code: string | undefined) => code !== undefined && country === 'GB' && !GB_POSTCODE.test(code);
  refuse((payload.last_billed_to_date ?? '') > today, 'date_in_future', 'last_billed_to_date');
  refuse(foreign(payload.billing_postcode), 'invalid_postcode', 'billing_postcode');
  for (const [index, customer] of (payload.customers ?? []).entries()) {
    refuse(impossible(customer.mobile), 'invalid_phone_number', `customers.${index}.mobile`);
    refuse(impossible(customer.landline), 'invalid_phone_number', `customers.${index}.landline`);
    refuse((customer.date_of_birth ?? '') >= today, 'date_in_future', `customers.${index}.date_of_birth`);
    for (const [place, phone] of (customer.alternative_phone_numbers ?? []).entries()) {
      const attr = `customers.${index}.alternative_phone_numbers.${place}`;
      refuse(impossible(phone), 'invalid_phone_number', attr);
    }
  }
  for (const [index, { supply_postcode }] of (payload.supply_addresses ?? []).entries()) {
    refuse(foreign(supply_postcode), 'invalid_postcode', `supply_addresses.${index}.supply_postcode`);
  }
  if (errors.length > 0) {
    throw new Refusal(400, 'account_failed_validation', 'The payload failed validation.', { errors });
  }
}

const accountNotFound = (status: number) => new Refusal(status, 'account_not_found', 'No account has this number.');

// The database.

pg.types.setTypeParser(pg.types.builtins.DATE, (value) => value);
const pool = new pg.Pool({
  connectionString: DATABASE_URL,
  options: '-c TimeZone=UTC',
  max: Number(DATABASE_POOL_SIZE),
  statement_timeout: 30_000,
  lock_timeout: 15_000,
  idle_in_transaction_session_timeout: 10_000,
});

type Query = <Row extends Fields>(name: string, sql: string, values: unknown[]) => Promise<Row[]>;
const queryOn =
  (client: pg.Pool | pg.PoolClient): Query =>
  async <Row extends Fields>(name: string, sql: string, values: unknown[]) =>
    (await client.query<Row>({ name, text: sql, values })).rows;
const read = queryOn(pool);

async function inTransaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(queryOn(client));
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    const failed = await client.query('ROLLBACK').then(
      () => false,
      () => true,
    );
    client.release(failed);
    throw error;
  }
}

function accountImportId(supplier: string, account: string): string {
  const hash = createHash('sha256');
  for (const part of ['account_import', supplier, account]) {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(Buffer.byteLength(part));
    hash.update(length).update(part);
  }
  const digest = hash.digest();
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x80, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  return digest.toString('hex', 0, 16).replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
}

const lockKey = (id: string) => BigInt.asIntN(64, BigInt(`0x${id.replaceAll('-', '').slice(0, 16)}`)).toString();
const utcSeconds = (instant: Date) => `${instant.toISOString().slice(0, 19)}Z`;

async function audit(query: Query, request: FastifyRequest, event: { id: string; action: string; detail?: Fields }) {
  await query(
    'audit',
    `INSERT INTO audit_events (subject_id, subject, action, actor, api_key_id, request_id, detail, occurred_at)
    VALUES ($1, 'account_import', $2, $3, $4, $5, $6, $7)`,
    [event.id, event.action, request.actor.kind, request.actor.id, request.id, event.detail ?? null, new Date()],
  );
}

/** The account, locked until the transaction ends, so that two equal requests at once add once. */
async function lockAccount(query: Query, body: z.output<typeof NotesRequest> | Fields, status: number) {
  const { import_supplier, external_account_number } = body as { [Key in keyof typeof ofAccount]: string };
  const id = accountImportId(import_supplier, external_account_number);
  const [account] = await query<{ open_statement_from: string }>(
    'lock-account',
    `SELECT account.open_statement_from
    FROM accounts account JOIN account_imports import ON import.id = account.account_import_id
    WHERE account.account_import_id = $1 AND import.import_supplier_code = $2 AND import.external_account_number = $3
    FOR UPDATE OF account`,
    [id, import_supplier, external_account_number],
  );
  if (account === undefined) throw accountNotFound(status);
  return { id, ...account };
}

// Who calls, for which supplier.

interface Actor {
  kind: 'supplier' | 'staff';
  id: string;
  organisation: string | null;
}
declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor;
  }
}

/** Remembers what `find` found for a few seconds; failures are not remembered. */
function remembered<Value>(find: (key: string) => Promise<Value>): (key: string) => Promise<Value> {
  const known = new Map<string, { value: Promise<Value>; until: number }>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined && before.until > Date.now()) return before.value;
    const value = find(key);
    known.set(key, { value, until: Date.now() + REMEMBERED_FOR_MS });
    value.catch(() => known.delete(key));
    return value;
  };
}

const secret = createSecretKey(TOKEN_SECRET, 'utf8');
const unauthorised = () => new Refusal(401, 'authentication_failed', 'The token is not valid.');
const actorOf = remembered(async (token): Promise<Actor> => {
  const { payload } = await jwtVerify(token, secret, { algorithms: ['HS256'], issuer: 'causeway' }).catch(() => {
    throw unauthorised();
  });
  const [key] = await read<{ organisation_id: string | null }>(
    'api-key',
    'SELECT organisation_id FROM api_keys WHERE id = $1 AND revoked_at IS NULL',
    [payload.sub],
  );
  if (key === undefined || payload.sub === undefined) throw unauthorised();
  const { organisation_id: organisation } = key;
  return { kind: organisation === null ? 'staff' : 'supplier', id: payload.sub, organisation };
});

interface Supplier extends Fields {
  organisation_id: string;
  country: string;
}
const supplierOf = remembered(async (code): Promise<Supplier | undefined> => {
  const sql = 'SELECT organisation_id, country FROM import_suppliers WHERE code = $1';
  return (await read<Supplier>('supplier', sql, [code]))[0];
});

async function usableSupplier({ actor }: FastifyRequest, code: string, status = 400): Promise<Supplier> {
  const supplier = await supplierOf(code);
  if (supplier === undefined || (actor.kind !== 'staff' && actor.organisation !== supplier.organisation_id)) {
    throw new Refusal(status, 'import_supplier_does_not_exist', 'There is no import supplier with this code.');
  }
  return supplier;
}

async function ongoingSupplier(query: Query, code: string): Promise<{ process_concurrency_limit: number | null }> {
  const [supplier] = await query<{ status: string; process_concurrency_limit: number | null }>(
    'supplier-status',
    'SELECT status, process_concurrency_limit FROM import_suppliers WHERE code = $1',
    [code],
  );
  if (supplier?.status === 'ONGOING') return supplier;
  throw new Refusal(400, 'import_supplier_migration_not_ongoing', 'The migration of this supplier is not ongoing.');
}

/** Says why an account import is not pending; returns where it is. */
async function refuseUnlessPending(query: Query, id: string, row: { state: string; number: string } | undefined) {
  if (row === undefined) throw new Refusal(400, 'import_process_does_not_exist', 'No data is staged for this account.');
  if (row.state === 'SKIPPED')
    throw new Refusal(400, 'account_import_process_skipped', 'The account is to be skipped.');
  if (row.state !== 'COMPLETED') return;
  const sql = 'SELECT service_account_number FROM accounts WHERE account_import_id = $1';
  const [account] = await query<{ service_account_number: string }>('account-number', sql, [id]);
  throw new Refusal(400, 'account_import_process_already_imported', 'This account has already been imported.', {
    external_account_number: row.number,
    ...account,
  });
}

// The calls.

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

async function validAccount(request: FastifyRequest): Promise<z.output<typeof AccountPayload>> {
  const payload = parse(AccountPayload, request.body, 'account_failed_validation');
  const supplier = await usableSupplier(request, payload.import_supplier);
  checkAccount(payload, supplier.country);
  return payload;
}

app.post('/v1/data-import/validate-account', (request) => validAccount(request));

app.post('/v1/data-import/account-import-process/create-or-update', async (request, reply) => {
  const payload = await validAccount(request);
  const { import_supplier, external_account_number } = payload;
  const id = accountImportId(import_supplier, external_account_number);
  const first = await inTransaction(async (query) => {
    await ongoingSupplier(query, import_supplier);
    const [staged] = await query<{ times_staged: number }>(
      'stage',
      `INSERT INTO account_imports AS import
        (id, import_supplier_code, external_account_number, state, payload, staged_at, updated_at)
      VALUES ($1, $2, $3, 'STAGED', $4, $5, $5)
      ON CONFLICT (id) DO UPDATE SET state = 'STAGED', payload = excluded.payload,
        times_staged = import.times_staged + 1, last_error = NULL, failed_at = NULL, updated_at = excluded.updated_at
      WHERE import.state IN ('STAGED', 'FAILED') AND import.import_supplier_code = excluded.import_supplier_code
        AND import.external_account_number = excluded.external_account_number
      RETURNING times_staged`,
      [id, import_supplier, external_account_number, JSON.stringify(payload), new Date()],
    );
    if (staged === undefined) {
      const sql = 'SELECT state, external_account_number AS number FROM account_imports WHERE id = $1';
      const [row] = await query<{ state: string; number: string }>('state', sql, [id]);
      await refuseUnlessPending(query, id, row);
      throw new Error('An account import was not staged although it is pending');
    }
    await audit(query, request, { id, action: staged.times_staged === 1 ? 'staged' : 'staged_again' });
    return staged.times_staged === 1;
  });
  reply.code(first ? 201 : 200);
  return { import_supplier, external_account_number };
});

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const randomAccountNumber = () => `A-${Array.from({ length: 8 }, () => ALPHABET[randomInt(32)]).join('')}`;

app.post('/v1/data-import/account-import-process/process', async (request, reply) => {
  const body = parse(ProcessRequest, request.body);
  const { import_supplier_code: code, external_account_number, operations_team_name } = body;
  await usableSupplier(request, code);
  const id = accountImportId(code, external_account_number);
  const service_account_number = randomAccountNumber();
  await inTransaction(async (query) => {
    await query('process-lock', 'SELECT pg_advisory_xact_lock($1::bigint)', [lockKey(id)]);
    const { process_concurrency_limit: limit } = await ongoingSupplier(query, code);
    const [staged] = await query<{ state: string; number: string; payload: z.output<typeof AccountPayload> }>(
      'staged',
      `SELECT state, external_account_number AS number, payload FROM account_imports
      WHERE id = $1 AND import_supplier_code = $2 AND external_account_number = $3 FOR UPDATE`,
      [id, code, external_account_number],
    );
    await refuseUnlessPending(query, id, staged);
    const teamSql = 'SELECT id FROM operations_teams WHERE name = $1';
    const [team] = await query<{ id: string }>('team', teamSql, [operations_team_name]);
    if (team === undefined) {
      throw new Refusal(400, 'operations_team_name_does_not_exist', 'There is no operations team with this name.');
    }
    if (limit !== null) {
      const sql = `SELECT FROM generate_series(1, $2::int) AS slot WHERE pg_try_advisory_xact_lock(hashtext($1), slot) LIMIT 1`;
      const slots = await query('slot', sql, [code, limit]);
      if (slots.length === 0) throw new Refusal(429, 'concurrency_limit_exceeded', 'Too many accounts at once.');
    }
    if (staged !== undefined) await createAccount(query, { id, service_account_number, team: team.id }, staged.payload);
    await audit(query, request, { id, action: 'processed', detail: { service_account_number } });
    if (body.dry_run) throw new Refusal(400, 'dry_run_rolled_back', 'The account would import successfully.');
  });
  reply.code(201);
  return { service_account_number, external_account_number };
});

/** The calendar day after a day. */
function dayAfter(date: string | undefined): string | undefined {
  return date && new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

async function createAccount(
  query: Query,
  account: { id: string; service_account_number: string; team: string },
  payload: z.output<typeof AccountPayload>,
): Promise<void> {
  const now = new Date();
  const { import_supplier: _supplier, external_account_number: _number, account_type, ...rest } = payload;
  const { billing_name, billing_email, transfer_balance, last_billed_to_date, ...others } = rest;
  const { customers = [], supply_addresses = [], payment_schedules = [], ...details } = others;
  await query(
    'complete',
    `UPDATE account_imports SET state = 'COMPLETED', attempts = attempts + 1, last_error = NULL, updated_at = $2,
      completed_at = $2, service_account_number = $3 WHERE id = $1`,
    [account.id, now, account.service_account_number],
  );
  await query(
    'account',
    `INSERT INTO accounts (account_import_id, service_account_number, operations_team_id, account_type, billing_name,
      billing_email, transfer_balance, last_billed_to_date, open_statement_from, details, created_at, payload_size)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, pg_column_size(payload)
    FROM account_imports
    WHERE id = $1`,
    [
      ...[account.id, account.service_account_number, account.team, account_type, billing_name, billing_email],
      ...[transfer_balance, last_billed_to_date, dayAfter(last_billed_to_date) ?? now, details, now],
    ],
  );
  const insertAll = async (name: string, sql: string, rows: Fields[]) => {
    if (rows.length > 0) await query(name, sql, [account.id, JSON.stringify(rows)]);
  };
  await insertAll(
    'customers',
    `INSERT INTO customers (account_import_id, position, title, given_name, family_name, email, mobile, landline,
      date_of_birth, details)
    SELECT $1, record.* FROM json_to_recordset($2::json) AS record (position int, title text, given_name text,
      family_name text, email text, mobile text, landline text, date_of_birth date, details jsonb)`,
    customers.map(({ title, given_name, family_name, email, mobile, landline, date_of_birth, ...more }, position) => {
      const person = { title, given_name, family_name, email, mobile, landline, date_of_birth };
      return { position, ...person, details: more };
    }),
  );
  await insertAll(
    'supply-addresses',
    `INSERT INTO supply_addresses (account_import_id, position, supply_address1, supply_address2, supply_address3,
      supply_address4, supply_address5, supply_postcode, customer_at_supply_address_from_date,
      customer_at_supply_address_to_date, is_landlord)
    SELECT $1, record.* FROM json_to_recordset($2::json) AS record (position int, supply_address1 text,
      supply_address2 text, supply_address3 text, supply_address4 text, supply_address5 text, supply_postcode text,
      customer_at_supply_address_from_date date, customer_at_supply_address_to_date date, is_landlord boolean)`,
    supply_addresses.map(({ meter_points: _points, ...address }, position) => ({ position, ...address })),
  );
  await insertAll(
    'meter-points',
    `INSERT INTO meter_points (account_import_id, supply_address_position, position, identifier, supply_type,
      supply_start_date, mpid, agreements, meters)
    SELECT $1, record.* FROM json_to_recordset($2::json) AS record (supply_address_position int, position int,
      identifier text, supply_type text, supply_start_date date, mpid text, agreements jsonb, meters jsonb)`,
    supply_addresses.flatMap(({ meter_points = [] }, supply_address_position) =>
      meter_points.map(({ agreements = [], meters = [], ...point }, position) => {
        return { supply_address_position, position, ...point, agreements, meters };
      }),
    ),
  );
  await insertAll(
    'payment-schedules',
    `INSERT INTO payment_schedules (account_import_id, position, means, start_date, end_date, frequency, day_of_month,
      amount)
    SELECT $1, record.* FROM json_to_recordset($2::json) AS record (position int, means text, start_date date,
      end_date date, frequency text, day_of_month int, amount numeric)`,
    payment_schedules.map((schedule, position) => ({ position, ...schedule })),
  );
}

async function insertNotes(query: Query, id: string, notes: Fields[]): Promise<void> {
  if (notes.length === 0) return;
  await query(
    'notes',
    `INSERT INTO notes (account_import_id, body, document_paths, created_at, is_pinned, unpin_at)
    SELECT $1, record.* FROM json_to_recordset($2::json) AS record (body text, document_paths text[],
      created_at timestamptz, is_pinned boolean, unpin_at timestamptz)`,
    [id, JSON.stringify(notes)],
  );
}

app.post('/v1/data-import/notes/create', async (request, reply) => {
  const body = parse(NotesRequest, request.body);
  await usableSupplier(request, body.import_supplier);
  const results = await inTransaction(async (query) => {
    const { id } = await lockAccount(query, body, 404);
    const stored = await query<{ body: string | null; document_paths: string[]; created_at: Date }>(
      'known-notes',
      `SELECT body, document_paths, created_at FROM notes
      WHERE account_import_id = $1 AND (body = ANY ($2::text[]) OR body IS NULL) ORDER BY id`,
      [id, body.notes.flatMap((note) => note.body ?? [])],
    );
    const keyOf = (noteBody: string | null | undefined, paths: string[]) => JSON.stringify(noteBody ?? paths);
    const known = new Map<string, string[]>();
    const remember = (key: string, time: string) => known.set(key, [...(known.get(key) ?? []), time]);
    for (const note of stored) remember(keyOf(note.body, note.document_paths), utcSeconds(note.created_at));
    const now = utcSeconds(new Date());
    const added: Fields[] = [];
    const answers = body.notes.map((note) => {
      const document_paths = (note.document_paths ?? []).map(({ document_path }) => document_path);
      const key = keyOf(note.body, document_paths);
      const times = known.get(key);
      const shown = { created_at: note.created_at ?? now, body: note.body ?? null };
      if (times !== undefined && (note.created_at === undefined || times.includes(note.created_at))) {
        return { ...shown, created_at: note.created_at ?? times[0] ?? now, status: 'NOTE_ALREADY_EXISTS' };
      }
      remember(key, shown.created_at);
      const { is_pinned = false, unpin_at } = note;
      added.push({ ...shown, document_paths, is_pinned, unpin_at });
      return { ...shown, status: 'NOTE_CREATION_SUCCESS' };
    });
    if (added.length > 0) {
      await insertNotes(query, id, added);
      await audit(query, request, { id, action: 'notes_imported', detail: { notes: added.length } });
    }
    return answers;
  });
  reply.code(201);
  return results;
});

const TRANSACTION_COLUMNS = `transaction_id, transaction_date, original_transaction_date, amount, type, reason, display_note,
  note, reference, payment_type, product_code, line_items, tax_items, description`;
type StoredTransaction = Fields & { transaction_id: string };
const shownTransaction = ({ original_transaction_date: _moved, ...data }: Fields) =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null && value !== undefined));

/** The transaction with its date moved to the nearest day from `from` to `to`, which a description tells. */
function movedInside<Record extends { transaction_date: string }>(record: Record, from: string, to: string) {
  const original_transaction_date = record.transaction_date;
  if (original_transaction_date >= from && original_transaction_date <= to) return record;
  const transaction_date = original_transaction_date < from ? from : to;
  const description =
    `The original date ${original_transaction_date} lies outside the open statement period (${from} to ${to}); ` +
    `the transaction was added on ${transaction_date}.`;
  return { ...record, transaction_date, original_transaction_date, description };
}

app.post('/v1/data-import/transactions/create', async (request, reply) => {
  const body = parse(TransactionsRequest, request.body);
  const { check_previously_added, force_add_to_current_statement } = parse(TransactionsQuery, request.query);
  await usableSupplier(request, body.import_supplier);
  const results = await inTransaction(async (query) => {
    const account = await lockAccount(query, body, 400);
    const to = new Date().toISOString().slice(0, 10);
    const [from = to] = [account.open_statement_from, to].sort();
    const known = new Map<string, Fields>();
    if (check_previously_added === 'true') {
      const stored = await query<StoredTransaction>(
        'known-transactions',
        `SELECT ${TRANSACTION_COLUMNS} FROM transactions
        WHERE account_import_id = $1 AND transaction_id = ANY ($2::text[]) ORDER BY id DESC`,
        [account.id, body.transactions.map(({ transaction_id }) => transaction_id)],
      );
      for (const transaction of stored) known.set(transaction.transaction_id, transaction);
    }
    const added: Fields[] = [];
    const notes: Fields[] = [];
    const answers = body.transactions.map((transaction) => {
      const before = known.get(transaction.transaction_id);
      if (before !== undefined) {
        const transaction_data = { ...shownTransaction(before), status: 'TRANSACTION_IMPORT_SUCCESS' };
        return { status: 'TRANSACTION_ALREADY_EXISTS', transaction_data };
      }
      const sent = { ...transaction, amount: transaction.amount.toFixed(2) };
      const record = movedInside(sent, from, to);
      if ('description' in record) {
        if (force_add_to_current_statement === 'false') {
          const error_detail = 'The transaction is not within the open statement period.';
          const extra = { transaction_data: sent, error_detail, status: 'TRANSACTION_IMPORT_ERROR' };
          throw new Refusal(400, 'transaction_outside_open_statement_period', error_detail, extra);
        }
        const note = `Transaction ${record.transaction_id}: ${record.description}`;
        notes.push({ body: note, document_paths: [], created_at: utcSeconds(new Date()), is_pinned: true });
      }
      if (check_previously_added === 'true') known.set(record.transaction_id, record);
      added.push(record);
      return { status: 'TRANSACTION_ADDED_TO_ACCOUNT', transaction_data: shownTransaction(record) };
    });
    if (added.length > 0) {
      await query(
        'transactions',
        `INSERT INTO transactions (account_import_id, created_at, ${TRANSACTION_COLUMNS})
        SELECT $1, $2, record.* FROM json_to_recordset($3::json) AS record (transaction_id text, transaction_date date,
          original_transaction_date date, amount numeric, type text, reason text, display_note text, note text,
          reference text, payment_type text, product_code text, line_items jsonb, tax_items jsonb, description text)`,
        [account.id, new Date(), JSON.stringify(added)],
      );
      await insertNotes(query, account.id, notes);
      const event = { id: account.id, action: 'transactions_imported', detail: { transactions: added.length } };
      await audit(query, request, event);
    }
    return answers;
  });
  reply.code(201);
  return { results };
});

const STATEMENT_COLUMNS = `statement_id, bill_period_from_date, bill_period_to_date, issued_date, number, gross_amount,
  statement_path`;

app.post('/v1/data-import/historical-statements/create', async (request, reply) => {
  const body = parse(StatementsRequest, request.body);
  await usableSupplier(request, body.import_supplier);
  await inTransaction(async (query) => {
    const { id } = await lockAccount(query, body, 400);
    const stored = await query<Fields & { statement_id: string }>(
      'known-statements',
      `SELECT ${STATEMENT_COLUMNS} FROM statements WHERE account_import_id = $1 AND statement_id = ANY ($2::text[])`,
      [id, body.statements.map(({ statement_id }) => statement_id)],
    );
    const known = new Map<string, Fields>(stored.map((statement) => [statement.statement_id, statement]));
    const added: Fields[] = [];
    for (const statement of body.statements) {
      const record: Fields = { ...statement, gross_amount: statement.gross_amount.toFixed(2) };
      const before = known.get(statement.statement_id);
      if (before === undefined) {
        known.set(statement.statement_id, record);
        added.push(record);
      } else if (Object.entries(before).some(([name, value]) => (value ?? null) !== (record[name] ?? null))) {
        throw new Refusal(400, 'historical_statement_already_exists', 'The account has a statement with this id.');
      }
    }
    if (added.length === 0) return;
    await query(
      'statements',
      `INSERT INTO statements (account_import_id, created_at, ${STATEMENT_COLUMNS})
      SELECT $1, $2, record.* FROM json_to_recordset($3::json) AS record (statement_id text, bill_period_from_date date,
        bill_period_to_date date, issued_date date, number text, gross_amount numeric, statement_path text)`,
      [id, new Date(), JSON.stringify(added)],
    );
    await audit(query, request, { id, action: 'statements_imported', detail: { statements: added.length } });
  });
  reply.code(201);
  return body;
});

interface StatusRow extends Fields {
  service_account_number: string | null;
  in_progress: boolean;
}
const StatusParameters = z.object({ code: text(1_024), account: text(1_024) });

app.get('/v1/data-import/account-transfer-status/:code/:account', async (request) => {
  const { code, account } = parse(StatusParameters, request.params);
  await usableSupplier(request, code, 404);
  const id = accountImportId(code, account);
  const readStatus = () =>
    read<StatusRow>(
      'status',
      `SELECT account.service_account_number, CASE WHEN account.account_import_id IS NULL
        THEN NOT pg_try_advisory_xact_lock_shared($4::bigint) ELSE false END AS in_progress
      FROM account_imports import LEFT JOIN accounts account ON account.account_import_id = import.id
      WHERE import.id = $1 AND import.import_supplier_code = $2 AND import.external_account_number = $3`,
      [id, code, account, lockKey(id)],
    );
  let [row] = await readStatus();
  if (row?.service_account_number === null && !row.in_progress) [row] = await readStatus();
  if (row === undefined) throw accountNotFound(404);
  const { service_account_number, in_progress } = row;
  if (service_account_number !== null) return { status: 'COMPLETED', service_account_number };
  return { status: in_progress ? 'IN_PROGRESS' : 'UNKNOWN', service_account_number: '' };
});

process.stderr.write(`Reference serves at ${await app.listen({ host: '127.0.0.1', port: Number(PORT) })}\n`);
process.once('SIGTERM', async () => {
  await app.close();
  await pool.end();
  process.exit(0);
});
