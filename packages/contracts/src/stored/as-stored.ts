import { z } from 'zod';
import { decimalText, MoneyString, moneyText } from '../numbers.ts';
import { DecimalString, datetimeText, type Respelt, respeltKind } from './respelt.ts';

/** What every account has and an erasure removes. */
const ERASED: ReadonlySet<string> = new Set(['register_id', 'reference']);

/** A value as it is read back: its decimal numbers are strings. The type cannot tell them from whole numbers. */
export type AsStored<Value> = Value extends number
  ? number | string
  : Value extends readonly (infer Item)[]
    ? AsStored<Item>[]
    : Value extends object
      ? { [Key in keyof Value]: AsStored<Value[Key]> }
      : Value;

type Convert = (value: unknown) => unknown;

/** The schema of an answer, and how a value that was sent becomes one of it. */
interface Stored {
  schema: z.ZodType;
  /** Absent: the value is read back as it was sent. */
  convert?: Convert;
}

const known = new WeakMap<z.ZodType, Stored>();

/**
 * The schema in which what was sent by `schema` is read back (behaviour 4.16.2): the same fields with the same
 * descriptions, every decimal number as a string. A field with a default is optional here: what was stored before the
 * field was added does not have it. What has no such difference keeps its own schema, and a named object that has one
 * is called `...AsStored`. Of a choice between objects it is one object with the fields of all.
 */
export function storedSchema<Schema extends z.ZodType>(schema: Schema): z.ZodType<AsStored<z.output<Schema>>> {
  return storedOf(schema).schema as z.ZodType<AsStored<z.output<Schema>>>;
}

/** A value that was accepted by `schema`, as it is read back (behaviour 4.16.2). */
export function asStored<Schema extends z.ZodType>(schema: Schema, value: unknown): AsStored<z.output<Schema>> {
  const { convert } = storedOf(schema);
  return (convert === undefined ? value : convert(value)) as AsStored<z.output<Schema>>;
}

/** The fields of `storedSchema`, for an answer that has more of them. */
export function storedShape(schema: z.ZodObject | z.ZodDiscriminatedUnion): Record<string, z.ZodType> {
  return shapeOf(storedSchema(schema) as unknown as z.ZodObject);
}

/** The fields of the objects that a schema describes, in its order. */
export function fieldsOf(schema: z.ZodType): readonly string[] {
  return Object.keys(shapeOf(schema));
}

function storedOf(schema: z.ZodType): Stored {
  let stored = known.get(schema);
  if (stored === undefined) {
    stored = derive(schema);
    known.set(schema, stored);
  }
  return stored;
}

function derive(schema: z.ZodType): Stored {
  const kind = respeltKind(schema);
  if (kind !== undefined) return respelt(schema, kind);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return optionalOf(schema);
  if (schema instanceof z.ZodArray) return listOf(schema);
  return schema instanceof z.ZodObject || schema instanceof z.ZodDiscriminatedUnion ? objectOf(schema) : { schema };
}

function respelt(schema: z.ZodType, kind: Respelt): Stored {
  if (kind === 'datetime') {
    return { schema, convert: (value) => (typeof value === 'string' ? datetimeText(value) : value) };
  }
  const text = textOf[kind];
  const convert = (value: unknown) => (typeof value === 'number' || typeof value === 'string' ? text(value) : value);
  return { schema: described(kind === 'money' ? MoneyString : DecimalString, schema, convert), convert };
}

const textOf = {
  money: moneyText,
  decimal: decimalText,
  reading: (value: number | string) => (typeof value === 'number' ? decimalText(value) : value),
};

function optionalOf(schema: z.ZodOptional | z.ZodDefault): Stored {
  const inner = schema.unwrap() as z.ZodType;
  const { schema: stored, convert } = storedOf(inner);
  const isSame = stored === inner && schema instanceof z.ZodOptional;
  return { schema: isSame ? schema : stored.optional(), ...(convert && { convert }) };
}

function listOf(list: z.ZodArray): Stored {
  const { schema: item, convert } = storedOf(list.element as z.ZodType);
  if (item === list.element && convert === undefined) return { schema: list };
  const convertAll = (value: unknown) => (Array.isArray(value) && convert ? value.map(convert) : value);
  const schema = item === list.element ? list : described(z.array(item), list, convertAll);
  return { schema, ...(convert && { convert: convertAll }) };
}

function objectOf(schema: z.ZodObject | z.ZodDiscriminatedUnion): Stored {
  const sent = shapeOf(schema);
  const shape: Record<string, z.ZodType> = {};
  const changed: [name: string, convert: Convert][] = [];
  for (const [name, field] of Object.entries(sent)) {
    const { schema: stored, convert } = storedOf(field);
    shape[name] = ERASED.has(name) && !stored.isOptional() ? stored.optional() : stored;
    if (convert !== undefined) changed.push([name, convert]);
  }
  const convert = (value: unknown) => convertFields(value, changed);
  const isSame = schema instanceof z.ZodObject && Object.keys(sent).every((name) => shape[name] === sent[name]);
  const stored = isSame ? schema : described(z.object(shape), schema, convert);
  return { schema: stored, ...(changed.length > 0 && { convert }) };
}

function convertFields(value: unknown, changed: readonly [name: string, convert: Convert][]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const converted = { ...value } as Record<string, unknown>;
  for (const [name, convert] of changed) {
    if (name in converted) converted[name] = convert(converted[name]);
  }
  return converted;
}

/** The fields of an object; of a choice between objects those of all, required where each of them requires it. */
function shapeOf(schema: z.ZodType): Record<string, z.ZodType> {
  if (schema instanceof z.ZodObject) return schema.shape as Record<string, z.ZodType>;
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return {};
  const { discriminator } = schema.def;
  const options = schema.options as unknown as z.ZodObject[];
  const names = new Set(options.flatMap((option) => Object.keys(option.shape)));
  return Object.fromEntries(
    [...names].map((name) => {
      const fields = options.flatMap((option) => (option.shape[name] as z.ZodType | undefined) ?? []);
      if (name === discriminator) return [name, oneOf(fields as z.ZodLiteral<string>[])];
      const [first] = fields as [z.ZodType];
      const isRequired = fields.length === options.length && fields.every((field) => !field.isOptional());
      return [name, isRequired || first.isOptional() ? first : first.optional()];
    }),
  );
}

/** What tells the objects of a choice apart. */
function oneOf(literals: z.ZodLiteral<string>[]): z.ZodType {
  const values = literals.map(({ value }) => value);
  return z.enum(values).meta({ description: `${values.join(', ')}.`, examples: [values[0]] });
}

/** Takes description and examples over from the schema of the request, and a name of its own from its name. */
function described(stored: z.ZodType, schema: z.ZodType, convert: Convert): z.ZodType {
  const { id, description = '', examples = [] } = schema.meta() ?? {};
  const name = id === undefined ? {} : { id: `${id}AsStored` };
  return stored.meta({ ...name, description, examples: (examples as unknown[]).map(convert) });
}
