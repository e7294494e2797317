import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Random } from '@causeway/testing';
import { nameOf, send } from './send.ts';
import type { ServiceWorld, Supplier } from './service-world.ts';

/** An event as it is read and sent. */
export interface TalkedEvent {
  id: string;
  type: string;
  timestamp: string;
  data: { external_account_number?: string; job_id?: string };
}

/** What a reader has stored, each page together with the cursor after it. */
export interface ReadEvents {
  events: TalkedEvent[];
  pages: number;
  /** How often it lost a page that it had not stored yet, and continued at its cursor. */
  restarts: number;
  /** Pages that were not the same when they were read again, as far as they went. */
  changed: unknown[];
  odd: unknown[];
}

export interface EventReader {
  /** Reads to the end and stops. */
  finish(): Promise<ReadEvents>;
}

const SIZES = [1, 7, 50, 1_000];
const SHARE_OF_RESTARTS = 0.1;
const PAUSE_MS = { from: 0, to: 40 };

interface Page {
  events: TalkedEvent[];
  next: string | null;
  has_more: boolean;
}

/** Follows the events of an organisation with pages of any size, pauses, and restarts at the cursor that it has stored. */
export function followEvents(world: ServiceWorld, supplier: Supplier, random: Random): EventReader {
  const read: ReadEvents = { events: [], pages: 0, restarts: 0, changed: [], odd: [] };
  let isOver = false;

  async function readPage(cursor: string | null): Promise<Page | undefined> {
    const query = `limit=${random.pick(SIZES)}${cursor === null ? '' : `&after=${cursor}`}`;
    const path = `/v1/data-import/events/?${query}`;
    const answer = await send(world.url(random.integer(0, 100)), { path, token: supplier.token });
    if (answer?.status === 200) return answer.body as Page;
    if (answer !== undefined && answer.status !== 503) read.odd.push({ path, answer: nameOf(answer) });
    return undefined;
  }

  async function follow(): Promise<ReadEvents> {
    let cursor: string | null = null;
    let lost: Page | undefined;
    for (;;) {
      const isLast = isOver;
      const page = await readPage(cursor);
      if (page === undefined) {
        await delay(PAUSE_MS.to);
        continue;
      }
      if (lost !== undefined && !isSameFrom(lost.events, page.events)) read.changed.push({ cursor, lost, page });
      lost = !isLast && random.chance(SHARE_OF_RESTARTS) ? page : undefined;
      if (lost !== undefined) {
        read.restarts += 1;
        continue;
      }
      read.pages += 1;
      read.events.push(...page.events);
      cursor = page.next;
      if (isLast && !page.has_more) return read;
      if (!page.has_more) await delay(random.integer(PAUSE_MS.from, PAUSE_MS.to));
    }
  }

  const following = follow();
  return {
    finish() {
      isOver = true;
      return following;
    },
  };
}

function isSameFrom(one: readonly TalkedEvent[], other: readonly TalkedEvent[]): boolean {
  const length = Math.min(one.length, other.length);
  return isDeepStrictEqual(one.slice(0, length), other.slice(0, length));
}
