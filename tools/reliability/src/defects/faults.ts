import type { Defect } from './defect.ts';

const RUN = 'packages/db/src/run-transaction.ts';

/** What fails under the service: connections and the vendor. */
export const FAULT_DEFECTS: readonly Defect[] = [
  {
    name: 'a statement is sent again after its commit was not answered',
    ...{ row: 5, size: 10 },
    file: RUN,
    find: 'return { error, repeatable: isRolledBack(error) };',
    replace: 'return { error, repeatable: isRolledBack(error) || isConnectionFailure(error) };',
  },
  {
    name: 'a transaction is run again after its COMMIT was not answered',
    ...{ row: 5, size: 20 },
    ...{ file: RUN, find: "state === 'committing' && isConnectionFailure(error)", replace: 'false' },
  },
  {
    name: 'nobody listens for connections that break',
    ...{ row: 5, size: 10, endsTheService: true },
    file: 'packages/db/src/create-pool.ts',
    find: "pool.on('connect', (client) => client.on('error', report));",
    replace: '',
  },
  {
    name: 'the vendor is asked within a transaction',
    ...{ row: 6, size: 1 },
    file: 'packages/domain/src/imports/import.ts',
    find: 'const first = await attempt(context, key, accountImport);',
    replace: `const first = await database.transaction(async (transaction) => {
    const within = { ...context, database: databaseWithin(database, transaction) };
    await transaction.query(LOCK_ACCOUNT, { id: key.id });
    return attempt(within, key, accountImport);
  });`,
  },
  {
    name: "a vendor's redirect is followed",
    ...{ row: 6, size: 1 },
    file: 'packages/domain/src/payment-vendors/ask-vendor.ts',
    find: "redirect: 'manual'",
    replace: "redirect: 'follow'",
  },
  {
    name: 'who waits for a vendor keeps a place at work',
    ...{ row: 14, size: 2 },
    file: 'apps/api/src/overload/admission.ts',
    find: '    endWork(response);\n    try {\n      return await wait();',
    replace: '    try {\n      return await wait();',
  },
];
