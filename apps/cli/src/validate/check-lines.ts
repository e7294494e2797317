import {
  type AccountLine,
  accountNumberOf,
  type BookSettings,
  describeField,
  duplicateInFile,
  failedRow,
  figuresOfLine,
  type HistoryLine,
  type LineRefusal,
  occupanciesOfLine,
  placedRemarksOfLine,
  readBookLine,
  withoutPlaces,
} from '@causeway/book';
import { LIMITS, moneyText } from '@causeway/contracts';
import { MAX_LINE_BYTES } from '../book-files/book.ts';
import { digestOfNumber } from '../book-files/temporary-database.ts';
import { doubtOfBalance } from '../convert/doubt-of-balance.ts';
import { addCount } from '../convert/one-supplier.ts';
import { Remarks } from '../convert/suspicions.ts';
import type { CheckAnswer, CheckRequest, LineOccupancy } from './batch.ts';
import {
  addBalance,
  addServices,
  addTo,
  type Cluster,
  type Findings,
  hundredths,
  keyOf,
  noFindings,
} from './findings.ts';
import { currenciesOf, serviceAt } from './line-facts.ts';
import type { CheckSettings } from './read-settings.ts';

/** Checks lines exactly as the service does (behaviour 25.3.1), and says what it found. */
export function createLineChecker(settings: CheckSettings): (request: CheckRequest) => CheckAnswer {
  const bookSettings = bookSettingsOf(settings);
  return ({ batch, file, duplicates }) => {
    const { lengths, numbers, bytes } = batch;
    const found = new BatchFindings(settings, file);
    const accounts = new BigInt64Array(lengths.length);
    let start = 0;
    for (const [index, length] of lengths.entries()) {
      const line = { number: numbers[index] as number, bytes: Buffer.from(bytes, start, length) };
      start += length;
      const read = readBookLine(line.bytes, bookSettings);
      const account =
        'line' in read ? read.line.external_account_number : accountNumberOf(line.bytes, bookSettings.maxLineBytes);
      if (account !== undefined) accounts[index] = digestOfNumber(account);
      if (duplicates.includes(index)) found.refuse(line, account, duplicateInFile());
      else if ('line' in read) found.accept(line.number, read.line);
      else found.refuse(line, account, read.refusal);
    }
    return { batch, accounts, ...found.answer() };
  };
}

function bookSettingsOf({ supplier, today, payment_vendors, ...settings }: CheckSettings): BookSettings {
  return {
    importSupplier: { code: supplier, ...settings },
    today,
    maxLineBytes: MAX_LINE_BYTES,
    paymentVendors: payment_vendors === null ? { has: () => true } : new Set(payment_vendors),
    importOptions: { check_previously_added: true, force_add_to_current_statement: false },
  };
}

const BALANCE = 'transfer_balance';

type Problem = Pick<Cluster, 'step' | 'code' | 'attr' | 'refused'> & { service?: string | undefined };

/** What the lines of one batch came to. */
class BatchFindings {
  readonly #statementUnit: CheckSettings['statement_amount_unit'];
  readonly #file: string | undefined;
  readonly #findings: Findings = noFindings();
  readonly #clusters = new Map<string, Cluster>();
  readonly #results: string[] = [];
  readonly #failed: Buffer[] = [];
  readonly #occupancies: LineOccupancy[] = [];
  readonly #balances = new Remarks();

  constructor({ statement_amount_unit }: CheckSettings, file: string | undefined) {
    this.#statementUnit = statement_amount_unit;
    this.#file = file;
  }

  accept(number: number, line: AccountLine | HistoryLine): void {
    this.#findings.lines += 1;
    this.#addFigures(line);
    if (line.kind === 'account') this.#addOccupancies(number, line);
    const remarks = placedRemarksOfLine(line);
    if (remarks.length === 0) return;
    const { external_account_number } = line;
    const step = 'validate';
    this.#cluster(
      external_account_number,
      remarks.map(({ code, attr }) => {
        return { step, code, attr: withoutPlaces(attr), refused: false, service: serviceAt(attr, line) };
      }),
    );
    const warnings = remarks.slice(0, LIMITS.reported_errors);
    this.#tell({ line: number, external_account_number, outcome: 'accepted', warnings });
  }

  refuse(line: { number: number; bytes: Buffer }, account: string | undefined, refusal: LineRefusal): void {
    const { step, code, errors } = refusal;
    this.#findings.lines += 1;
    this.#findings.refused += 1;
    const atFault = errors.length === 0 ? [{ code, attr: '' }] : errors;
    this.#cluster(
      account,
      atFault.map(({ code: own, attr }) => ({ step, code: own, attr: withoutPlaces(attr), refused: true })),
    );
    this.#tell({ line: line.number, external_account_number: account ?? null, outcome: 'refused', ...refusal });
    this.#failed.push(failedRow(line, refusal));
  }

  answer(): Pick<CheckAnswer, 'findings' | 'results' | 'failed' | 'occupancies'> {
    return {
      occupancies: this.#occupancies,
      findings: { ...this.#findings, clusters: [...this.#clusters.values()], balances: this.#balances.all },
      results: alone(Buffer.from(this.#results.join(''))),
      failed: alone(Buffer.concat(this.#failed)),
    };
  }

  #addOccupancies(line: number, account: AccountLine): void {
    for (const { identifier, ...occupancy } of occupanciesOfLine(account)) {
      const point = digestOfNumber(identifier);
      this.#occupancies.push({ ...occupancy, line, account: account.external_account_number, point });
    }
  }

  /** Of an account without transactions: they may follow, so that this is no problem of the line. */
  #lookAtBalance({ account: { request }, external_account_number: account }: AccountLine): void {
    const doubt = doubtOfBalance(request, { hasTransactions: false });
    if (doubt !== undefined) this.#balances.add({ file: '', line: undefined, column: BALANCE, account }, doubt);
  }

  #tell(result: object): void {
    const file = this.#file === undefined ? {} : { file: this.#file };
    this.#results.push(`${JSON.stringify({ ...file, ...result })}\n`);
  }

  #addFigures(line: AccountLine | HistoryLine): void {
    const { sums } = this.#findings;
    const { notes, transactions, by_type, statements, statements_gross } = figuresOfLine(line);
    if (line.kind === 'account') {
      addBalance(sums, hundredths(moneyText(line.account.request.transfer_balance ?? 0)));
      if (transactions === 0) this.#lookAtBalance(line);
    }
    for (const [type, { count, amount }] of Object.entries(by_type)) {
      addTo(sums, `transactions ${type}`, { count, amount: hundredths(amount) });
    }
    for (const currency of currenciesOf(line)) addCount(this.#findings.currencies, currency);
    const gross = hundredths(statements_gross);
    const amount = this.#statementUnit === 'MINOR' ? gross / 100n : gross;
    addTo(sums, 'statements', { count: statements, amount });
    addTo(sums, 'notes', { count: notes, amount: 0n });
    addTo(sums, 'transactions of zero, left out', { count: line.omitted ?? 0, amount: 0n });
  }

  /** A line counts once in each cluster, and there once for each service, however often it has the problem. */
  #cluster(account: string | undefined, problems: readonly Problem[]): void {
    for (const [key, [problem, ...others]] of Map.groupBy(problems, keyOf)) {
      if (problem === undefined) continue;
      const { service, ...first } = problem;
      const known = this.#clusters.get(key) ?? { ...first, description: describe(first), accounts: 0, samples: [] };
      known.accounts += 1;
      if (account !== undefined && known.samples.length < 3) known.samples.push(account);
      const services = new Set([service, ...others.map((other) => other.service)].filter((one) => one !== undefined));
      addServices(known, Object.fromEntries([...services].map((one) => [one, 1])));
      this.#clusters.set(key, known);
    }
  }
}

/** In memory of its own, which can be handed over. */
function alone(bytes: Buffer): Uint8Array {
  return new Uint8Array(bytes);
}

const descriptions = new Map<string, string | null>();
const MAX_DESCRIPTIONS = 10_000;

function describe({ step, attr }: Problem): string | null {
  const key = `${step} ${attr}`;
  const known = descriptions.get(key);
  if (known !== undefined) return known;
  const description = describeField(step, attr);
  if (descriptions.size < MAX_DESCRIPTIONS) descriptions.set(key, description);
  return description;
}
