import { LineOutcome } from '@causeway/contracts';
import { exact, exactText } from '@causeway/rules';
import { type Money, NO_MONEY, plus } from './money.ts';
import type { Moved } from './moved.ts';

/** How many lines were refused for one reason. */
export interface Reason {
  step: string;
  code: string;
  /** The path of the field, with `*` for places in lists; empty if no field is at fault. */
  attr: string;
  lines: number;
  /** Up to three account numbers. */
  samples: string[];
  /** False: these lines were accepted, and it is only told. */
  refused: boolean;
}

/** Of more kinds only the count is kept. */
const MOST_REASONS = 1_000;
const OTHER_REASONS = '…';

/** What happened to the lines so far. Each is added once, when it is finished. */
export class Tally {
  readonly counts = Object.fromEntries(LineOutcome.options.map((outcome) => [outcome, 0])) as Record<
    LineOutcome,
    number
  >;
  readonly #reasons = new Map<string, Reason>();
  #money: Money = NO_MONEY;

  /** One that resumes from `toJSON` of an earlier run. */
  static from(json: unknown): Tally {
    const tally = new Tally();
    const { counts, money, reasons } = json as ReturnType<Tally['toJSON']>;
    Object.assign(tally.counts, counts);
    for (const reason of reasons)
      tally.#reasons.set(keyOf(reason), { ...reason, samples: reason.samples ?? [], refused: reason.refused ?? true });
    tally.#money = {
      transactions: exact(money.transactions_sent) ?? 0n,
      transactionsStored: exact(money.transactions_stored) ?? 0n,
      transactionsRepeated: exact(money.transactions_repeated ?? 0) ?? 0n,
      repeated: money.repeated_transactions ?? 0,
      transactionsBefore: exact(money.transactions_before ?? 0) ?? 0n,
      accountsBefore: money.accounts_not_counted ?? 0,
      omitted: money.omitted_transactions ?? 0,
      statements: money.statements_sent,
      statementsStored: money.statements_stored,
    };
    return tally;
  }

  add({ outcome, refusal, money, remarks }: Moved, account?: string): void {
    this.counts[outcome] += 1;
    this.#money = plus(this.#money, money);
    const told = remarks.map((remark) => ({ step: 'move', ...remark, refused: false }));
    const reasons = [...told, ...(refusal === undefined ? [] : reasonsOf(refusal))];
    for (const [key, reason] of new Map(reasons.map((reason) => [keyOf(reason), reason]))) {
      this.#count(key, reason, account);
    }
  }

  get lines(): number {
    return Object.values(this.counts).reduce((sum, count) => sum + count, 0);
  }

  /** Created, updated or there already. */
  get moved(): number {
    return this.counts.created + this.counts.updated + this.counts.unchanged;
  }

  /** Those that are in the file of failed rows. */
  get refused(): number {
    return this.counts.refused + this.counts.failed;
  }

  get money(): Money {
    return this.#money;
  }

  /** Those of most lines first. */
  get reasons(): Reason[] {
    return [...this.#reasons.values()].sort((one, other) => other.lines - one.lines);
  }

  toJSON() {
    const { transactions, transactionsStored, transactionsRepeated, repeated, statements, statementsStored } =
      this.#money;
    return {
      lines: this.lines,
      counts: this.counts,
      money: {
        transactions_sent: exactText(transactions),
        transactions_stored: exactText(transactionsStored),
        transactions_repeated: exactText(transactionsRepeated),
        repeated_transactions: repeated,
        transactions_before: exactText(this.#money.transactionsBefore),
        accounts_not_counted: this.#money.accountsBefore,
        omitted_transactions: this.#money.omitted,
        statements_sent: statements,
        statements_stored: statementsStored,
      },
      reasons: this.reasons,
    };
  }

  #count(key: string, reason: Kind, account: string | undefined): void {
    const isKnown = this.#reasons.has(key) || this.#reasons.size < MOST_REASONS;
    const kept = isKnown ? key : OTHER_REASONS;
    const before = this.#reasons.get(kept) ?? { ...(isKnown ? reason : OTHERS), lines: 0, samples: [] };
    const isSample = account !== undefined && before.samples.length < MAX_SAMPLES;
    const samples = isSample ? [...before.samples, account] : before.samples;
    this.#reasons.set(kept, { ...before, lines: before.lines + 1, samples });
  }
}

type Kind = Omit<Reason, 'lines' | 'samples'>;

function reasonsOf({ step, code, errors }: NonNullable<Moved['refusal']>): Kind[] {
  const faults = errors.length === 0 ? [{ code, attr: '' }] : errors;
  return faults.map((fault) => ({
    ...{ step, code: fault.code, refused: true },
    attr: fault.attr.replace(/\b\d+\b/g, '*'),
  }));
}

const MAX_SAMPLES = 3;
const OTHERS: Kind = { step: OTHER_REASONS, code: OTHER_REASONS, attr: '', refused: true };
const keyOf = ({ step, code, attr }: Kind) => (code === OTHER_REASONS ? code : `${step} ${code} ${attr}`);
