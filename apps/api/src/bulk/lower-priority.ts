import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import path from 'node:path';

/**
 * Lets the other threads of the machine go before this one where all cores are busy; with cores to spare it is as fast
 * as before. Only Linux can do that for a thread: it has an id of its own. Elsewhere nothing is done.
 */
export function lowerPriority(): void {
  try {
    const id = Number(path.basename(readlinkSync('/proc/thread-self')));
    setPriority(id, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // A system without these files, or without the right: the lanes are not stopped by that.
  }
}
