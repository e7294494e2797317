import type { z } from 'zod';
import {
  type Accept,
  anything,
  boolean,
  choice,
  either,
  type FieldForm,
  finite,
  list,
  nullOr,
  object,
  oneOf,
  REFUSED,
  record,
  string,
  walk,
} from './acceptor-forms.ts';
import { LIMITS } from './limits.ts';

/** A value that its schema accepts. */
export interface Accepted<Value> {
  value: Value;
  /** There is nothing in it that the schema does not define. False: there may be. */
  isDocumented: boolean;
  /** False: no text in it is doubtful (behaviour 4.18.1). */
  mayHaveDoubtfulText: boolean;
}

/**
 * The value as `schema.parse` gives it, found in one walk over what is there; undefined where the schema refuses it: then
 * zod says what is wrong. What it gives may share objects with the input, which nobody changes (docs/decisions/0014).
 */
export function accept<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): Accepted<z.output<Schema>> | undefined {
  walk.isDocumented = true;
  walk.hasDoubtfulText = false;
  const value = acceptorOf(schema)(input);
  if (value === REFUSED) return undefined;
  const { isDocumented, hasDoubtfulText: mayHaveDoubtfulText } = walk;
  return { value: value as z.output<Schema>, isDocumented, mayHaveDoubtfulText };
}

/** The same, or zod's words for why it is refused. */
export function acceptOrExplain<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): Accepted<z.output<Schema>> | { error: z.ZodError } {
  const accepted = accept(schema, input);
  if (accepted !== undefined) return accepted;
  const { success, data, error } = schema.safeParse(input);
  return success ? { value: data, isDocumented: false, mayHaveDoubtfulText: true } : { error };
}

const acceptors = new WeakMap<z.core.$ZodType, Accept>();

/** Each schema is compiled once. */
function acceptorOf(schema: z.core.$ZodType): Accept {
  let known = acceptors.get(schema);
  if (known === undefined) {
    known = compile(schema as z.core.$ZodTypes);
    acceptors.set(schema, known);
  }
  return known;
}

/** Kinds of our own that are compiled too; any other needs zod. */
const OWN_KINDS = ['BoundedArray', 'AccountType', 'Decimal', 'Either', 'PreferenceRecord'];

function compile(schema: z.core.$ZodTypes): Accept {
  const { def, traits } = schema._zod;
  const isKnown = [...traits].every((trait) => /^[_$]?Zod/.test(trait) || OWN_KINDS.includes(trait));
  const form = isKnown ? formOf(schema) : undefined;
  return form === undefined ? byZod(schema) : withChecks(form, def.checks ?? []);
}

/** Undefined where a schema needs zod. */
function formOf({ _zod: { def, traits } }: z.core.$ZodTypes): Accept | undefined {
  switch (def.type) {
    case 'string':
      return isPlain(def) ? string : undefined;
    case 'boolean':
      return isPlain(def) ? boolean : undefined;
    case 'number':
      return isPlain(def) ? finite : undefined;
    case 'unknown':
      return anything;
    case 'enum':
      return oneOf(Object.values(def.entries));
    case 'literal':
      return oneOf(def.values);
    case 'optional':
    case 'default':
      return acceptorOf(def.innerType);
    case 'nullable':
      return nullOr(acceptorOf(def.innerType));
    case 'array':
      return listOf(def);
    case 'object':
      return objectOf(def);
    case 'record':
      return traits.has('PreferenceRecord')
        ? record(acceptorOf(def.keyType), acceptorOf(def.valueType), LIMITS.nested)
        : undefined;
    case 'union':
      return unionOf(def, traits);
    default:
      return undefined;
  }
}

/** Neither coerced nor of a format of zod's own. */
const isPlain = (def: { coerce?: boolean; format?: unknown }) => !def.coerce && def.format === undefined;

function listOf({ element, ...bounds }: z.core.$ZodArrayDef): Accept {
  const { minimum = 0, maximum = Number.POSITIVE_INFINITY } = bounds as { minimum?: number; maximum?: number };
  return list(acceptorOf(element), minimum, maximum);
}

function objectOf({ shape, catchall }: z.core.$ZodObjectDef): Accept | undefined {
  if (catchall !== undefined && catchall._zod.def.type !== 'unknown') return undefined;
  const fields = Object.entries(shape).map(([key, schema]): [string, FieldForm] => {
    const { def, optin } = (schema as z.core.$ZodTypes)._zod;
    const defaultValue = def.type === 'default' ? def.defaultValue : undefined;
    return [
      key,
      { accept: acceptorOf(schema), isRequired: optin === undefined, hasDefault: def.type === 'default', defaultValue },
    ];
  });
  return object(new Map(fields), catchall && acceptorOf(catchall));
}

function unionOf(def: z.core.$ZodUnionDef, traits: Set<string>): Accept | undefined {
  if (traits.has('Either')) return either(def.options.map(acceptorOf));
  if (traits.has('Decimal')) {
    const { accepts, options } = def as unknown as { accepts: (value: number) => boolean; options: z.core.$ZodType[] };
    const texts = options.slice(1).map(acceptorOf);
    return either([(value) => (typeof value === 'number' && accepts(value) ? value : REFUSED), ...texts]);
  }
  if (!('discriminator' in def)) return undefined;
  const { discriminator } = def as z.core.$ZodDiscriminatedUnionDef;
  const forms = def.options.flatMap((option) =>
    [...(option._zod.propValues?.[discriminator] ?? [])].map((value) => [value, acceptorOf(option)] as const),
  );
  return choice(discriminator, new Map(forms));
}

/** What it defines is not known here, nor whether the value has more. */
function byZod(schema: z.core.$ZodType): Accept {
  return (value) => {
    walk.isDocumented = false;
    walk.hasDoubtfulText = true;
    const result = schema._zod.run({ value, issues: [] }, { async: false });
    return result instanceof Promise || result.issues.length > 0 ? REFUSED : result.value;
  };
}

function withChecks(form: Accept, checks: readonly z.core.$ZodCheck<never>[]): Accept {
  if (checks.length === 0) return form;
  const tests = checks.map(testOf);
  return (value) => {
    const accepted = form(value);
    if (accepted === REFUSED) return REFUSED;
    for (const test of tests) if (!test(accepted)) return REFUSED;
    return accepted;
  };
}

interface CheckDefinition {
  check?: string;
  minimum: number;
  maximum: number;
  fn?: (value: unknown) => unknown;
}

/** A check of zod as a question. One that would change the value is answered with no. */
function testOf(check: z.core.$ZodCheck<never>): (value: unknown) => boolean {
  const { minimum, maximum, fn, ...def } = check._zod.def as unknown as CheckDefinition;
  if (def.check === 'max_length') return (value) => (value as string).length <= maximum;
  if (def.check === 'min_length') return (value) => (value as string).length >= minimum;
  if (fn !== undefined) return (value) => Boolean(fn(value));
  const run = check._zod.check as (payload: z.core.ParsePayload) => unknown;
  const payload: z.core.ParsePayload = { value: undefined, issues: [] };
  return (value) => {
    payload.value = value;
    run(payload);
    if (payload.issues.length > 0) payload.issues = [];
    else return payload.value === value;
    return false;
  };
}
