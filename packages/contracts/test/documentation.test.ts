import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import * as contracts from '../src/index.ts';

interface Documented {
  path: string;
  schema: z.core.$ZodTypes;
}

const published = Object.entries(contracts as Record<string, unknown>).filter(
  (entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType,
);

function meta(schema: z.core.$ZodType): z.core.GlobalMeta & { examples?: unknown[] } {
  return (z.globalRegistry.get(schema) ?? {}) as z.core.GlobalMeta & { examples?: unknown[] };
}

/** A schema and all below it, wrappers taken off. */
function everything(path: string, schema: z.core.$ZodTypes): Documented[] {
  const definition = schema._zod.def;
  switch (definition.type) {
    case 'object':
      return [
        { path, schema },
        ...Object.entries(definition.shape).flatMap(([key, field]) =>
          everything(`${path}.${key}`, field as z.core.$ZodTypes),
        ),
      ];
    case 'array':
      return [{ path, schema }, ...everything(`${path}[]`, definition.element as z.core.$ZodTypes)];
    case 'union':
      return [
        { path, schema },
        ...definition.options.flatMap((option, i) => everything(`${path}|${i}`, option as z.core.$ZodTypes)),
      ];
    case 'optional':
    case 'default':
      return everything(path, definition.innerType as z.core.$ZodTypes);
    default:
      return [{ path, schema }];
  }
}

const all = published.flatMap(([name, schema]) => everything(name, schema as unknown as z.core.$ZodTypes));
const isEnumeration = ([, schema]: [string, z.ZodType]) => schema instanceof z.ZodEnum;

describe('2.10 the schema is the documentation', () => {
  test('there is something to read', () => {
    expect(published.length).toBeGreaterThan(60);
    expect(all.length).toBeGreaterThan(500);
  });

  test.each(published.filter((entry) => !isEnumeration(entry)))(
    '%s has its own name, a description and an example',
    (name, schema) => {
      const inner = everything(name, schema as unknown as z.core.$ZodTypes)[0]?.schema;
      const { id, description, examples } = meta(inner as z.core.$ZodType);
      expect(id).toBe(name);
      expect(description).toMatch(/^[A-Z].*\.$/s);
      expect(examples?.length).toBeGreaterThan(0);
    },
  );

  test('every field has a description and an example', () => {
    const fields = all.filter(({ path }) => /\.\w+$/.test(path));
    const bare = fields.filter(({ schema }) => {
      const { description, examples } = meta(schema);
      return description === undefined || !/^[A-Z\d`].*\.$/s.test(description) || (examples?.length ?? 0) === 0;
    });
    expect(bare.map(({ path }) => path)).toEqual([]);
  });

  test('every example is valid, and comes back as it is but for defaults', () => {
    const wrong = all.filter(({ schema }) =>
      (meta(schema).examples ?? []).some((example) => {
        const result = z.safeParse(schema, example);
        if (!result.success) return true;
        expect(result.data).toMatchObject(example as object);
        return false;
      }),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  test('no schema changes what it is given', () => {
    const plain = [
      'object',
      'array',
      'union',
      'record',
      'string',
      'number',
      'boolean',
      'enum',
      'literal',
      'nullable',
      'unknown',
    ];
    expect([...new Set(all.map(({ schema }) => schema._zod.def.type))].filter((type) => !plain.includes(type))).toEqual(
      [],
    );
  });

  test('every schema can be written as JSON Schema, its patterns valid under the u flag', () => {
    for (const [, schema] of published) {
      for (const io of ['input', 'output'] as const) {
        const json = JSON.stringify(z.toJSONSchema(schema, { io }), (key, value) => {
          if (key === 'pattern' && typeof value === 'string') new RegExp(value, 'u');
          return value;
        });
        expect(json).toContain('"type"');
      }
    }
  });
});

describe('7.3 the lists of codes', () => {
  const rows = Object.entries(contracts.ERROR_CODES);
  const sentences = Object.fromEntries(rows.map(([code, { when }]) => [code, when]));
  const codes = { ...sentences, ...contracts.FIELD_CODES };

  test.each(rows)('7.3.6 %s has a row with all its parts, each a sentence', (_code, row) => {
    expect([undefined, 'wire', 'both']).toContain(row.origin);
    expect(row.status).toBeGreaterThanOrEqual(400);
    if ([429, 503].includes(row.status)) expect(row.retry_after_s).toBeGreaterThan(0);
    for (const sentence of [row.cause, row.remedy]) expect(sentence).toMatch(/^[A-Z].{10,180}\.$/);
    expect(row.example.detail).toMatch(/^[A-Z].{10,}\.$/);
  });

  test.each(Object.entries(codes))('%s is lower_snake_case and described in one sentence', (code, description) => {
    expect(code).toMatch(/^[a-z]+(_[a-z0-9]+)*$/);
    expect(description).toMatch(/^[A-Z].{10,180}\.$/);
  });

  test('no code means two things', () => {
    const both = Object.keys(contracts.ERROR_CODES).filter((code) => code in contracts.FIELD_CODES);
    expect(both).toEqual([]);
  });

  test('an error body may name any of them', () => {
    const errors = Object.keys(codes).map((code) => ({ detail: 'x', code, attr: '' }));
    const documentation_url = '/docs/errors#internal_error';
    const body = { detail: 'x', code: 'internal_error', errors, documentation_url };
    expect(contracts.ErrorBody.safeParse(body).success).toBe(true);
  });
});
