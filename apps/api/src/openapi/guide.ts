import { readFileSync } from 'node:fs';
import {
  ERROR_CODES,
  type ErrorCode,
  type ErrorRow,
  FIELD_CODES,
  isOfLine,
  LIMITS,
  limitText,
  REMARKS,
  TOKEN_CODES,
} from '@causeway/contracts';
import { FILE_ROUTES } from '../bulk/file-routes.ts';
import type { Route } from '../rest/routes.ts';
import { documentedFileRoute, errorCodesOf } from './errors.ts';
import { PART_LIMITS, PART_SIZE } from './file-operations.ts';

const ERROR_HEAD = ['Code', 'Status', 'When', 'Usual cause', 'What your client does'];
const quoted = (code: string) => `\`${code}\``;

/**
 * The integrator's guide, as Markdown: `guide.md`, with its limits and its tables of codes filled in from their
 * definitions.
 */
export function integratorsGuide(routes: readonly Route[]): string {
  const [ofSuppliers, ofStaff] = [true, false].map((isPublic) =>
    publishedCodes(routes)
      .filter((published) => published.isPublic === isPublic)
      .map(({ code, statuses, row }) => [quoted(code), statuses.join(',\u00a0'), row.when, row.cause, row.remedy]),
  );
  const fieldCodes = Object.entries(FIELD_CODES).map(([code, when]) => [quoted(code), when]);
  const problems = Object.entries(REMARKS).map(([code, row]) => [quoted(code), row.when, row.cause, row.remedy]);
  const tokenCodes = Object.values(TOKEN_CODES).map(({ errorCode, status, errorDescription, remedy }) => [
    ...[quoted(errorCode), String(status), errorDescription, remedy],
  ]);
  const parts: Record<string, string> = {
    ...Object.fromEntries(Object.entries(LIMITS).map(([name, limit]) => [name, limitText(limit)])),
    part_size: PART_SIZE,
    part_limits: PART_LIMITS,
    error_codes: table(ERROR_HEAD, ofSuppliers),
    field_codes: table(['Code', 'When'], fieldCodes),
    reported_problems: table(['Code', 'When', 'Usual cause', 'What you do'], problems),
    token_codes: table(['Code', 'Status', 'When', 'What your client does'], tokenCodes),
    staff_codes: table(ERROR_HEAD, ofStaff),
  };
  const text = readFileSync(new URL('guide.md', import.meta.url), 'utf8').replace(/^\|.*\|$/gm, compact);
  return text.replace(/\{\{(\w+)\}\}/g, (_whole, name: string) => {
    const part = parts[name];
    if (part === undefined) throw new Error(`guide.md has an unknown placeholder: ${name}`);
    return part;
  });
}

/** A row of a table without the spaces that align it in the file. */
const compact = (row: string) => row.replace(/ +\|/g, ' |').replace(/-{3,}/g, '---');

function table(head: string[], rows: string[][] = []): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** A code with its row and its statuses. */
export interface PublishedCode {
  code: ErrorCode;
  row: ErrorRow;
  statuses: number[];
  /** Whether an integrator can get it, or only the service team. */
  isPublic: boolean;
}

/** Every code in the order of the table. */
export function publishedCodes(routes: readonly Route[]): PublishedCode[] {
  const documented = [...routes, ...FILE_ROUTES.map(documentedFileRoute)].flatMap((route) => [...errorCodesOf(route)]);
  return Object.entries(ERROR_CODES).map(([name, row]) => {
    const code = name as ErrorCode;
    const statuses = [
      ...new Set(documented.filter(([, codes]) => codes.includes(code)).map(([status]) => status)),
    ].sort();
    const isPublic = statuses.length > 0 || isOfLine(code);
    return { code, row, statuses: statuses.length > 0 ? statuses : [row.status], isPublic };
  });
}
