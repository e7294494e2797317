import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '@causeway/testing';
import { carefulSender, type SendLedger } from './careful-sender.ts';
import { type OperationName, operationOn } from './operations.ts';
import type { ServiceWorld, Supplier } from './service-world.ts';

/** The requests about one account, in their order, and what must be told of it. */
export interface Journey {
  steps: readonly { name: OperationName; isBad?: true }[];
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

const STAGE = { name: 'stage' } as const;
const PROCESS = { name: 'process' } as const;
const JOURNEYS: readonly Journey[] = [
  { steps: [STAGE, PROCESS], told: /^s+cd$/ },
  { steps: [{ name: 'stage', isBad: true }, STAGE, PROCESS], told: /^rs+cd$/ },
  { steps: [STAGE, PROCESS, { name: 'notes', isBad: true }, { name: 'notes' }], told: /^s+cdrd$/ },
];

/** What makes each kind of request invalid. */
const SPOILT: Partial<Record<OperationName, object>> = {
  stage: { customers: 'none' },
  notes: { notes: [{ body: 7 }] },
};
const ANSWERS: Partial<Record<OperationName, readonly string[]>> = {
  stage: ['201', '200'],
  process: ['201', '400 account_import_process_already_imported'],
  notes: ['201'],
};
const REFUSALS = ['400 account_failed_validation', '400 request_failed_validation'];

/** Whether a text has something of the payloads that the accounts have in common. */
export const isPersonal = (text: string): boolean => /Zoë|Hartley|zoe@|Alder Row|Moved house/.test(text);

/** Accounts that clients lead through a journey each. */
export interface Travellers {
  readonly ledger: SendLedger;
  /** By account. */
  readonly journeys: ReadonlyMap<string, Journey>;
  /** How many have arrived. */
  readonly arrived: number;
  /** Finishes the accounts that were begun, and begins no more. */
  finish(): Promise<void>;
}

export interface TravelOptions {
  clients: number;
  random: Random;
  /** Before each account. */
  pauseMs?: number;
}

/** Clients like those of a careful supplier create accounts: some at once, some after a refusal, some with one later. */
export function leadAccounts(
  world: ServiceWorld,
  supplier: Supplier,
  { clients, random, pauseMs = 0 }: TravelOptions,
): Travellers {
  const ledger: SendLedger = { sent: 0, inDoubt: 0, odd: [] };
  const journeys = new Map<string, Journey>();
  const { expect } = carefulSender(world, supplier, { ledger, random });
  let arrived = 0;
  let isFinishing = false;

  async function lead(account: string, { steps }: Journey): Promise<void> {
    for (const { name, isBad } of steps) {
      const { path, body } = operationOn(supplier, account, name);
      await expect({ path, body: { ...body, ...(isBad && SPOILT[name]) } }, isBad ? REFUSALS : (ANSWERS[name] ?? []));
    }
    arrived += 1;
  }

  const leading = Promise.all(
    Array.from({ length: clients }, async () => {
      while (!isFinishing) {
        const journey = random.pick(JOURNEYS);
        const account = `LED-${journeys.size + 1}`;
        journeys.set(account, journey);
        await lead(account, journey);
        await delay(pauseMs);
      }
    }),
  );
  return {
    ledger,
    journeys,
    get arrived() {
      return arrived;
    },
    async finish() {
      isFinishing = true;
      await leading;
    },
  };
}
