import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Random } from '@causeway/testing';
import pg from 'pg';
import { type Claim, none } from '../scenario.ts';
import { type Journey, LETTERS } from './journeys.ts';
import { nameOf, send } from './send.ts';
import type { ServiceWorld, Supplier } from './service-world.ts';
import type { World } from './start-world.ts';

/** An event as it is read and sent. */
export interface TalkedEvent {
  id: string;
  type: string;
  timestamp: string;
  data: { external_account_number?: string; job_id?: string };
}

/** What a reader has stored, each page together with the cursor after it. */
interface ReadEvents {
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

const SESSIONS = 4;
const HELD_MS = { from: 0, to: 60 };
const LATE_PAUSE_MS = { from: 0, to: 100 };
/** How the numbers of their accounts begin: nothing but an event is stored of them. */
export const LATE = 'LATE-';

const TELL = `INSERT INTO events (import_supplier_code, type, external_account_number, occurred_at)
  VALUES ($1, 'account.staged', $2, now())`;

/** Sessions that tell of accounts as the service does, in transactions that are committed later than those after them. */
export function writeLate({ postgres }: World, { code }: Supplier, random: Random): { finish(): Promise<void> } {
  let isOver = false;
  let number = 0;
  const writing = Promise.all(
    Array.from({ length: SESSIONS }, async () => {
      const client = new pg.Client({ connectionString: postgres.url });
      await client.connect();
      while (!isOver) {
        number += 1;
        const account = `${LATE}${number}`;
        await client.query('BEGIN');
        await client.query(TELL, [code, account]);
        await delay(random.integer(HELD_MS.from, HELD_MS.to));
        await client.query('COMMIT');
        await delay(random.integer(LATE_PAUSE_MS.from, LATE_PAUSE_MS.to));
      }
      await client.end();
    }),
  );
  return {
    async finish() {
      isOver = true;
      await writing;
    },
  };
}

/** An event as it is stored. */
export interface StoredEvent {
  id: string;
  type: string;
  account: string | null;
  job_id: string | null;
}

/** The events of an organisation, in the order of their numbers. */
export function storedEvents(world: Pick<ServiceWorld, 'query'>, supplier: Supplier): Promise<StoredEvent[]> {
  return world.query(
    `SELECT 'evt_' || replace(event_id::text, '-', '') AS id, type, external_account_number AS account,
      data->>'job_id' AS job_id
    FROM events WHERE organisation_id = $1 ORDER BY events.id`,
    [supplier.organisationId],
  );
}

interface AccountEffects {
  account: string;
  staged: number;
  created: number;
}

/** Compares the events with what was done to the accounts, as the audit trail has it. */
export async function judgeEvents(
  world: Pick<ServiceWorld, 'query'>,
  supplier: Supplier,
  { stored, journeys }: { stored: readonly StoredEvent[]; journeys: ReadonlyMap<string, Pick<Journey, 'told'>> },
): Promise<Claim[]> {
  const effects = await world.query<AccountEffects>(
    `SELECT external_account_number AS account,
      count(*) FILTER (WHERE action IN ('staged', 'staged_again'))::int AS staged,
      count(*) FILTER (WHERE action = 'processed')::int AS created
    FROM account_imports import LEFT JOIN audit_events ON subject_id = import.id
    WHERE import_supplier_code = $1 GROUP BY import.id`,
    [supplier.code],
  );
  const told = lettersOf(stored);
  const isTold = ({ account, staged, created }: AccountEffects) => {
    const letters = told.get(account) ?? '';
    return (
      journeys.get(account)?.told.test(letters) === true &&
      letters.split('s').length - 1 === staged &&
      letters.split('c').length - 1 === created
    );
  };
  const known = new Set(effects.map(({ account }) => account));
  return [
    ...none({
      'accounts whose events are not one for each thing that happened to them, in its order': effects
        .filter((one) => !isTold(one))
        .map((one) => ({ ...one, told: told.get(one.account) })),
      'accounts that were moved or told of, and are not stored': [...journeys.keys(), ...told.keys()].filter(
        (account) => !known.has(account),
      ),
    }),
  ];
}

/** The events of each account in their order, by letters. */
export function lettersOf(events: readonly Pick<StoredEvent, 'type' | 'account'>[]): Map<string, string> {
  const letters = new Map<string, string>();
  for (const { type, account } of events) {
    if (account !== null) letters.set(account, (letters.get(account) ?? '') + (LETTERS[type] ?? `(${type})`));
  }
  return letters;
}
