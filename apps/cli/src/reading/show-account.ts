import type { AccountStatusResponse, StoredAccount } from '@causeway/contracts';
import type { Context, Result } from '../frame/define-command.ts';
import { openService, pathOf } from '../session/open-service.ts';
import { quoted, tableLines, wrap } from '../terminal/lines.ts';
import { grouped } from '../terminal/numbers.ts';

interface Input {
  words: [string];
  options: { supplier: string };
}

/** Where an account is: its state, numbers and figures, and what is open. Its payload, with names, is not shown. */
export async function showAccount(context: Context, { words: [number], options }: Input): Promise<Result> {
  const service = await openService(context);
  const path = pathOf(options.supplier, number);
  const [stored, { status }] = await Promise.all([
    service.get<StoredAccount>(`accounts/${path}`),
    service.get<AccountStatusResponse>(`account-transfer-status/${path}`),
  ]);
  const { account: _payload, ...document } = stored;
  const state = status === 'IN_PROGRESS' ? status : stored.state;
  return {
    document: { ...document, state },
    lines: [
      `${stored.external_account_number} of ${stored.import_supplier}  ${state}${completeness(stored)}`,
      ...tableLines(facts(stored)),
      ...refusals(stored, context.output.columns),
      ...next(stored),
    ],
  };
}

function completeness({ state, complete }: StoredAccount): string {
  if (state !== 'COMPLETED') return '';
  return complete ? ', complete' : ', NOT complete: requests about it were refused';
}

function facts({ figures, ...stored }: StoredAccount): string[][] {
  const { transactions, statements, notes, payment_instructions: instructions } = figures;
  const rows: [string, string | null][] = [
    ['account number', stored.service_account_number],
    ['operations team', stored.operations_team_name],
    ['staged', stored.staged_at],
    ['created', stored.account_created_at],
    ['erased', stored.erased_at],
    ['transfer balance', stored.transfer_balance && grouped(stored.transfer_balance)],
    ['transactions', `${grouped(transactions.count)}, ${grouped(transactions.sum)}`],
    ['statements', statementsOf(statements)],
    ['notes', grouped(notes)],
    ['payment instruction', instructions === 0 ? 'none' : instructions === 1 ? 'active' : `${instructions} active`],
  ];
  return rows.flatMap(([name, value]) => (value === null ? [] : [[`  ${name}`, value]]));
}

function statementsOf({ count, gross_total, without_gross_amount }: StoredAccount['figures']['statements']): string {
  const sum = `${grouped(count)}, ${grouped(gross_total)} gross`;
  return without_gross_amount === undefined ? sum : `${sum}; ${grouped(without_gross_amount)} without an amount`;
}

function refusals({ refusals: open }: StoredAccount, columns: number): string[] {
  if (open.length === 0) return [];
  return [
    'Open refusals:',
    ...open.flatMap(({ operation, code, errors, detail, times, last_seen_at }) => [
      `  ${[operation, ...typesIn(operation, detail)].join(' ')}  ${code}  ${grouped(times)} ${times === 1 ? 'time' : 'times'}, last ${last_seen_at}`,
      ...errors.flatMap(({ attr, code: own }) => wrap(`${attr}: ${own}`, columns, '      ')),
      ...lackingOf(operation, detail).flatMap((lacking) => wrap(lacking, columns, '      ')),
    ]),
  ];
}

/** Which payment instructions the account lacks. */
const typesIn = (operation: string, detail: object | null) =>
  operation === 'payment_instruction' ? Object.keys(detail ?? {}) : [];

/** What was not imported since of a refused line. */
function lackingOf(operation: string, detail: object | null): string[] {
  const parts = operation === 'line' ? Object.entries(detail ?? {}) : [];
  if (parts.length === 0) return [];
  const lacking = parts.map(([part, brought]) =>
    part === 'account' ? 'its latest data' : typeof brought === 'number' ? `${grouped(brought)} ${part}` : part,
  );
  return [`still not imported from this line: ${lacking.join(', ')}`];
}

/** What moves it on. An account that exists takes no line with its account any more, but what it lacks. */
function next({ state, refusals: open, import_supplier: supplier }: StoredAccount): string[] {
  const at = `--supplier ${quoted(supplier)}`;
  if (open.length > 0 && state === 'COMPLETED')
    return [
      'Next: correct its line in the book; this adds the records that the account lacks:',
      `  causeway move <book> ${at} --team <name>`,
      'The service team can dismiss the rest, on the page of the account in the console.',
    ];
  if (open.length > 0)
    return ['Next: correct its line in the book, then', `  causeway upload <book> ${at} --team <name> --start`];
  return state === 'STAGED' ? ['Next:', `  causeway process ${at} --team <name>`] : [];
}
