import { mayBeDoubtful } from './may-be-doubtful.ts';

/** What an acceptor gives where zod has to say what is wrong. */
export const REFUSED = Symbol('refused');

/** The value that the schema's own parse gives, the same object where nothing is left out or filled in; or `REFUSED`. */
export type Accept = (value: unknown) => unknown;

/**
 * Of the walk that is under way: whether it has met nothing that the schemas do not define, and no text that may be doubtful,
 * as far as it can tell.
 */
export const walk = { isDocumented: true, hasDoubtfulText: false };

export const boolean: Accept = (value) => (typeof value === 'boolean' ? value : REFUSED);

export const string: Accept = (value) => {
  if (typeof value !== 'string') return REFUSED;
  if (mayBeDoubtful(value)) walk.hasDoubtfulText = true;
  return value;
};

/** Anything; its texts are looked at by those who want to know. */
export const anything: Accept = (value) => {
  walk.hasDoubtfulText = true;
  return value === undefined ? REFUSED : value;
};

export const finite: Accept = (value) => (Number.isFinite(value) ? value : REFUSED);

export function oneOf(values: readonly unknown[]): Accept {
  const all = new Set(values);
  return (value) => (all.has(value) ? value : REFUSED);
}

export const nullOr =
  (inner: Accept): Accept =>
  (value) =>
    value === null ? null : inner(value);

export function list(item: Accept, minimum: number, maximum: number): Accept {
  return (value) => {
    if (!Array.isArray(value) || value.length < minimum || value.length > maximum) return REFUSED;
    let items = value;
    for (let index = 0; index < value.length; index += 1) {
      const accepted = item(value[index]);
      if (accepted === value[index]) continue;
      if (accepted === REFUSED) return REFUSED;
      if (items === value) items = [...value];
      items[index] = accepted;
    }
    return items;
  };
}

/** A field of an object: how it is accepted, and what it is where it is left out. */
export interface FieldForm {
  accept: Accept;
  isRequired: boolean;
  hasDefault: boolean;
  defaultValue: unknown;
}

/** `others`: how fields that are not among these are accepted; undefined: they are not documented, and left out. */
export function object(fields: ReadonlyMap<string, FieldForm>, others: Accept | undefined): Accept {
  const required = [...fields.values()].filter(({ isRequired }) => isRequired).length;
  const defaults = [...fields].filter(([, { hasDefault }]) => hasDefault);
  return (value) => {
    if (!isObject(value)) return REFUSED;
    let output = value;
    let missing = required;
    for (const key of Object.keys(value)) {
      const field = fields.get(key);
      const acceptField = field === undefined ? others : field.accept;
      if (acceptField === undefined) {
        output = without(key, output, value);
        continue;
      }
      const accepted = acceptField(value[key]);
      if (accepted === REFUSED) return REFUSED;
      if (field?.isRequired) missing -= 1;
      if (accepted === value[key]) continue;
      // Once: what was sent may have very many fields.
      if (output === value) output = { ...value };
      output[key] = accepted;
    }
    if (missing > 0) return REFUSED;
    for (const [key, { defaultValue }] of defaults) {
      if (!Object.hasOwn(value, key)) output = { ...output, [key]: defaultValue };
    }
    return output;
  };
}

/** Of a record, keys that it does not know are not documented. */
export function record(knows: Accept, item: Accept, maximum: number): Accept {
  return (value) => {
    if (!isObject(value)) return REFUSED;
    let output = value;
    let left = maximum;
    for (const key of Object.keys(value)) {
      if (knows(key) === REFUSED) {
        output = without(key, output, value);
        continue;
      }
      left -= 1;
      // A value that is changed is none that this knows.
      if (left < 0 || item(value[key]) !== value[key]) return REFUSED;
    }
    return output;
  };
}

/** The form of the value's own discriminator. */
export function choice(discriminator: string, forms: ReadonlyMap<unknown, Accept>): Accept {
  return (value) => (isObject(value) ? (forms.get(value[discriminator])?.(value) ?? REFUSED) : REFUSED);
}

/** The first of several forms that accepts the value: no two accept the same type of JSON. */
export function either(forms: readonly Accept[]): Accept {
  return (value) => {
    for (const form of forms) {
      const accepted = form(value);
      if (accepted !== REFUSED) return accepted;
    }
    return REFUSED;
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function without(key: string, output: Record<string, unknown>, input: Record<string, unknown>) {
  walk.isDocumented = false;
  const copy = output === input ? { ...input } : output;
  delete copy[key];
  return copy;
}
