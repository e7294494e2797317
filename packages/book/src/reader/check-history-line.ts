import {
  AccountPaymentInstruction,
  type FieldError,
  fieldErrorsOf,
  ImportNotesRequest,
  ImportPaymentInstructionRequest,
  ImportStatementsRequest,
  ImportTransactionsRequest,
  InstructionsOfLine,
  sentInstructions,
} from '@causeway/contracts';
import {
  type FoundProblems,
  faultsOfIdentifiers,
  type NamedIdentifiers,
  NOTES_CHECKS,
  PAYMENT_INSTRUCTION_CHECKS,
  type RequestChecks,
  referenceIn,
  STATEMENTS_CHECKS,
  statementIdsIn,
  TRANSACTIONS_CHECKS,
  transactionIdsIn,
} from '@causeway/rules';
import type { z } from 'zod';
import { controlErrors } from '../figures/check-control.ts';
import { figuresOfLine } from '../figures/figures-of-line.ts';
import { checkPart } from './check-part.ts';
import type { BookSettings, CheckedRequest, HistoryLine, ReadBookLine } from './checked-line.ts';
import { isFields, type LineFields, sentTwice } from './line-fields.ts';
import { refusedLine } from './refused-line.ts';
import { withoutZeros } from './zero-amounts.ts';

type Fields = Record<string, unknown>;
type Import = 'notes' | 'transactions' | 'statements' | 'payment_instruction';

/** How the call of an import checks its request. */
interface ImportCall<Schema extends z.ZodObject> {
  schema: Schema;
  checks: RequestChecks;
  identifiers?: (request: unknown) => NamedIdentifiers;
  /** Where the request's own fields are in the line. */
  path?: string;
}

const NOTES = { schema: ImportNotesRequest, checks: NOTES_CHECKS };
const TRANSACTIONS = {
  schema: ImportTransactionsRequest,
  checks: TRANSACTIONS_CHECKS,
  identifiers: transactionIdsIn,
};
const STATEMENTS = { schema: ImportStatementsRequest, checks: STATEMENTS_CHECKS, identifiers: statementIdsIn };
const PAYMENT_INSTRUCTION = {
  schema: ImportPaymentInstructionRequest,
  checks: PAYMENT_INSTRUCTION_CHECKS,
  identifiers: referenceIn,
};

/**
 * A line with history for an account that exists, checked as the separate imports check theirs (behaviour 21.1.3): all
 * its problems at once, those of an instruction below its place in the line. Whether there is such an account, and such
 * a vendor, is for the caller to look up.
 */
export function checkHistoryLine(fields: LineFields, settings: BookSettings): ReadBookLine {
  const { history, external_account_number: number, control } = fields;
  const { sent } = fields;
  const first = firstImportOf(history);
  if (first === undefined) {
    const refused = { step: 'validate', code: 'account_failed_validation', sent } as const;
    return refusedLine(refused, { all: [NOTHING, ...fields.errors] });
  }
  const imports = new Imports(fields, settings);
  const line: HistoryLine = {
    kind: 'history',
    // If it is none, the imports say so.
    external_account_number: number as string,
    control,
    ...imports.check('notes', NOTES, { notes: history.notes }),
    ...imports.check('transactions', TRANSACTIONS, { transactions: history.transactions, ...settings.importOptions }),
    ...imports.check('statements', STATEMENTS, { statements: history.statements }),
    payment_instructions: sentInstructions(history).flatMap(({ path, sent }) =>
      Object.values(imports.check('payment_instruction', { ...PAYMENT_INSTRUCTION, path }, instructionOf(sent))),
    ),
  };
  const { problems, refusedFirst = first } = imports;
  const refused = { step: refusedFirst, code: 'request_failed_validation', sent } as const;
  if (problems.all.length > 0) return refusedLine(refused, problems);
  const errors = controlErrors(line.control, () => figuresOfLine(line));
  if (errors.length > 0) return refusedLine(refused, { all: errors });
  const { transactions } = line;
  if (transactions === undefined) return { line };
  const { fields: request, omitted } = withoutZeros(transactions.request, settings.importSupplier);
  return { line: omitted === 0 ? line : { ...line, transactions: { ...transactions, request }, omitted } };
}

/** Checks the imports of one line, one after the other. */
class Imports {
  readonly problems: { all: FieldError[]; hasMore: boolean };
  refusedFirst: Import | undefined;
  readonly #fields: LineFields;
  readonly #settings: BookSettings;
  /** Undocumented fields of the line go with its first import. */
  #others: Fields;

  constructor(fields: LineFields, settings: BookSettings) {
    this.#fields = fields;
    this.#settings = settings;
    this.#others = fields.others;
    this.problems = { all: [...fields.errors, ...errorsOfInstructions(fields)], hasMore: false };
  }

  /** The request of an import, under its name; nothing if the line has none, or it is refused. */
  check<Name extends Import, Schema extends z.ZodObject>(
    name: Name,
    call: ImportCall<Schema>,
    own: Fields,
  ): { [Each in Name]?: CheckedRequest<z.output<Schema>> } {
    if (call.path === undefined && !(name in this.#fields.history)) return {};
    const { external_account_number } = this.#fields;
    const others = this.#others;
    this.#others = {};
    const names = { import_supplier: this.#settings.importSupplier.code, external_account_number };
    const { identifiers } = call;
    const alsoFind = (request: unknown) => (identifiers === undefined ? [] : faultsOfIdentifiers(identifiers(request)));
    const part = { ...call, sent: { ...own, ...others, ...names }, alsoFind };
    const result = checkPart(part, this.#settings);
    if ('checked' in result) return { [name]: result.checked } as { [Each in Name]: typeof result.checked };
    this.refusedFirst ??= name;
    this.#add(result.problems, (attr) => (call.path !== undefined && attr in own ? `${call.path}.${attr}` : attr));
    return {};
  }

  #add({ all, hasMore = false }: FoundProblems, pathInLine: (attr: string) => string): void {
    this.problems.all.push(...all.map((error) => ({ ...error, attr: pathInLine(error.attr) })));
    this.problems.hasMore ||= hasMore;
  }
}

const OWN_FIELDS = Object.keys(AccountPaymentInstruction.shape);

/** The instruction's own fields, none of them left out: a path that begins with one is that of the instruction. */
function instructionOf(sent: Fields): Fields {
  const own = Object.fromEntries(OWN_FIELDS.map((name) => [name, undefined]));
  return { ...own, ...(isFields(sent) ? sent : {}) };
}

/**
 * What is wrong with the instructions of a line besides what their call says of each: they are none, or more than one
 * of a type, or have what the line says already, or a dry run of their own.
 */
export function errorsOfInstructions({ history, others }: LineFields): FieldError[] {
  const { error } = InstructionsOfLine.safeParse(history);
  const faults = error === undefined ? [] : fieldErrorsOf(error, history);
  const misplaced = sentInstructions(history).flatMap(({ path, sent }) =>
    Object.keys(sent).flatMap((name) => {
      const attr = `${path}.${name}`;
      const isOfLine = name in ImportPaymentInstructionRequest.shape && !OWN_FIELDS.includes(name);
      if (isOfLine) return { ...NOT_OF_AN_INSTRUCTION, attr };
      return Object.hasOwn(others, name) ? sentTwice(attr) : [];
    }),
  );
  return [...faults.filter(({ attr }) => IS_INSTRUCTION.test(attr)), ...misplaced];
}

/** The path of a whole instruction, or of their list. */
const IS_INSTRUCTION = /^payment_instructions?(\.\d+)?$/;

export const NOTHING: FieldError = {
  detail: 'A line needs an account or, beside external_account_number, some history.',
  code: 'required',
  attr: 'account',
};
const NOT_OF_AN_INSTRUCTION = {
  detail: 'In a line, a payment instruction has no such field.',
  code: 'undocumented_field',
} as const;

/** What a line brings first. */
export const firstImportOf = (history: Fields): Import | undefined =>
  Object.keys(history)[0]?.replace('instructions', 'instruction') as Import | undefined;
