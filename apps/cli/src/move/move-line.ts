import type { PartsOfLine } from '@causeway/book';
import type { AccountFigures } from '@causeway/contracts';
import { postOf } from '@causeway/rest-client';
import { addUnchecked } from './add-unchecked.ts';
import type { Called, Caller } from './caller.ts';
import { refusalAsSent, withLeftOut } from './left-out.ts';
import { carriedMoney, carriesMoney, importedMoney, NO_MONEY, plus } from './money.ts';
import type { Moved, MoveOptions, Remarked } from './moved.ts';
import {
  addedSince,
  figuresIn,
  filledIn,
  isImported,
  isRolledBack,
  isSuccess,
  numberIn,
  resultsIn,
} from './read-answer.ts';
import { ofOneOf, Refused, refuseDifference, refusedBy, refuseOtherData, refuseWhatMayBeThere } from './refused.ts';
import { isToReplace, replaceAccount } from './replace-account.ts';
import { IMPORTS, PATHS, type Step } from './steps.ts';

/**
 * Moves a line: validate, stage, process, then its history, import by import (behaviour 25.4.1). The first refusal ends
 * it; what was done before stays, and the same line sent again resumes from there. Throws a Failure for a refusal that
 * is no fault of the line.
 */
export async function moveLine(parts: PartsOfLine, context: { caller: Caller; options: MoveOptions }): Promise<Moved> {
  const journey = new Journey(parts, context);
  try {
    await journey.run();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const refusal = refusalAsSent(error.refusal, parts.zeros.places);
    return { ...journey.moved, outcome: error.isOurs ? 'failed' : 'refused', refusal };
  }
  return withLeftOut(journey.moved, parts.zeros.omitted);
}

class Journey {
  readonly moved: Moved = { outcome: 'unchanged', steps: {}, money: NO_MONEY, remarks: [] };
  readonly #parts: PartsOfLine;
  readonly #caller: Caller;
  readonly #options: MoveOptions;
  /** Of an account that was there, before its history is sent. */
  #before: AccountFigures | undefined;

  constructor(parts: PartsOfLine, { caller, options }: { caller: Caller; options: MoveOptions }) {
    this.#parts = parts;
    this.#caller = caller;
    this.#options = options;
  }

  async run(): Promise<void> {
    const { moved } = this;
    const { account, history } = this.#parts;
    if (account !== undefined) await this.#create(account);
    if (this.#options.isDryRun) {
      if (account === undefined) moved.outcome = 'not_processed';
      return;
    }
    if (this.#isReplaced) return;
    const wasThere = moved.outcome !== 'created';
    if (wasThere && Object.keys(history).length > 0) await this.#look();
    for (const name of IMPORTS) {
      const parts = history[name] ?? [];
      for (const [index, part] of parts.entries()) {
        await this.#import(name, part).catch((error: unknown) => {
          throw parts.length > 1 ? ofOneOf(index, error) : error;
        });
      }
    }
    if (this.#before !== undefined) await this.#countAdded(this.#before);
    const hasChanged = Object.values(moved.steps).some(({ added, filled }) => added > 0 || filled !== undefined);
    if (wasThere && hasChanged) moved.outcome = 'updated';
  }

  async #create(account: Record<string, unknown>): Promise<void> {
    await this.#post('validate', account);
    const staged = await this.#post('stage', account, isImported);
    if (isToReplace(staged, this.#options)) return this.#replace(account, staged);
    refuseOtherData(staged);
    const { supplier, team, isDryRun } = this.#options;
    const processed =
      isImported(staged) && numberIn(staged) !== undefined
        ? staged
        : await this.#post(
            'process',
            {
              external_account_number: this.#parts.external_account_number,
              import_supplier_code: supplier,
              operations_team_name: team,
              ...(isDryRun && { dry_run: true }),
            },
            (answer) => isImported(answer) || (isDryRun && isRolledBack(answer)),
          );
    const number = numberIn(processed);
    if (number !== undefined) this.moved.service_account_number = number;
    // An attempt whose answer was lost has created it: nobody else moves this line.
    const isNew = !isImported(processed) || (!isImported(staged) && processed.isRepeated);
    if (isNew) this.moved.outcome = 'created';
    if (isDryRun || !carriesMoney(account)) return;
    if (isNew) await this.#countCarried(account);
    else this.moved.money = { ...NO_MONEY, accountsBefore: 1 };
  }

  #isReplaced = false;

  async #replace(account: Record<string, unknown>, staged: Called): Promise<void> {
    const { history } = this.#parts;
    const { sent, moved } = await replaceAccount(this.#caller, { staged, account, history, options: this.#options });
    this.#isReplaced = true;
    Object.assign(this.moved, moved);
    if (!this.#options.isDryRun) await this.#countCarried(sent);
  }

  async #look(): Promise<void> {
    const answer = await this.#read();
    this.#before = figuresIn(answer);
    const [part] = this.#parts.history.transactions ?? [];
    const { checksPreviouslyAdded, now } = this.#options;
    if (part !== undefined && !checksPreviouslyAdded) refuseWhatMayBeThere(part, answer, now());
  }

  /** The answer to process does not tell what was stored of the history. */
  async #countCarried(account: Record<string, unknown>): Promise<void> {
    const answer = await this.#read();
    const figures = figuresIn(answer);
    if (figures === undefined) throw refusedBy(answer, 'process');
    const money = carriedMoney(account, figures);
    this.moved.money = money;
    refuseDifference('process', money);
  }

  async #import(name: (typeof IMPORTS)[number], part: Record<string, unknown>): Promise<void> {
    const names = {
      import_supplier: this.#options.supplier,
      external_account_number: this.#parts.external_account_number,
    };
    const { body } = await this.#post(name, { ...part, ...names });
    const sent = name === 'payment_instruction' ? 1 : (part[name] as unknown[]).length;
    const before = this.#options.checksPreviouslyAdded || name !== 'transactions' ? undefined : this.#before;
    const isKept =
      before !== undefined && figuresIn(await this.#read())?.transactions.count === before.transactions.count;
    const exists = (result: unknown) => isKept || Object(result).status?.endsWith('ALREADY_EXISTS');
    const results = resultsIn(body, name);
    const existing = results.filter(exists).length;
    const differing = new Set(results.flatMap((result): string[] => Object(result).differences ?? []));
    this.#tell([...differing].map((field) => ({ code: 'existing_data_differs', attr: `${name}.*.${field}` })));
    const checksRepeats = this.#options.checksPreviouslyAdded;
    const money = importedMoney(name, { sent: part, answer: body, checksRepeats, isKept, before });
    const step = this.moved.steps[name] ?? { added: 0, existing: 0 };
    const filled = filledIn(body, name);
    this.moved.steps[name] = {
      added: step.added + sent - existing,
      existing: step.existing + existing,
      ...(filled > 0 && { filled }),
    };
    this.moved.money = plus(this.moved.money, money);
    refuseDifference(name, money);
  }

  #tell(remarks: readonly Remarked[]): void {
    const known = new Set(this.moved.remarks.map(({ code, attr }) => `${code} ${attr}`));
    this.moved.remarks.push(...remarks.filter(({ code, attr }) => !known.has(`${code} ${attr}`)));
  }

  /** What the account has; a service without this call answers 404. */
  async #read(): Promise<Called> {
    const number = encodeURIComponent(this.#parts.external_account_number ?? '');
    const path = `accounts/${encodeURIComponent(this.#options.supplier)}/${number}/`;
    const answer = await this.#caller.call('other', { method: 'GET', path });
    if (answer.status < 300 && figuresIn(answer) === undefined) throw refusedBy(answer, 'process');
    return answer;
  }

  /** The answers to statements and to an instruction do not tell which the account had before. */
  async #countAdded(before: AccountFigures): Promise<void> {
    const { steps } = this.moved;
    if (steps.statements === undefined && steps.payment_instruction === undefined) return;
    const added = addedSince(before, figuresIn(await this.#read()) ?? before);
    for (const name of ['statements', 'payment_instruction'] as const) {
      const step = steps[name];
      if (step === undefined) continue;
      steps[name] = { ...step, added: added[name], existing: step.added + step.existing - added[name] };
    }
  }

  async #post(step: Step, body: object, isExpected: (answer: Called) => boolean = () => false): Promise<Called> {
    const isUnchecked = step === 'transactions' && !this.#options.checksPreviouslyAdded;
    const answer = await (isUnchecked
      ? addUnchecked(this.#caller, body, async () => numberIn(await this.#read()))
      : this.#caller.call(step === 'process' ? 'process' : 'other', postOf(PATHS[step], body)));
    if (isSuccess(step, answer) || isExpected(answer)) {
      // Staging says of an account what its validation has said.
      if (step !== 'stage') this.#tell(answer.remarks ?? []);
      return answer;
    }
    throw refusedBy(answer, step === 'process' && this.#options.isDryRun ? 'dry_run' : step);
  }
}
