import { ERROR_CODES, type ErrorCode, type ErrorRow, isOfLine } from '@causeway/contracts';
import { FILE_ROUTES } from '../bulk/file-routes.ts';
import type { Route } from '../rest/routes.ts';
import { type DocumentedRoute, documentedFileRoute, errorCodesOf } from './errors.ts';

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
  const documented = statusesByCode([...routes, ...FILE_ROUTES.map(documentedFileRoute)]);
  return Object.entries(ERROR_CODES).map(([name, row]) => {
    const code = name as ErrorCode;
    const statuses = [...(documented.get(code) ?? [row.status])].sort();
    return { code, row, statuses, isPublic: documented.has(code) || isOfLine(code) };
  });
}

function statusesByCode(routes: readonly DocumentedRoute[]): Map<ErrorCode, Set<number>> {
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
