import type { Defect } from './defect.ts';

const RECEIVE_BODY = 'apps/api/src/bodies/receive-body.ts';

/** What callers send, and what they learn of each other. */
export const CALLER_DEFECTS: readonly Defect[] = [
  {
    name: 'a refusal has a status that is not documented',
    ...{ row: 7, size: 1_000 },
    file: 'packages/contracts/src/error-codes/account-errors.ts',
    find: /(?<=account_not_found: \{\s+status: )400/,
    replace: '410',
  },
  {
    name: 'the body is read once: its first buffer is taken for all of it',
    ...{ row: 7, size: 1_000 },
    file: RECEIVE_BODY,
    find: 'for (let piece: Buffer | null = request.read(); piece !== null; piece = request.read()) {',
    replace: 'for (let piece: Buffer | null = request.read(); piece !== null; piece = null) {',
    also: {
      file: RECEIVE_BODY,
      find: 'length !== undefined && length !== pieces.bytes',
      replace: 'length === -1',
    },
  },
  {
    name: 'a refusal does not say when to come again',
    ...{ row: 9, size: 5 },
    ...{ file: 'packages/contracts/src/error-codes/failures.ts', find: '    retry_after_s: 5,\n', replace: '' },
  },
  {
    name: 'headers may take for ever',
    ...{ row: 10, size: 20 },
    file: 'apps/api/src/service.ts',
    find: 'headersTimeout: environment.headersTimeoutMs,',
    replace: 'headersTimeout: 0,',
    also: {
      file: 'apps/api/src/http/listen.ts',
      find: 'headersTimeoutMs + bodyTimeoutMs + REQUEST_GRACE_MS',
      replace: '0',
    },
  },
  {
    name: "another organisation's import supplier is refused in words of its own",
    ...{ row: 11, size: 1 },
    file: 'packages/domain/src/shared/find-import-supplier.ts',
    find: '  if (configuration === undefined || !mayUse(context, configuration)) {',
    replace: `  if (configuration !== undefined && !mayUse(context, configuration)) {
    throw new DomainError('permission_denied', 'This import supplier belongs to somebody else.');
  }
  if (configuration === undefined) {`,
  },
  {
    name: 'the log shows addresses with what was in them',
    ...{ row: 12, size: 1 },
    file: 'apps/api/src/observability/observe-requests.ts',
    find: 'path: procedure === undefined ? maskPath(path) : path,',
    replace: 'path: response.req.url || maskPath(path),',
  },
  {
    name: 'the event of a staging has the debts of the account',
    ...{ row: 12, size: 1 },
    file: 'packages/domain/src/account-imports/stage-account.sql.ts',
    find: "ELSE 'staged_again' END, NULL",
    replace: "ELSE 'staged_again' END, jsonb_build_object('debts', payload->'debts')",
  },
  {
    name: "one organisation's statements may have every connection",
    ...{ row: 18, size: 2 },
    file: 'apps/api/src/overload/work.ts',
    find: 'this.#parties.size === 1 ? MOST.alone : MOST.inCompany',
    replace: 'this.#parties.size > 0 ? MOST.alone : MOST.inCompany',
    also: {
      file: 'apps/api/src/overload/connections.ts',
      find: 'if (hasRoomFor(party) && queue.waitingOf(party) === 0) take();',
      replace: 'if (share.used < Infinity) take();',
    },
  },
];
