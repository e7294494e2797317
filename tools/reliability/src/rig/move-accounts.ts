import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Random } from '@causeway/testing';
import type { Answer } from '../fuzz/send-bytes.ts';
import { type Effects, timesCounted } from './effects.ts';
import {
  knownInstruction,
  OPERATIONS,
  type Operation,
  type OperationName,
  operationOn,
  STILL_AT_IT,
  UNCHECKED,
} from './operations.ts';
import { fieldOf, nameOf, send } from './send.ts';
import type { ServiceWorld, Supplier } from './service-world.ts';

/** What the suppliers' clients know about their requests, and what they do not. */
export interface Ledger {
  /** By account: the operations acknowledged, and the number that process gave. */
  accounts: Map<string, { acknowledged: Set<OperationName>; serviceAccountNumber?: unknown }>;
  sent: number;
  /** Requests without an answer, or with one that does not say whether they took effect. */
  inDoubt: number;
  /** Operations that took effect without an acknowledgement: the repeat says so. */
  countedUntold: number;
  /** Requests in doubt by what came: `no answer`, `503 service_unavailable`. */
  doubts: Record<string, number>;
  /** Answers that must not occur. */
  odd: unknown[];
  /** Repeats with the key of a request that was answered. */
  repeated: number;
  /** Of these, the ones with another answer than the first one, or with the answer of a repeat both times. */
  unlike: unknown[];
}

export interface Movers {
  ledger: Ledger;
  /** Finishes the started accounts, and starts no more, unless `accounts` says how many. */
  finish(): Promise<void>;
}

export interface MoveOptions {
  supplier: Supplier;
  clients: number;
  random: Random;
  /** How many, if it is not until `finish`. */
  accounts?: number;
  /** Of the accounts, those whose requests are marked with a key: 0 unless given. */
  keyedShare?: number;
  /** Lets them give up: unanswered requests are not repeated. */
  signal?: AbortSignal;
}

type MovedIn = Pick<ServiceWorld, 'instances' | 'vendor' | 'url'>;

/** The pause before a request is repeated. */
const PAUSE_MS = { from: 20, to: 120 };
const KEYED = 'KEYED-';

/**
 * Clients that move accounts, each one after the other, through every operation, like a careful supplier: a request
 * without an answer, or with 503, is repeated until it is answered, on any instance. A request with a key is sent once
 * more afterwards, its transactions unchecked: only the key prevents them from taking effect twice. Bodies are sent in
 * pieces.
 */
export function moveAccounts(world: MovedIn, options: MoveOptions): Movers {
  const { supplier, clients, random, signal, keyedShare = 0, accounts = Infinity } = options;
  const ledger: Ledger = {
    ...{ accounts: new Map(), sent: 0, inDoubt: 0, countedUntold: 0, doubts: {}, odd: [], repeated: 0, unlike: [] },
  };
  const travel = random.fork('travel');
  let isFinishing = false;
  let number = 0;

  async function move(): Promise<void> {
    while (!isFinishing && number < accounts && signal?.aborted !== true) {
      number += 1;
      const account = `${random.chance(keyedShare) ? KEYED : 'MOVED-'}${number}`;
      ledger.accounts.set(account, { acknowledged: new Set() });
      world.vendor.behaveFor(`pm_${account}`, knownInstruction(`pm_${account}`));
      for (const name of OPERATIONS) {
        const answer = await sendUntilAnswered(account, name);
        if (account.startsWith(KEYED)) await repeat(account, name, answer);
      }
    }
  }

  async function repeat(account: string, name: OperationName, first: Answer | undefined): Promise<void> {
    const again = await sendUntilAnswered(account, name);
    if (first === undefined || again === undefined) return;
    ledger.repeated += 1;
    const isSame = first.status === again.status && isDeepStrictEqual(first.body, again.body);
    if (!isSame || countedBefore(name, first)) {
      ledger.unlike.push({ account, name, first: nameOf(first), again: nameOf(again), body: again.body });
    }
  }

  /** Undefined if it was given up. */
  async function sendUntilAnswered(account: string, name: OperationName): Promise<Answer | undefined> {
    for (let isRepeat = false; ; isRepeat = true) {
      if (signal?.aborted) return undefined;
      const operation = { ...requestOf(account, name), token: supplier.token, travel };
      const alive = world.instances.filter(({ process }) => !process.exited);
      if (alive.length === 0) {
        // Throws if it has not been killed.
        world.url();
        await delay(PAUSE_MS.from);
        continue;
      }
      ledger.sent += 1;
      const answer = await send(random.pick(alive).process.url, operation);
      if (answer?.status === 503 && !answer.headers.has('retry-after')) ledger.odd.push({ account, name, answer });
      if (answer !== undefined && answer.status !== 503 && nameOf(answer) !== STILL_AT_IT) {
        acknowledge(account, name, answer);
        if (isRepeat && countedBefore(name, answer)) ledger.countedUntold += 1;
        return answer;
      }
      ledger.inDoubt += 1;
      ledger.doubts[nameOf(answer)] = (ledger.doubts[nameOf(answer)] ?? 0) + 1;
      await delay(random.integer(PAUSE_MS.from, PAUSE_MS.to));
    }
  }

  function requestOf(account: string, name: OperationName): Operation & { headers?: Record<string, string> } {
    const { path, body } = operationOn(supplier, account, name);
    if (!account.startsWith(KEYED)) return { path, body };
    const headers = { 'Idempotency-Key': account + name };
    return { path: name === 'transactions' ? path + UNCHECKED : path, body, headers };
  }

  function acknowledge(account: string, name: OperationName, answer: Answer): void {
    const entry = ledger.accounts.get(account);
    const wasImported = name === 'process' && nameOf(answer) === '400 account_import_process_already_imported';
    if (answer.status !== 200 && answer.status !== 201 && !wasImported) {
      ledger.odd.push({ account, name, answer: nameOf(answer) });
      return;
    }
    entry?.acknowledged.add(name);
    if (name === 'process' && entry) entry.serviceAccountNumber = fieldOf(answer.body, 'service_account_number');
  }

  const moving = Promise.all(Array.from({ length: clients }, move));
  return {
    ledger,
    async finish() {
      isFinishing = accounts === Infinity;
      await moving;
    },
  };
}

/** Whether the answer to a repeat says that it was one. Statements and instructions give the same answer each time. */
function countedBefore(name: OperationName, { status, body }: Answer): boolean {
  if (name === 'stage') return status === 200;
  return name === 'process' ? status === 400 : /ALREADY_EXISTS/.test(JSON.stringify(body));
}

/** Acknowledged writes that the database lacks or stores differently, and duplicate writes. */
export function compare(ledger: Ledger, effects: readonly Effects[]): { lost: unknown[]; doubled: unknown[] } {
  const stored = new Map(effects.map((one) => [one.account, one]));
  const lost: unknown[] = [];
  const doubled: unknown[] = [];
  for (const [account, { acknowledged, serviceAccountNumber }] of ledger.accounts) {
    const effect = stored.get(account);
    for (const name of acknowledged) {
      const times = timesCounted(effect, name);
      if (times === 0) lost.push({ account, name });
      else if (times !== 1) doubled.push({ account, name, times, effect });
    }
    if (acknowledged.has('process') && effect?.service_account_number !== serviceAccountNumber) {
      lost.push({ account, told: serviceAccountNumber, stored: effect?.service_account_number });
    }
  }
  return { lost, doubled };
}
