import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Random } from '@causeway/testing';
import { type Claim, exactly, listed, none } from '../scenario.ts';
import { carefulSender, emptyLedger, type SendLedger } from './careful-sender.ts';
import { judgeTimes } from './effects.ts';
import { knownInstruction, OPERATIONS, type OperationName, operationOn, UNCHECKED } from './operations.ts';
import { type Answer, fieldOf, nameOf, type Request } from './send.ts';
import type { ServiceWorld, Supplier } from './service-world.ts';

/** What the suppliers' clients know about their requests, and what they do not. */
export interface Ledger extends SendLedger {
  /** By account: the operations acknowledged, and the number that process gave. */
  accounts: Map<string, { acknowledged: Set<OperationName>; serviceAccountNumber?: unknown }>;
  /** Repeats with the key of a request that was answered. */
  repeated: number;
  /** Of these, the ones with another answer than the first one, or with the answer of a repeat both times. */
  unlike: unknown[];
}

export interface Movers {
  ledger: Ledger;
  /** Finishes the started accounts, and starts no more, unless `accounts` says how many. */
  finish(): Promise<void>;
  /** The same, and compares the acknowledgements with the database. */
  judge(): Promise<Judged>;
}

export interface Judged {
  /** How many accounts and requests, what was in doubt, lost and doubled. */
  figures: string;
  claims: Claim[];
}

export interface MoveOptions {
  supplier: Supplier;
  clients: number;
  random: Random;
  /** How many, if it is not until `finish`. */
  accounts?: number;
  /** Of the accounts, those whose requests are marked with a key: 0 unless given. */
  keyedShare?: number;
  /** After each account. */
  pauseMs?: number;
}

const KEYED = 'KEYED-';

/**
 * Clients that move accounts, each one after the other, through every operation, like a careful supplier. A request with
 * a key is sent once more afterwards, its transactions unchecked: only the key prevents them from taking effect twice.
 * Bodies are sent in pieces.
 */
export function moveAccounts(world: ServiceWorld, options: MoveOptions): Movers {
  const { supplier, clients, random, keyedShare = 0, accounts = Infinity, pauseMs = 0 } = options;
  const ledger: Ledger = { ...emptyLedger(), accounts: new Map(), repeated: 0, unlike: [] };
  const { sendUntilAnswered } = carefulSender(world, supplier, { ledger, random });
  const travel = random.fork('travel');
  let isFinishing = false;
  let number = 0;

  async function move(): Promise<void> {
    while (!isFinishing && number < accounts) {
      number += 1;
      const account = `${random.chance(keyedShare) ? KEYED : 'MOVED-'}${number}`;
      ledger.accounts.set(account, { acknowledged: new Set() });
      world.vendor.behaveFor(`pm_${account}`, knownInstruction(`pm_${account}`));
      for (const name of OPERATIONS) {
        const answer = await perform(account, name);
        if (account.startsWith(KEYED)) await repeat(account, name, answer);
      }
      await delay(pauseMs);
    }
  }

  async function repeat(account: string, name: OperationName, first: Answer): Promise<void> {
    const again = await perform(account, name);
    ledger.repeated += 1;
    const isSame = first.status === again.status && isDeepStrictEqual(first.body, again.body);
    if (!isSame || countedBefore(name, first)) {
      ledger.unlike.push({ account, name, first: nameOf(first), again: nameOf(again), body: again.body });
    }
  }

  async function perform(account: string, name: OperationName): Promise<Answer> {
    const answer = await sendUntilAnswered({ ...requestOf(account, name), travel });
    acknowledge(account, name, answer);
    return answer;
  }

  function requestOf(account: string, name: OperationName): Request {
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
  const finish = async () => {
    isFinishing = accounts === Infinity;
    await moving;
  };
  return { ledger, finish, judge: () => finish().then(() => judgeMoves(world, supplier, ledger)) };
}

/** Whether the answer to a repeat says that it was one. Statements and instructions give the same answer each time. */
function countedBefore(name: OperationName, { status, body }: Answer): boolean {
  if (name === 'stage') return status === 200;
  return name === 'process' ? status === 400 : /ALREADY_EXISTS/.test(JSON.stringify(body));
}

async function judgeMoves(world: ServiceWorld, supplier: Supplier, ledger: Ledger): Promise<Judged> {
  const all = [...ledger.accounts];
  const done = all.flatMap(([account, { acknowledged }]) => [...acknowledged].map((name) => ({ account, name })));
  const { effects, lost, doubled, stored, claims } = await judgeTimes(world, supplier, done);
  const isNumbered = ([account, { acknowledged, serviceAccountNumber }]: (typeof all)[number]) =>
    !acknowledged.has('process') || effects.get(account)?.service_account_number === serviceAccountNumber;
  const whole = all.filter(([, { acknowledged }]) => acknowledged.size === OPERATIONS.length);
  const ended = world.instances.filter(({ process }) => process.exited);
  return {
    figures: `${all.length} accounts, ${ledger.sent} requests, in doubt: ${listed(ledger.doubts) || 'none'}; ${lost} lost, ${doubled} doubled`,
    claims: [
      ...claims,
      ...none({
        'accounts with another number than was acknowledged': all.filter((one) => !isNumbered(one)),
        'an answer that is neither success nor 503 with Retry-After': ledger.odd,
      }),
      exactly('accounts that every operation was acknowledged on', whole.length, stored),
      ...none({ 'instances that ended by themselves': ended.map(({ process }) => process.errorLines.slice(-5)) }),
    ],
  };
}
