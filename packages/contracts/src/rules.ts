import { z } from 'zod';
import type { FieldCode } from './field-codes.ts';
import { LIMITS } from './limits.ts';

/** A violated rule: the code, the path at fault (relative to the object that has the rule) and what to change. */
export interface Violation {
  code: FieldCode;
  path: (string | number)[];
  detail: string;
}

type Read<Value> = (keyof Value & string) | `${keyof Value & string}.*.${string}`;

/** A rule over several fields of one object. It runs whenever the fields it reads are valid, whatever else is wrong. */
export interface Rule<Value> {
  /** `customers` reads the list or object itself, `customers.*.user_identifier` one field of each item. */
  reads: readonly Read<Value>[];
  /** `faults` are the paths that are at fault so far. */
  check: (value: Value, faults: readonly (readonly PropertyKey[])[]) => Violation | readonly Violation[] | undefined;
}

/** Whether a value that a rule reads is at fault. */
function areAtFault(reads: readonly string[][], faults: readonly (readonly PropertyKey[])[]): boolean {
  return faults.length > 0 && faults.some((path) => reads.some((read) => spoils(path, read)));
}

/** Whether the value at `read`, or something that contains it, is itself at fault. */
function spoils(path: readonly PropertyKey[], read: readonly string[]): boolean {
  if (path.length > read.length) return false;
  return path.every((key, depth) => read[depth] === '*' || read[depth] === String(key));
}

/**
 * Adds rules to an object's schema. zod alone skips them as soon as any field has a problem, so the caller would need
 * several requests to learn of all problems.
 */
export function withRules<Schema extends z.ZodObject>(schema: Schema, ...rules: Rule<z.output<Schema>>[]): Schema {
  const compiled = rules.map(({ reads, check }) => ({ reads: reads.map((read) => read.split('.')), check }));
  const runRules = (payload: z.core.ParsePayload) => {
    // Lists stop after the maximum number of counted problems, so the rest cannot be judged as a whole.
    if (payload.issues.length >= LIMITS.counted_errors) return;
    const paths = payload.issues.map((issue) => issue.path ?? []);
    for (const { reads, check } of compiled) {
      if (areAtFault(reads, paths)) continue;
      const found = check(payload.value as z.output<Schema>, paths);
      if (found === undefined) continue;
      const violations = Array.isArray(found) ? found : [found];
      for (const violation of violations) payload.issues.push(issueOf(violation));
    }
  };
  return schema.check(z.core._check(runRules, { when: () => true }));
}

function issueOf({ code, path, detail }: Violation): z.core.$ZodRawIssue {
  return { code: 'custom', path, message: detail, params: { code }, input: undefined, continue: true };
}

/** Dates compare as text, and so do datetimes; one of each, by their days. */
function isNotAfter(from: string, to: string): boolean {
  const length = Math.min(from.length, to.length);
  return from.slice(0, length) <= to.slice(0, length);
}

/** The rule of every period: it does not start after it ends. The start is at fault. */
export function startsBeforeItEnds<Start extends string, End extends string>(
  start: Start,
  end: End,
): Rule<{ [Field in Start | End]?: string | undefined }> {
  return {
    reads: [start, end],
    check: (value) => {
      const from = value[start];
      const to = value[end];
      if (from === undefined || to === undefined || isNotAfter(from, to)) return undefined;
      return { code: 'start_date_later_than_end_date', path: [start], detail: `Must not be later than ${end}.` };
    },
  };
}
