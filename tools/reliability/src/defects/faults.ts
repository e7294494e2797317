import type { Defect } from './defect.ts';

const IMPORT = 'packages/domain/src/imports/import.ts';
const RUN = 'packages/db/src/run-transaction.ts';
const POOL = 'packages/db/src/create-pool.ts';
const DATABASE_ERRORS = 'packages/db/src/database-errors.ts';
const ADMISSION = 'apps/api/src/overload/admission.ts';

/** What fails under the service: connections, the database server, the disk, the vendor; rows 5, 6, and 13 to 17. */
export const FAULT_DEFECTS: readonly Defect[] = [
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
        find: '    endWork(response);\n    try {\n      return await wait();',
        replace: '    try {\n      return await wait();',
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
];
