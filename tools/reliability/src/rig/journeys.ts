import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '@causeway/testing';
import { carefulSender, emptyLedger, type SendLedger } from './careful-sender.ts';
import { type OperationName, operationOn } from './operations.ts';
import type { ServiceWorld, Supplier } from './service-world.ts';
import { waitUntil } from './wait.ts';

/** Accounts that clients lead through a journey each. */
export interface Travellers<Kind> {
  readonly ledger: SendLedger;
  /** What became, or has to become, of each account. */
  readonly kinds: ReadonlyMap<string, Kind>;
  /** Waits until so many more have arrived. */
  untilArrived(more: number): Promise<unknown>;
  /** Finishes the accounts that were begun, and begins no more. */
  finish(): Promise<void>;
}

export interface Step {
  name: OperationName;
  /** Fields that replace those of the usual request. */
  fields?: object;
  /** It has to be refused. */
  isBad?: true;
}

interface Led<Kind> {
  clients: number;
  random: Random;
  /** Before each account. */
  pauseMs?: number;
  /** How the numbers of the accounts begin. */
  prefix: string;
  /** Of the n-th account. */
  kindOf(number: number): Kind;
  stepsOf(account: string, kind: Kind): Promise<readonly Step[]> | readonly Step[];
}

const ANSWERS: Partial<Record<OperationName, readonly string[]>> = {
  stage: ['201', '200'],
  process: ['201', '400 account_import_process_already_imported'],
  notes: ['201'],
};
const REFUSALS = ['400 account_failed_validation', '400 request_failed_validation'];

/** Clients like those of a careful supplier create accounts, each of its kind. */
export function lead<Kind>(world: ServiceWorld, supplier: Supplier, led: Led<Kind>): Travellers<Kind> {
  const { clients, random, pauseMs = 0, prefix, kindOf, stepsOf } = led;
  const ledger = emptyLedger();
  const kinds = new Map<string, Kind>();
  const { expect } = carefulSender(world, supplier, { ledger, random });
  let arrived = 0;
  let isFinishing = false;

  async function leadOne(account: string, kind: Kind): Promise<void> {
    for (const { name, fields, isBad } of await stepsOf(account, kind)) {
      const { path, body } = operationOn(supplier, account, name);
      await expect({ path, body: { ...body, ...fields } }, isBad ? REFUSALS : (ANSWERS[name] ?? []));
    }
    arrived += 1;
  }

  const leading = Promise.all(
    Array.from({ length: clients }, async () => {
      while (!isFinishing) {
        const account = `${prefix}-${kinds.size + 1}`;
        const kind = kindOf(kinds.size);
        kinds.set(account, kind);
        await leadOne(account, kind);
        await delay(pauseMs);
      }
    }),
  );
  return {
    ledger,
    kinds,
    untilArrived(more) {
      const enough = arrived + more;
      return waitUntil(() => arrived >= enough);
    },
    async finish() {
      isFinishing = true;
      await leading;
    },
  };
}

/** The requests about one account, in their order, and what must be told of it. */
export interface Journey {
  steps: readonly Step[];
  /** The events in the order in which they happen, by the letters of `LETTERS`. */
  told: RegExp;
}

/** An account may be staged again by a request whose answer was lost: that is told each time. */
export const LETTERS: Readonly<Record<string, string>> = {
  'account.staged': 's',
  'account.created': 'c',
  'account.completed': 'd',
  'account.refused': 'r',
};

const BAD_STAGE: Step = { name: 'stage', fields: { customers: 'none' }, isBad: true };
const BAD_NOTES: Step = { name: 'notes', fields: { notes: [{ body: 7 }] }, isBad: true };
const CREATION: readonly Step[] = [{ name: 'stage' }, { name: 'process' }];
const JOURNEYS: readonly Journey[] = [
  { steps: CREATION, told: /^s+cd$/ },
  { steps: [BAD_STAGE, ...CREATION], told: /^rs+cd$/ },
  { steps: [...CREATION, BAD_NOTES, { name: 'notes' }], told: /^s+cdrd$/ },
];

/** Whether a text has something of the payloads that the accounts have in common. */
export const isPersonal = (text: string): boolean => /Zoë|Hartley|zoe@|Alder Row|Moved house/.test(text);

/** Accounts that are created: some at once, some after a refusal, some with one later. */
export function leadAccounts(
  world: ServiceWorld,
  supplier: Supplier,
  options: { clients: number; random: Random; pauseMs?: number },
): Travellers<Journey> {
  const kindOf = () => options.random.pick(JOURNEYS);
  return lead(world, supplier, { ...options, prefix: 'LED', kindOf, stepsOf: (_, { steps }) => steps });
}
