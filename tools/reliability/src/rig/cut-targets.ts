import type { Answer } from '../fuzz/send-bytes.ts';
import { type Effects, timesCounted } from './effects.ts';
import { OPERATIONS, type Operation, type OperationName, operationOn, UNCHECKED } from './operations.ts';
import { nameOf } from './send.ts';
import type { Supplier } from './start-world.ts';

/** An endpoint whose database connection is cut, and what its client may do then. */
export interface CutTarget {
  /** The prefix of its account numbers. */
  name: string;
  operation: OperationName;
  /** The steps before it. */
  after: readonly OperationName[];
  request(supplier: Supplier, account: string): Operation & { headers?: Record<string, string> };
  /** Whether the client may repeat it; if not, it takes effect at most once. */
  retried: boolean;
  isDone(answer: Answer | undefined): boolean;
}

const isSuccess = (answer: Answer | undefined): boolean => answer?.status === 200 || answer?.status === 201;
const wasImported = (answer: Answer | undefined) => nameOf(answer) === '400 account_import_process_already_imported';

const plain = OPERATIONS.map(
  (operation): CutTarget => ({
    name: operation,
    operation,
    after: stepsBefore(operation),
    request: (supplier, account) => operationOn(supplier, account, operation),
    retried: true,
    isDone: (answer) => isSuccess(answer) || (operation === 'process' && wasImported(answer)),
  }),
);

/** With a key a lost 201 is a 201 again. */
const keyed = (name: string, operation: OperationName, unchecked: boolean): CutTarget => ({
  name,
  operation,
  after: stepsBefore(operation),
  request(supplier, account) {
    const { path, body } = operationOn(supplier, account, operation);
    return {
      path: unchecked ? `${path}${UNCHECKED}` : path,
      body,
      headers: { 'Idempotency-Key': `key-of-${account}` },
    };
  },
  retried: true,
  isDone: isSuccess,
});

/** Adds each time it is sent, so that neither the client nor the service may repeat it. */
const unchecked: CutTarget = {
  name: 'unchecked',
  operation: 'transactions',
  after: stepsBefore('transactions'),
  request(supplier, account) {
    const { path, body } = operationOn(supplier, account, 'transactions');
    return { path: `${path}${UNCHECKED}`, body };
  },
  retried: false,
  isDone: isSuccess,
};

export const CUT_TARGETS: readonly CutTarget[] = [
  ...plain,
  unchecked,
  keyed('keyed-process', 'process', false),
  keyed('keyed-transactions', 'transactions', true),
];

/** Accounts on which a target did not take effect the expected number of times. */
export function miscounted(effects: readonly Effects[]): unknown[] {
  return effects.flatMap((one) => {
    const target = CUT_TARGETS.find(({ name }) => one.account.startsWith(`${name}#`));
    if (target === undefined) return [];
    const times = timesCounted(one, target.operation);
    return times === 1 || (times === 0 && !target.retried) ? [] : [{ times, ...one }];
  });
}

function stepsBefore(operation: OperationName): readonly OperationName[] {
  if (operation === 'stage') return [];
  return operation === 'process' ? ['stage'] : ['stage', 'process'];
}
