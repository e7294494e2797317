import { accept, acceptOrExplain, type FieldError, findUndocumentedFields } from '@causeway/contracts';
import {
  allErrorsOf,
  type BalanceFault,
  checkRequest,
  type FoundProblems,
  problemsOf,
  type RequestChecks,
} from '@causeway/rules';
import type { z } from 'zod';
import type { BookSettings, CheckedRequest } from './checked-line.ts';

/** One request that a line stands for, and how its call checks it. */
export interface Part<Schema extends z.ZodObject> {
  schema: Schema;
  sent: Record<string, unknown>;
  checks: RequestChecks;
  /** Problems that only the line can have, and those of identifiers. */
  alsoFind: (input: unknown) => FieldError[];
  findBalanceFaults?: (input: unknown) => BalanceFault[];
}

export type CheckedPart<Request> = { checked: CheckedRequest<Request> } | { problems: FoundProblems };

/** Checks a part exactly as its call does, all problems at once. */
export function checkPart<Schema extends z.ZodObject>(
  { schema, sent, checks, alsoFind, findBalanceFaults }: Part<Schema>,
  { importSupplier, today }: BookSettings,
): CheckedPart<z.output<Schema>> {
  const accepted = accept(schema, sent);
  const undocumented = accepted?.isDocumented ? undefined : findUndocumentedFields(schema, sent);
  const { input, kept, found } = checkRequest(schema, { sent, undocumented }, { ...checks, importSupplier, today });
  found.push(alsoFind(input));
  const problems = problemsOf(schema, { input, kept, found });
  if (problems !== undefined) return { problems };
  const read = input === sent && accepted !== undefined ? accepted : acceptOrExplain(schema, input);
  if ('error' in read) return { problems: { all: allErrorsOf(read.error, input) } };
  const isReported = importSupplier.balance_check === 'REPORT';
  const balanceFaults = isReported ? (findBalanceFaults?.(input) ?? []) : [];
  return { checked: { request: read.value, kept, undocumented, balanceFaults } };
}
