import { bulk } from './bulk.ts';
import { bulkGrowth } from './bulk-growth.ts';
import { bulkHeap } from './bulk-heap.ts';
import { bulkLive } from './bulk-live.ts';
import { bulkMemory } from './bulk-memory.ts';
import { bundle } from './bundle.ts';
import { consoleInBrowser } from './console-browser.ts';
import { consolePages } from './console-pages.ts';
import { memory } from './memory.ts';
import { move } from './move.ts';
import type { Part } from './part.ts';
import { profiles } from './profile.ts';
import { reconcile } from './reconcile.ts';
import { comparedRows } from './rows.ts';
import { sameAnswers } from './same-answers.ts';
import { validateOffline } from './validate-offline.ts';

/** All parts in the order they run. */
export const PARTS: readonly Part[] = [
  sameAnswers,
  ...comparedRows,
  bundle,
  bulk,
  bulkLive,
  bulkMemory,
  bulkHeap,
  reconcile,
  move,
  validateOffline,
  memory,
  consolePages,
  consoleInBrowser,
  bulkGrowth,
  ...profiles,
];
