import { z } from 'zod';

export type Variables = Record<string, string | undefined>;

/** Problems between variables, beyond the form of each one: one line per problem. */
export type Rule = (set: Variables) => string[];

export const wholeNumber = ({ from, to }: { from: number; to: number }) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= from && value <= to, `must be from ${from} to ${to}`)
    .meta({ range: { from, to } });

export const number = (fallback: number, range: { from: number; to: number }) => wholeNumber(range).default(fallback);

/**
 * Reads variables by a schema. An unset or empty one has its default. Invalid ones are one Error that names each of
 * them and what it must be, and never repeats a secret.
 */
export function readVariables<T>(variables: Variables, schema: z.ZodType<T>, rules: readonly Rule[]): T {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const { data, error } = schema.safeParse(set);
  const problems = [
    ...(error?.issues ?? []).map(({ path: [name], message }) => `  ${String(name)} ${message}`),
    ...rules.flatMap((rule) => rule(set)),
  ];
  if (data === undefined || problems.length > 0) {
    throw new Error(`The environment is not usable:\n${problems.join('\n')}`);
  }
  return data;
}

/** Whether it is a time zone, by its IANA name. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
