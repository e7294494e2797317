import { readFileSync } from 'node:fs';
import { ERROR_CODES, type ErrorCode, FIELD_CODES, LIMITS } from '@causeway/contracts';
import { REFUSALS } from '../graphql/refusals.ts';
import type { Route } from '../rest/routes.ts';
import { errorCodesOf } from './errors.ts';
import { REPEATS, STATUSES } from './guide-tables.ts';

const ERROR_HEAD = ['Code', 'Status', 'When', 'Usual cause', 'What your client does'];

const count = (number: number) => number.toLocaleString('en-GB');

/**
 * What an integrator reads first, as Markdown: `guide.md`, with its tables of limits and codes filled in from
 * where they are defined.
 */
export function integratorsGuide(routes: readonly Route[]): string {
  const statuses = statusesByCode(routes);
  const isPublic = (code: ErrorCode) => statuses.has(code);
  const codes = Object.keys(ERROR_CODES) as ErrorCode[];
  const errorRow = (code: ErrorCode) => [
    `\`${code}\``,
    [...(statuses.get(code) ?? [ERROR_CODES[code].status])].sort().join(',\u00a0'),
    ERROR_CODES[code].when,
    ERROR_CODES[code].cause,
    ERROR_CODES[code].remedy,
  ];
  const parts: Record<string, string> = {
    reported_errors: count(LIMITS.reported_errors),
    statuses: table(['Status', 'It means', 'What your client does'], STATUSES),
    repeats: table(['Request', 'Sent again'], REPEATS),
    limits: table(['Of', 'At most'], limits()),
    error_codes: table(ERROR_HEAD, codes.filter(isPublic).map(errorRow)),
    field_codes: table(
      ['Code', 'When'],
      Object.entries(FIELD_CODES).map(([code, when]) => [`\`${code}\``, when]),
    ),
    token_codes: table(
      ['Code', 'Status', 'When'],
      Object.values(REFUSALS).map(({ errorCode, status, errorDescription }) => [
        `\`${errorCode}\``,
        String(status),
        errorDescription,
      ]),
    ),
    staff_codes: table(ERROR_HEAD, codes.filter((code) => !isPublic(code)).map(errorRow)),
  };
  const text = readFileSync(new URL('guide.md', import.meta.url), 'utf8');
  return text.replace(/\{\{(\w+)\}\}/g, (_whole, name: string) => {
    const part = parts[name];
    if (part === undefined) {
      throw new Error(`guide.md asks for ${name}, which nobody provides`);
    }
    return part;
  });
}

function limits(): string[][] {
  return [
    ['The body of a request', '10 MB, unless the service team says otherwise'],
    ['The time in which a body must arrive', '15 seconds, unless the service team says otherwise'],
    ['Customers of an account', count(LIMITS.customers)],
    ['Supply addresses of an account', count(LIMITS.supply_addresses)],
    ['Any other list within an account or a transaction', count(LIMITS.nested)],
    ['Notes in a request', count(LIMITS.notes)],
    ['Transactions in a request', count(LIMITS.transactions)],
    ['Statements in a request', count(LIMITS.statements)],
    ['Records of a list, where `limit` is given', count(LIMITS.list)],
    ['Levels of objects and arrays', '32'],
    ['Keys, values and commas in a body', count(LIMITS.json_values)],
    ['Different keys in a body', count(LIMITS.json_keys)],
    ['Problems named in an answer', count(LIMITS.reported_errors)],
  ];
}

function statusesByCode(routes: readonly Route[]): Map<ErrorCode, Set<number>> {
  const statuses = new Map<ErrorCode, Set<number>>();
  for (const route of routes) {
    for (const [status, codes] of errorCodesOf(route)) {
      for (const code of codes) {
        statuses.set(code, (statuses.get(code) ?? new Set()).add(status));
      }
    }
  }
  return statuses;
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
