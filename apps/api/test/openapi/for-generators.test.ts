import { expect, test } from 'vitest';
import { publishedDocument } from '../support/published-document.ts';

type Schema = Record<string, unknown>;

/** Every schema of a part of the document, with its path. */
function schemasIn(value: unknown, path: string): [path: string, schema: Schema][] {
  if (typeof value !== 'object' || value === null) return [];
  const own: [string, Schema][] = 'type' in value && typeof value.type === 'string' ? [[path, value as Schema]] : [];
  const parts = Object.entries(value).filter(([key]) => !/^examples?$|^enum$|^x-/.test(key));
  return [...own, ...parts.flatMap(([key, part]) => schemasIn(part, `${path}/${key}`))];
}

const ALL = schemasIn(publishedDocument, '');
const pathsOf = (wanted: (schema: Schema) => boolean) =>
  ALL.filter(([, schema]) => wanted(schema)).map(([path]) => path);

test('13.1.6 no schema has a pattern that its format states', () => {
  expect(pathsOf(({ format }) => format === 'date-time').length).toBeGreaterThan(50);
  expect(pathsOf(({ pattern, format }) => pattern !== undefined && format !== undefined)).toEqual([]);
});

test('13.1.6 each integer says whether 32 bits hold it', () => {
  const integers = ALL.filter(([, { type }]) => type === 'integer');
  expect(integers.length).toBeGreaterThan(50);
  const wrong = integers.filter(([, { format, maximum = Number.POSITIVE_INFINITY }]) =>
    Number(maximum) < 2 ** 31 ? format !== 'int32' : format !== 'int64',
  );
  expect(wrong).toEqual([]);
});

test('13.1.6 no field of a body has a default but in words, and none is required for it', () => {
  const { schemas } = publishedDocument.components as { schemas: Record<string, Schema> };
  const withDefault = schemasIn(schemas, '').filter(([, schema]) => schema.default !== undefined);
  expect(withDefault.map(([path]) => path)).toEqual([]);
  const { properties, required } = schemas.AccountPayload as { properties: Record<string, Schema>; required: string[] };
  expect(required).not.toContain('account_type');
  expect(properties.account_type?.description).toContain('Default: DOMESTIC.');
  expect(properties.communication_preference?.description).toContain('Default: ONLINE.');
  expect(
    (schemas.ProcessAccountRequest as { properties: Record<string, Schema> }).properties.dry_run?.description,
  ).toContain('Default: false.');
});
