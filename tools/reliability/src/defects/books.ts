import type { Defect } from './defect.ts';

const DELIVER = 'packages/domain/src/webhooks/deliver-slice.ts';

/** Bulk jobs, reconciliations, uploads and webhooks. */
export const BOOK_DEFECTS: readonly Defect[] = [
  {
    name: 'two lanes may work on one chunk, and each writes what happened to it',
    ...{ row: 25, size: 2 },
    file: 'packages/domain/src/bulk/chunks/claim-chunk.sql.ts',
    find: '    LIMIT 1\n    FOR UPDATE SKIP LOCKED',
    replace: '    LIMIT 1',
  },
  {
    name: 'bulk takes one slot for all lines of a chunk',
    ...{ row: 27, size: 1 },
    file: 'packages/domain/src/bulk/chunks/run-chunk.ts',
    find: '{ ...range, wanted });',
    replace: '{ ...range, wanted: 1 });',
    also: {
      file: 'packages/domain/src/bulk/chunks/run-chunk.ts',
      find: 'return row.slots;',
      replace: 'return wanted;',
    },
  },
  {
    name: 'a part is unpacked to its end, however long that is',
    ...{ row: 28, size: 1 },
    ...{ file: 'apps/api/src/bulk/read-part.ts', find: ', maxBytes: LIMITS.bulk_part_bytes }', replace: ' }' },
  },
  {
    name: 'what is compared of the transactions is their sum alone',
    ...{ row: 30, size: 1 },
    file: 'packages/domain/src/reconciliations/figures.sql.ts',
    find: "  { name: 'transactions', column: 'transactions' },\n",
    replace: '',
  },
  {
    name: 'a checkpoint speaks of results that are written with the next one',
    ...{ row: 32, size: 3 },
    file: 'apps/cli/src/move/checkpoint/checkpoint.ts',
    find: '  await result.write();\n',
    replace: '  setTimeout(() => result.write(), 1_000);\n',
  },
  {
    name: 'an upload that was killed begins a job of its own',
    ...{ row: 32, size: 3 },
    file: 'apps/cli/src/upload/find-upload.ts',
    find: 'wanted.newJob ? []',
    replace: 'wanted.label ? []',
  },
  {
    name: 'an endpoint continues behind what was read for it, whether it was sent or not',
    ...{ row: 35, size: 2 },
    file: DELIVER,
    find: 'const position = sent.length === messages.length ? end : positionAfter(endpoint, messages);',
    replace: 'const position = end;',
  },
  {
    name: 'a message counts as accepted before its answer has come',
    ...{ row: 35, size: 2 },
    file: DELIVER,
    find: 'message.answer = await sender.send({ body: message.body, headers });',
    replace: `void sender.send({ body: message.body, headers });
        message.answer = { failure: null, status: 200, duration_ms: 0, answer: null };`,
  },
];
