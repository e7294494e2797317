import { accept, acceptOrExplain, type FieldError, findUndocumentedFields } from '@causeway/contracts';
import {
  allErrorsOf,
  checkRequest,
  type FoundProblems,
  problemsOf,
  type RequestChecks,
  remarksOf,
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
}

export type CheckedPart<Request> = { checked: CheckedRequest<Request> } | { problems: FoundProblems };

/** Checks a part exactly as its call does, all problems at once. */
export function checkPart<Schema extends z.ZodObject>(
  { schema, sent, checks, alsoFind }: Part<Schema>,
  { importSupplier: configured, today }: BookSettings,
): CheckedPart<z.output<Schema>> {
  // A line leaves out what its call refuses.
  const importSupplier =
    configured.zero_amounts === 'OMIT' ? { ...configured, zero_amounts: 'KEEP' as const } : configured;
  const accepted = accept(schema, sent);
  const undocumented = accepted?.isDocumented ? undefined : findUndocumentedFields(schema, sent);
  const { input, kept, found } = checkRequest(schema, { sent, undocumented }, { ...checks, importSupplier, today });
  found.push(alsoFind(input));
  const problems = problemsOf(schema, { input, kept, found });
  if (problems !== undefined) return { problems };
  const read = input === sent && accepted !== undefined ? accepted : acceptOrExplain(schema, input);
  if ('error' in read) return { problems: { all: allErrorsOf(read.error, input) } };
  const remarks = remarksOf({
    request: read.value,
    mayHaveDoubtfulText: read.mayHaveDoubtfulText,
    undocumented,
    settings: importSupplier,
    today,
    find: checks.remarks,
  });
  return { checked: { request: read.value, kept, undocumented, remarks } };
}
