/** A plausible mistake, as edits of the source: the row's scenario must fail on it. */
export interface Defect {
  name: string;
  /** The row of the table, and how much of its scenario is run. */
  row: number;
  size: number;
  /**
   * The defect makes the service exit after its start. For any other defect, an early end of the run proves nothing.
   */
  endsTheService?: true;
  edits: readonly { file: string; find: string | RegExp; replace: string }[];
}

const PROCESS = 'packages/domain/src/account-imports/create-account.sql.ts';
const IMPORT = 'packages/domain/src/accounts/import-into-account.ts';
const IMPORT_SQL = 'packages/domain/src/accounts/import-into-account.sql.ts';
const RUN = 'packages/db/src/run-transaction.ts';
const GROUPED = 'packages/domain/src/grouped-statement.ts';
const RECEIVE_BODY = 'apps/api/src/bodies/receive-body.ts';
const POOL = 'packages/db/src/create-pool.ts';
const SETTINGS = 'packages/db/src/session-settings.ts';
const DATABASE_ERRORS = 'packages/db/src/database-errors.ts';
const ADMISSION = 'apps/api/src/overload/admission.ts';
const DELIVER = 'packages/domain/src/webhooks/deliver-slice.ts';
const EMAIL_WORK = 'packages/domain/src/customer-emails/email-work.sql.ts';

export const DEFECTS: readonly Defect[] = [
  {
    name: 'process checks, then creates: no lock, no condition in the write',
    ...{ row: 1, size: 3 },
    edits: [
      {
        file: PROCESS,
        find: 'pg_try_advisory_xact_lock(account_lock) AS held',
        replace: 'account_lock IS NOT NULL AS held',
      },
      { file: PROCESS, find: '    FOR UPDATE\n', replace: '' },
      {
        file: PROCESS,
        find: "AND import.state NOT IN ('SKIPPED', 'COMPLETED')",
        replace: '',
      },
    ],
  },
  {
    name: 'imports into an account check what it has without claiming its revision',
    ...{ row: 1, size: 3 },
    edits: [{ file: IMPORT_SQL, find: /AND account\.revision = coalesce\([^()]*\)/, replace: '' }],
  },
  {
    name: 'money is cut to pence in floating point',
    ...{ row: 2, size: 100 },
    edits: [
      {
        file: 'packages/domain/src/transactions/transaction-record.ts',
        find: 'moneyText(transaction.amount)',
        replace: '(Math.floor(Number(transaction.amount) * 100) / 100).toFixed(2)',
      },
    ],
  },
  {
    name: 'staging again resets an account that was imported',
    ...{ row: 2, size: 100 },
    edits: [
      {
        file: 'packages/domain/src/account-imports/stage-account.sql.ts',
        find: "import.state IN ('STAGED', 'FAILED')",
        replace: "import.state IN ('STAGED', 'FAILED', 'COMPLETED')",
      },
    ],
  },
  {
    name: 'an account that carries its history gets its transactions twice',
    ...{ row: 2, size: 100 },
    edits: [
      {
        file: 'packages/domain/src/bundles/create-bundle.sql.ts',
        find: 'FROM completed, json_to_recordset(transactions)',
        replace: 'FROM completed, generate_series(1, 2), json_to_recordset(transactions)',
      },
    ],
  },
  {
    name: 'the day that was sent is not read back of a transaction that was moved',
    ...{ row: 2, size: 100 },
    edits: [
      {
        file: 'packages/domain/src/accounts/read-pages.ts',
        find: 'rows.map(({ copy, is_historical, ...row }) => {',
        replace: 'rows.map(({ copy, is_historical, original_transaction_date: _lost, ...row }) => {',
      },
    ],
  },
  {
    name: "an account is read by its name alone, whoever's it is",
    ...{ row: 2, size: 100 },
    edits: [
      {
        file: 'packages/domain/src/accounts/read-account.ts',
        find: "  await findImportSupplier(context, import_supplier_code, 'import_supplier_code');\n",
        replace: '',
      },
    ],
  },
  {
    name: 'the limit is counted, then a slot is taken',
    ...{ row: 3, size: 1 },
    edits: [
      {
        file: PROCESS,
        find: 'pg_try_advisory_xact_lock(first_slot + number)',
        replace: `first_slot + number IS NOT NULL AND checked.process_concurrency_limit > (SELECT count(DISTINCT pid)
        FROM pg_locks WHERE locktype = 'advisory' AND classid = 4711)`,
      },
    ],
  },
  {
    name: 'commits are acknowledged before they are written: synchronous_commit=off',
    ...{ row: 4, size: 3 },
    edits: [{ file: SETTINGS, find: "TimeZone: 'UTC',", replace: "TimeZone: 'UTC',\n    synchronous_commit: 'off'," }],
  },
  {
    name: 'an Idempotency-Key is ignored',
    ...{ row: 4, size: 50 },
    edits: [
      {
        file: 'apps/api/src/rest/mount.ts',
        find: "if (typeof key === 'string') context.idempotencyKey = key;",
        replace: "if (key === '') context.idempotencyKey = key;",
      },
    ],
  },
  {
    name: 'a statement is sent again after its commit was not answered',
    ...{ row: 5, size: 10 },
    edits: [
      {
        file: RUN,
        find: 'return { error, repeatable: isRolledBack(error) };',
        replace: 'return { error, repeatable: isRolledBack(error) || isConnectionFailure(error) };',
      },
    ],
  },
  {
    name: 'a transaction is run again after its COMMIT was not answered',
    ...{ row: 5, size: 20 },
    edits: [{ file: RUN, find: "state === 'committing' && isConnectionFailure(error)", replace: 'false' }],
  },
  {
    name: 'nobody listens for connections that break',
    ...{ row: 5, size: 10, endsTheService: true },
    edits: [{ file: POOL, find: "pool.on('connect', (client) => client.on('error', report));", replace: '' }],
  },
  {
    name: 'the vendor is asked within a transaction',
    ...{ row: 6, size: 1 },
    edits: [
      {
        file: IMPORT,
        find: 'const first = await attempt(context, key, accountImport);',
        replace: `const first = await database.transaction(async (transaction) => {
    const within = { ...context, database: databaseWithin(database, transaction) };
    await transaction.query(LOCK_ACCOUNT, { id: key.id });
    return attempt(within, key, accountImport);
  });`,
      },
    ],
  },
  {
    name: "a vendor's redirect is followed",
    ...{ row: 6, size: 1 },
    edits: [
      {
        file: 'packages/domain/src/payment-vendors/ask-vendor.ts',
        find: "redirect: 'manual'",
        replace: "redirect: 'follow'",
      },
    ],
  },
  {
    name: 'a refusal has a status that is not documented',
    ...{ row: 7, size: 1_000 },
    edits: [
      {
        file: 'packages/contracts/src/error-codes/account-errors.ts',
        find: /(?<=account_not_found: \{\s+origin: 'domain',\s+status: )400/,
        replace: '410',
      },
    ],
  },
  {
    name: 'the body is read once: its first buffer is taken for all of it',
    ...{ row: 7, size: 1_000 },
    edits: [
      {
        file: RECEIVE_BODY,
        find: 'for (let piece: Buffer | null = request.read(); piece !== null; piece = request.read()) {',
        replace: 'for (let piece: Buffer | null = request.read(); piece !== null; piece = null) {',
      },
      {
        file: RECEIVE_BODY,
        find: 'declared !== undefined && Number(declared) !== body.length',
        replace: "declared === ''",
      },
    ],
  },
  {
    name: 'a statement takes four calls, and all that wait are acknowledged',
    ...{ row: 8, size: 5 },
    edits: [
      { file: GROUPED, find: 'await write(group)', replace: 'await write(group.slice(0, 4))' },
      { file: GROUPED, find: 'resolve(rows.get(id));', replace: 'resolve(rows.get(id) ?? [...rows.values()][0]);' },
    ],
  },
  {
    name: 'calls that share a statement: an account gets the transactions of the calls before it too',
    ...{ row: 4, size: 2 },
    edits: [
      {
        file: IMPORT_SQL,
        find: 'BETWEEN first_record AND last_record',
        replace: 'BETWEEN 1 AND last_record',
      },
    ],
  },
  {
    name: 'a refusal does not say when to come again',
    ...{ row: 9, size: 5 },
    edits: [{ file: 'packages/contracts/src/error-codes/failures.ts', find: '    retry_after_s: 5,\n', replace: '' }],
  },
  {
    name: 'headers may take for ever',
    ...{ row: 10, size: 20 },
    edits: [
      {
        file: 'apps/api/src/service.ts',
        find: 'headersTimeout: environment.headersTimeoutMs,',
        replace: 'headersTimeout: 0,',
      },
      { file: 'apps/api/src/listen.ts', find: 'headersTimeoutMs + bodyTimeoutMs + REQUEST_GRACE_MS', replace: '0' },
    ],
  },
  {
    name: 'a revoked key is remembered for a minute',
    ...{ row: 11, size: 1 },
    edits: [
      {
        file: 'apps/api/src/request/authenticate.ts',
        find: 'KEY_REMEMBERED_FOR_MS = 4_000',
        replace: 'KEY_REMEMBERED_FOR_MS = 60_000',
      },
    ],
  },
  {
    name: "another organisation's import supplier is refused in words of its own",
    ...{ row: 11, size: 1 },
    edits: [
      {
        file: 'packages/domain/src/import-suppliers/find-import-supplier.ts',
        find: '  if (configuration === undefined || !mayUse(context, configuration)) {',
        replace: `  if (configuration !== undefined && !mayUse(context, configuration)) {
    throw new DomainError('permission_denied', 'This import supplier belongs to somebody else.');
  }
  if (configuration === undefined) {`,
      },
    ],
  },
  {
    name: 'the log shows addresses with what was in them',
    ...{ row: 12, size: 1 },
    edits: [
      {
        file: 'apps/api/src/observability/observe-requests.ts',
        find: 'path: procedure === undefined ? maskPath(path) : path,',
        replace: 'path: request.originalUrl || maskPath(path),',
      },
    ],
  },
  {
    name: 'the event of a staging has the debts of the account',
    ...{ row: 12, size: 1 },
    edits: [
      {
        file: 'packages/domain/src/account-imports/stage-account.sql.ts',
        find: `subject, action)
    SELECT \${AUDIT_FIELDS}, 'account_import', CASE times_staged WHEN 1 THEN 'staged' ELSE 'staged_again' END`,
        replace: `subject, action, detail)
    SELECT \${AUDIT_FIELDS}, 'account_import', CASE times_staged WHEN 1 THEN 'staged' ELSE 'staged_again' END,
      jsonb_build_object('debts', payload->'debts')`,
      },
    ],
  },
  {
    name: 'a remembered problem names the field that tells of debts',
    ...{ row: 12, size: 1 },
    edits: [
      {
        file: 'packages/domain/src/refusals/refused-fields.ts',
        find: 'withoutValues(beforeSpecialWeight(attr))',
        replace: 'withoutValues(attr)',
      },
    ],
  },
  {
    name: 'an embedded database server that died is not launched again',
    ...{ row: 13, size: 2, endsTheService: true },
    edits: [{ file: 'packages/embedded-postgres/src/keep-server.ts', find: 'ATTEMPTS = 8', replace: 'ATTEMPTS = 0' }],
  },
  {
    name: 'a service that stops takes the database server of the others with it',
    ...{ row: 13, size: 2 },
    edits: [
      {
        file: 'packages/embedded-postgres/src/membership.ts',
        find: 'if (rows[0]?.last === true) await stopServer',
        replace: 'if (rows.length === 1) await stopServer',
      },
    ],
  },
  {
    name: 'who waits for a vendor keeps a place at work',
    ...{ row: 14, size: 2 },
    edits: [
      {
        file: ADMISSION,
        find: '      requestFacts(response).endWork?.();\n      try {\n        return await wait();',
        replace: '      try {\n        return await wait();',
      },
    ],
  },
  {
    name: 'a full disk is a fault of the service',
    ...{ row: 15, size: 2 },
    edits: [{ file: DATABASE_ERRORS, find: '|3D000|53...|', replace: '|3D000|' }],
  },
  {
    name: 'sessions that may not write are kept after the database may be written to again',
    ...{ row: 16, size: 4 },
    edits: [
      { file: DATABASE_ERRORS, find: 'detail.code === READ_ONLY', replace: "detail.code === ''" },
      {
        file: 'packages/db/src/not-writable.ts',
        find: 'usable = !standby && !read_only;',
        replace: 'usable = !standby || !read_only;',
      },
    ],
  },
  {
    name: 'nobody looks whether a pooler keeps sessions',
    ...{ row: 17, size: 2 },
    edits: [
      {
        file: 'packages/db/src/pooler.ts',
        find: 'if (await keepApart(first, await connectSecond())) return OWN_SESSION;',
        replace: 'if ((await keepApart(first, await connectSecond())) || LOOKS > 0) return OWN_SESSION;',
      },
    ],
  },
  {
    name: "one organisation's statements may have every connection",
    ...{ row: 18, size: 2 },
    edits: [
      {
        file: 'apps/api/src/overload/turns.ts',
        find: 'lanes.size === 1 ? ALONE : IN_COMPANY',
        replace: 'lanes.size > 0 ? ALONE : IN_COMPANY',
      },
      {
        file: 'apps/api/src/overload/connections.ts',
        find: '!share.hasRoomFor(party) || queues.waitingOf(party) > 0',
        replace: 'share.used === Infinity',
      },
    ],
  },
  {
    name: 'a page has all that is committed, whatever may still be committed before it',
    ...{ row: 19, size: 4_000 },
    edits: [
      {
        file: 'packages/domain/src/account-imports/list-account-imports.ts',
        find: "const unsettledFrom = unsettled?.place ?? '0';",
        replace: "const unsettledFrom = unsettled === undefined ? '0' : LAST_PLACE;",
      },
    ],
  },
  {
    name: 'two lanes may work on one chunk, and each writes what became of it',
    ...{ row: 25, size: 2 },
    edits: [
      {
        file: 'packages/domain/src/bulk/claim-chunk.sql.ts',
        find: '    LIMIT 1\n    FOR UPDATE SKIP LOCKED',
        replace: '    LIMIT 1',
      },
    ],
  },
  {
    name: 'a rehearsal keeps what it has written of lines that were refused',
    ...{ row: 26, size: 200 },
    edits: [
      {
        file: 'packages/domain/src/bulk/write-part.ts',
        find: '      throw new Rehearsed();',
        replace:
          '      await remember(writing, part);\n      if (part.done.every(({ outcome }) => outcome.refusal === undefined)) throw new Rehearsed();',
      },
    ],
  },
  {
    name: 'bulk takes every slot of a supplier that is free',
    ...{ row: 27, size: 1 },
    edits: [
      {
        file: 'packages/domain/src/bulk/take-slots.ts',
        find: 'Math.min(limit - 1, Math.max(1, Math.floor(limit / 4)))',
        replace: '0',
      },
    ],
  },
  {
    name: 'bulk takes one slot for all lines of a chunk',
    ...{ row: 27, size: 1 },
    edits: [
      {
        file: 'packages/domain/src/bulk/take-slots.ts',
        find: '{ ...range, wanted });',
        replace: '{ ...range, wanted: 1 });',
      },
      { file: 'packages/domain/src/bulk/take-slots.ts', find: 'return row.slots;', replace: 'return wanted;' },
    ],
  },
  {
    name: 'a part is answered as stored, whatever is stored under its number',
    ...{ row: 28, size: 1 },
    edits: [
      {
        file: 'packages/domain/src/bulk/put-part.ts',
        find: 'if (stored === undefined || !stored.sha256.equals(sha)) {',
        replace: 'if (stored === undefined) {',
      },
    ],
  },
  {
    name: 'a part is unpacked to its end, however long that is',
    ...{ row: 28, size: 1 },
    edits: [{ file: 'apps/api/src/bulk/part-lines.ts', find: ', maxBytes: LIMITS.bulk_part_bytes }', replace: ' }' }],
  },
  {
    name: "another organisation's bulk job is answered",
    ...{ row: 28, size: 1 },
    edits: [
      {
        file: 'packages/domain/src/bulk/find-bulk-job.ts',
        find: "(actor.kind === 'staff' || actor.organisationId === job.organisation_id)",
        replace: '(actor.kind !== undefined)',
      },
    ],
  },
  {
    name: 'a verdict is given without reading the ranges again',
    ...{ row: 31, size: 3 },
    edits: [
      {
        file: 'packages/domain/src/reconciliations/run-ranges.ts',
        find: 'if (taken.read_again < next.ranges) {',
        replace: 'if (taken.read_again > next.ranges) {',
      },
    ],
  },
  {
    name: 'what is compared of the transactions is their sum alone',
    ...{ row: 29, size: 400 },
    edits: [
      {
        file: 'packages/domain/src/reconciliations/figures.sql.ts',
        find: "  { name: 'transactions', column: 'transactions' },\n",
        replace: '',
      },
    ],
  },
  {
    name: 'a checkpoint speaks of results that are written with the next one',
    ...{ row: 32, size: 3 },
    edits: [
      {
        file: 'apps/cli/src/move/checkpoint/checkpoint.ts',
        find: '  await result.write();\n',
        replace: '  setTimeout(() => result.write(), 1_000);\n',
      },
    ],
  },
  {
    name: 'an upload that was killed begins a job of its own',
    ...{ row: 32, size: 3 },
    edits: [
      {
        file: 'apps/cli/src/upload/find-upload.ts',
        find: 'wanted.newJob ? []',
        replace: 'wanted.label ? []',
      },
    ],
  },
  {
    name: 'a reader of events passes what may still be committed',
    ...{ row: 34, size: 2 },
    edits: [
      {
        file: 'packages/domain/src/events/read-events.ts',
        find: 'const unsettledFrom = await firstUnsettled(database, organisation_id);',
        replace: "const unsettledFrom = '999999999999999999';",
      },
    ],
  },
  {
    name: 'an endpoint goes on behind what was read for it, whether it was sent or not',
    ...{ row: 35, size: 2 },
    edits: [
      {
        file: DELIVER,
        find: 'const position = sent.length === messages.length ? end : positionAfter(endpoint, messages);',
        replace: 'const position = end;',
      },
    ],
  },
  {
    name: 'a message counts as accepted before its answer has come',
    ...{ row: 35, size: 2 },
    edits: [
      {
        file: DELIVER,
        find: 'message.answer = await sender.send({ body: message.body, headers });',
        replace: `void sender.send({ body: message.body, headers });
        message.answer = { failure: null, status: 200, duration_ms: 0, answer: null };`,
      },
    ],
  },
  {
    name: 'an e-mail whose sender was killed is sent again',
    ...{ row: 36, size: 2 },
    edits: [
      {
        file: EMAIL_WORK,
        find: "SET state = 'IN_DOUBT', lease_until = NULL,",
        replace: "SET state = 'QUEUED', next_attempt_at = lease_until, lease_until = NULL,",
      },
    ],
  },
  {
    name: 'that an e-mail is being sent is written after the dialogue with the server',
    ...{ row: 36, size: 2 },
    edits: [
      {
        file: EMAIL_WORK,
        find: "ELSE 'SENDING' END)::customer_email_state",
        replace: "ELSE 'QUEUED' END)::customer_email_state",
      },
      {
        file: EMAIL_WORK,
        find: `lease_until = CASE WHEN is_suppressed THEN NULL ELSE \${'lease_until'}::timestamptz END`,
        replace: 'lease_until = NULL',
      },
      {
        file: EMAIL_WORK,
        find: 'next_attempt_at = NULL,',
        replace: `next_attempt_at = CASE WHEN NOT is_suppressed THEN \${'lease_until'}::timestamptz END,`,
      },
      { file: EMAIL_WORK, find: "state IN ('SENDING', 'IN_DOUBT')", replace: "state IN ('QUEUED', 'IN_DOUBT')" },
    ],
  },
  {
    name: 'an e-mail whose connection broke after its text is tried again',
    ...{ row: 36, size: 2 },
    edits: [
      {
        file: 'packages/domain/src/customer-emails/judge-failure.ts',
        find: 'if (isHandedOver && !isRefusal && !isPutOff)',
        replace: "if (isHandedOver && !isRefusal && !isPutOff && to === '')",
      },
    ],
  },
];
