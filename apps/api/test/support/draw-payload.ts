import type { Random } from '@causeway/testing';
import { z } from 'zod';

type Path = (string | number)[];

/**
 * A value that the schema accepts, drawn field by field: each optional field is there or not, lists may be empty,
 * numbers and texts vary. It is drawn from the schema itself, so that a field added tomorrow is in it. What breaks a
 * rule over several fields is taken out again.
 */
export function drawPayload(schema: z.ZodType, random: Random): unknown {
  const payload = draw(schema, random);
  return repair(payload, () => {
    const { issues = [] } = schema.safeParse(payload).error ?? {};
    return issues.map(({ path }) => path as Path).filter((path) => !putIn(payload, schema, path));
  });
}

/** A field of the payload itself that has to be there is put in; whether it was. */
function putIn(payload: unknown, schema: z.ZodType, [name, ...rest]: Path): boolean {
  const fields = Object(payload) as Record<string, unknown>;
  if (rest.length > 0 || name === undefined || name in fields) return false;
  const options = schema instanceof z.ZodDiscriminatedUnion ? (schema.options as unknown as z.ZodType[]) : [schema];
  const field = options.map((option) => (option as z.ZodObject).shape[name] as z.ZodType | undefined).find(Boolean);
  const inner = field instanceof z.ZodOptional ? (field.unwrap() as z.ZodType) : field;
  const { examples = [] } = inner?.meta() ?? {};
  [fields[name]] = examples as unknown[];
  return true;
}

/** Takes out of a payload what is at fault, again and again until nothing is. */
export function repair<Payload>(payload: Payload, faultsOf: (payload: Payload) => Path[]): Payload {
  for (let round = 0; round < 50; round += 1) {
    const faults = faultsOf(payload);
    if (faults.length === 0) return payload;
    // From the end: the indexes of the items before stay.
    for (const path of faults.toReversed()) takeOut(payload, path);
  }
  throw new Error('The payload cannot be repaired');
}

/** Takes the field out or, if it is not there although it must be, what contains it. */
function takeOut(payload: unknown, path: Path): void {
  const parent = path.slice(0, -1).reduce<unknown>((value, key) => Object(value)[key], payload);
  const last = path.at(-1);
  if (last === undefined || typeof parent !== 'object' || parent === null) return;
  if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else if (last in parent) delete (parent as Record<string, unknown>)[last];
  else takeOut(payload, path.slice(0, -1));
}

function draw(schema: z.ZodType, random: Random): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return draw(schema.unwrap() as z.ZodType, random);
  if (schema instanceof z.ZodObject) return drawObject(schema, random);
  if (schema instanceof z.ZodArray) {
    const item = schema.element as z.ZodType;
    return Array.from({ length: random.pick([0, 1, 1, 2, 3]) }, () => draw(item, random));
  }
  if (schema instanceof z.ZodEnum) return random.pick(schema.options);
  if (schema instanceof z.ZodBoolean) return random.chance(0.5);
  if (schema instanceof z.ZodUnion && !(schema.options[0] instanceof z.ZodNumber)) {
    return draw(random.pick(schema.options as z.ZodType[]), random);
  }
  return drawValue(schema, random);
}

/** Fields of which an object has one or the other: both would be refused, and taken out. */
const ALTERNATIVES: [one: RegExp, other: RegExp][] = [
  [/^(billing|supply)_address$/, /^(billing|supply)_(address\d|postcode)$/],
  [/^identifier$/, /^mpxn$/],
];

function drawObject(schema: z.ZodObject, random: Random): Record<string, unknown> {
  const left = ALTERNATIVES.map((alternatives) => random.pick(alternatives));
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>);
  const isLeft = (name: string) =>
    'mpxn' in schema.shape || name !== 'identifier' ? left.some((one) => one.test(name)) : false;
  const drawn = fields.filter(([name, field]) => !isLeft(name) && (!field.isOptional() || random.chance(0.75)));
  const object = Object.fromEntries(
    drawn.map(([name, field]) => [name, name === 'register_id' ? random.pick(['01', '02']) : draw(field, random)]),
  );
  // A reading has one day, drawn once.
  return 'reading_at' in object ? { ...object, reading_at: `${object.reading_date}T23:59:59Z` } : object;
}

const WORDS = ['Zoë', 'Łódź Street', '東京', "O'Neill & Sons", '“quoted” \\ back/slash', '🙂', 'null', '0', '-', 'é'];
const DAYS = ['1984-02-29', '2019-12-31', '2020-01-01', '2025-10-01', '2026-03-02'];

/** One of several values that the field may have; its example is one that it surely may. */
function drawValue(schema: z.ZodType, random: Random): unknown {
  const [example] = (schema.meta()?.examples ?? []) as unknown[];
  const word = random.pick(WORDS);
  const decimal = String(random.integer(1, 99_999));
  const candidates = [
    ...[random.pick(DAYS), `${random.pick(DAYS)}T23:59:59Z`, random.integer(1, 28)],
    ...[random.integer(-9_999_999, 9_999_999) / 100, random.integer(1, 9_999) / 1e7, 99_999_999_999.99, 1e-7],
    ...[`${decimal}.1000000009`, `-${decimal}.5`, `0${decimal}.50`, `${decimal}`],
    ...[`${word} ${decimal}`, `${example} ${word}`, `X_${decimal}`, `${decimal}/${decimal}.pdf`],
  ];
  const valid = candidates.filter((value) => schema.safeParse(value).success);
  return random.chance(0.2) || valid.length === 0 ? example : random.pick(valid);
}

/** The dotted paths of everything in a value, with `*` for each item of a list. */
export function pathsOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => pathsOf(item, `${path}.*`));
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, field]) => pathsOf(field, path === '' ? key : `${path}.${key}`));
}
