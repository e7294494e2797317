import type { Defect } from './defect.ts';

/** Bulk jobs, reconciliations and uploads. */
export const BOOK_DEFECTS: readonly Defect[] = [
  {
    name: 'two lanes may work on one chunk, and each writes what happened to it',
    ...{ row: 25, size: 2 },
    edits: [
      {
        file: 'packages/domain/src/bulk/chunks/claim-chunk.sql.ts',
        find: '    LIMIT 1\n    FOR UPDATE SKIP LOCKED',
        replace: '    LIMIT 1',
      },
    ],
  },
  {
    name: 'bulk takes every slot of a supplier that is free',
    ...{ row: 27, size: 1 },
    edits: [
      {
        file: 'packages/domain/src/bulk/chunks/run-chunk.ts',
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
        file: 'packages/domain/src/bulk/chunks/run-chunk.ts',
        find: '{ ...range, wanted });',
        replace: '{ ...range, wanted: 1 });',
      },
      { file: 'packages/domain/src/bulk/chunks/run-chunk.ts', find: 'return row.slots;', replace: 'return wanted;' },
    ],
  },
  {
    name: 'a part is unpacked to its end, however long that is',
    ...{ row: 28, size: 1 },
    edits: [{ file: 'apps/api/src/bulk/read-part.ts', find: ', maxBytes: LIMITS.bulk_part_bytes }', replace: ' }' }],
  },
  {
    name: 'what is compared of the transactions is their sum alone',
    ...{ row: 30, size: 1 },
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
];
