import { readFileSync } from 'node:fs';
import { ERROR_PAGE, FIELD_CODES, LIMITS, limitText, REPORTED_PROBLEMS } from '@causeway/contracts';
import { REFUSALS } from '../graphql/refusals.ts';
import type { Route } from '../rest/routes.ts';
import { REPEATS, STATUSES } from './guide-tables.ts';
import { PART_LIMITS, PART_SIZE } from './part-size.ts';
import { type PublishedCode, publishedCodes } from './published-codes.ts';

const ERROR_HEAD = ['Code', 'Status', 'When', 'Usual cause', 'What your client does'];

/**
 * The integrator's guide, as Markdown: `guide.md`, with its tables of limits and codes filled in from their
 * definitions.
 */
export function integratorsGuide(routes: readonly Route[]): string {
  const codes = publishedCodes(routes);
  const errorRow = ({ code, statuses, row }: PublishedCode) => [
    `\`${code}\``,
    statuses.join(',\u00a0'),
    row.when,
    row.cause,
    row.remedy,
  ];
  const parts: Record<string, string> = {
    reported_errors: limitText(LIMITS.reported_errors),
    kept_bytes: limitText(LIMITS.kept_bytes),
    error_page: `[${ERROR_PAGE}](${ERROR_PAGE})`,
    statuses: table(['Status', 'It means', 'What your client does'], STATUSES),
    repeats: table(['Request', 'Sent again'], REPEATS),
    part_size: PART_SIZE,
    webhook_delivery_days: String(LIMITS.webhook_delivery_days),
    limits: table(['What', 'Limit'], limits()),
    error_codes: table(ERROR_HEAD, codes.filter(({ isPublic }) => isPublic).map(errorRow)),
    field_codes: table(
      ['Code', 'When'],
      Object.entries(FIELD_CODES).map(([code, when]) => [`\`${code}\``, when]),
    ),
    reported_problems: table(
      ['Code', 'When', 'Usual cause', 'What you do'],
      Object.entries(REPORTED_PROBLEMS).map(([code, { when, cause, remedy }]) => [`\`${code}\``, when, cause, remedy]),
    ),
    token_codes: table(['Code', 'Status', 'When', 'What your client does'], tokenCodes()),
    staff_codes: table(ERROR_HEAD, codes.filter(({ isPublic }) => !isPublic).map(errorRow)),
  };
  const text = readFileSync(new URL('guide.md', import.meta.url), 'utf8');
  return text.replace(/\{\{(\w+)\}\}/g, (_whole, name: string) => {
    const part = parts[name];
    if (part === undefined) {
      throw new Error(`guide.md has an unknown placeholder: ${name}`);
    }
    return part;
  });
}

function tokenCodes(): string[][] {
  return Object.values(REFUSALS).map(({ errorCode, status, errorDescription, remedy }) => [
    `\`${errorCode}\``,
    String(status),
    errorDescription,
    remedy,
  ]);
}

function limits(): string[][] {
  return [
    ['Size of a request body', '10 MiB, unless the service team says otherwise'],
    ['Part of a bulk job', PART_LIMITS],
    ['Time for a request body to arrive', '15 seconds, unless the service team says otherwise'],
    ['Customers per account', limitText(LIMITS.customers)],
    ['Supply addresses per account', limitText(LIMITS.supply_addresses)],
    ['Items in any other list of an account or a transaction', limitText(LIMITS.nested)],
    ['Notes per request', limitText(LIMITS.notes)],
    ['Transactions per request', limitText(LIMITS.transactions)],
    ['Statements per request', limitText(LIMITS.statements)],
    ['Records per page of a list', limitText(LIMITS.list)],
    ['Events of an answer', limitText(LIMITS.events)],
    ['Webhook endpoints of an organisation', limitText(LIMITS.webhook_endpoints)],
    ['Messages of an endpoint that wait to be sent again', limitText(LIMITS.webhook_waiting)],
    ['Lists of more than one page that are read at once without `limit`', limitText(LIMITS.streamed_lists)],
    ['Nesting of objects and arrays', '32 levels'],
    ['Keys, values and commas in a body', limitText(LIMITS.json_values)],
    ['Distinct keys in a body', limitText(LIMITS.json_keys)],
    ['Problems reported in an answer', limitText(LIMITS.reported_errors)],
  ];
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
