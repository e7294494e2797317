import { bulk } from './bulk.ts';
import { bulkLive } from './bulk-live.ts';
import { bulkMemory } from './bulk-memory.ts';
import { memory } from './memory.ts';
import type { Part } from './part.ts';
import { profiles } from './profile.ts';
import { reconcile } from './reconcile.ts';
import { comparedRows } from './rows.ts';
import { sameAnswers } from './same-answers.ts';

/** All parts in the order they run. */
export const PARTS: readonly Part[] = [
  ...[sameAnswers, ...comparedRows, bulk, bulkLive, bulkMemory, reconcile, memory],
  ...profiles,
];
