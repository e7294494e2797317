import { afterAll, expect, expectTypeOf, test } from 'vitest';
// @boundaries-ignore a dependency on testing would close a circle of packages
import { createTestDatabase } from '../../testing/src/create-test-database.ts';
// @boundaries-ignore as above
import { faultsOfStatement } from '../../testing/src/faults-of-statement.ts';
import { fragment, narrow, rawSql, type SqlStatement, sql } from '../src/index.ts';

const { database, drop } = await createTestDatabase();
afterAll(drop);

const ADDED = fragment`${'one'}::integer + ${'other'}::integer`;

test('15 numbers the parameters of a statement as they come, one that comes twice once, those of fragments too', () => {
  const { text, parameters } = sql('test')`SELECT ${'other'}::integer, ${ADDED}, ${rawSql("'one'")} ORDER BY ${'last'}`;
  expect(text).toBe("SELECT $1::integer, $2::integer + $1::integer, 'one' ORDER BY $3");
  expect(parameters).toEqual(['other', 'one', 'last']);
});

test('15 gives the same statement the same name, and another text another one', () => {
  const [one, same, other] = [sql('test')`SELECT ${'a'}`, sql('test')`SELECT ${'b'}`, sql('test')`SELECT ${'a'}, 1`];
  expect(one.name).toMatch(/^test_[0-9a-f]{8}$/);
  expect(same.name).toBe(one.name);
  expect(other.name).not.toBe(one.name);
});

test('15 takes the values by their names, in any order, and gives back rows of the declared type', async () => {
  const columns = { sum: 'integer', word: narrow<'yes' | 'no' | null>('text | null') } as const;
  const ADD = sql('test', columns)`SELECT ${ADDED} AS sum, ${'word'} AS word`;
  const rows = await database.query(ADD, { word: null, other: 2, one: 1 });
  expectTypeOf(rows).toEqualTypeOf<{ sum: number; word: 'yes' | 'no' | null }[]>();
  expect(rows).toEqual([{ sum: 3, word: null }]);
});

test('15 gives values of every type as a row declares them', async () => {
  const TYPES = sql('test', {
    account_import_state: 'account_import_state',
    balance_check: 'balance_check',
    bigint: 'bigint',
    boolean: 'boolean',
    bytea: 'bytea',
    char: 'char',
    date: 'date',
    import_supplier_status: 'import_supplier_status',
    integer: 'integer',
    json: 'json',
    jsonb: 'jsonb',
    numeric: 'numeric',
    numerics: 'numeric[]',
    statement_amount_unit: 'statement_amount_unit',
    text: 'text',
    texts: 'text[]',
    timestamptz: 'timestamptz',
    uuid: 'uuid',
    uuids: 'uuid[]',
    void: 'void',
  })`
    SELECT
      'STAGED'::account_import_state, 'OFF'::balance_check, 1::bigint AS bigint, true AS boolean, '\x01'::bytea, 'GB'::char(2) AS char,
      date '2026-03-29', 'PAUSED'::import_supplier_status, 1 AS integer, '[1]'::json, '[1]'::jsonb, 1.10 AS numeric,
      ARRAY[1.10] AS numerics, 'MINOR'::statement_amount_unit, 'one' AS text, ARRAY['one'] AS texts, timestamptz '2026-03-29 01:30:00+00',
      ${'id'}::uuid, ARRAY[${'id'}::uuid] AS uuids, pg_advisory_xact_lock(1) AS void`;
  const id = '018f0000-0000-7000-8000-000000000001';
  const [row] = await database.query(TYPES, { id });
  expect(await faultsOfStatement(database, TYPES)).toEqual([]);
  const expected: typeof row = {
    account_import_state: 'STAGED',
    balance_check: 'OFF',
    bigint: '1',
    boolean: true,
    bytea: Buffer.of(1),
    char: 'GB',
    date: '2026-03-29',
    import_supplier_status: 'PAUSED',
    integer: 1,
    json: [1],
    jsonb: [1],
    numeric: '1.10',
    numerics: ['1.10'],
    statement_amount_unit: 'MINOR',
    text: 'one',
    texts: ['one'],
    timestamptz: new Date('2026-03-29T01:30:00Z'),
    uuid: id,
    uuids: [id],
    void: '',
  };
  expect(row).toEqual(expected);
});

test('15 refuses a value that is missing, and one that no parameter takes', async () => {
  const ADD = sql('test', { sum: 'integer' })`SELECT ${ADDED} AS sum`;
  // @ts-expect-error `other` is missing
  await expect(database.query(ADD, { one: 1 })).rejects.toThrow('has no value for other');
  // @ts-expect-error nothing is not null
  await expect(database.query(ADD, { one: 1, other: undefined })).rejects.toThrow('has no value for other');
  // @ts-expect-error there is no `another`
  expect(await database.query(ADD, { one: 1, other: 2, another: 3 })).toEqual([{ sum: 3 }]);
});

test('15 refuses SQL where the name of a parameter belongs', () => {
  const text: string = "'1' OR true";
  expect(() => sql('test')`SELECT ${text}`).toThrow(RangeError);
});

test.each<[string, SqlStatement<unknown, string>, string[]]>([
  [
    'nothing',
    sql('test', { name: 'text', status: 'import_supplier_status' })`SELECT name, status FROM import_suppliers`,
    [],
  ],
  [
    'a wrong type',
    sql('test', { points: 'text' })`SELECT points FROM rate_limits`,
    ['answers with integer as points and declares text'],
  ],
  [
    'a column that is named otherwise',
    sql('test', { name: 'text' })`SELECT name AS title FROM organisations`,
    ['declares a column name and does not answer with it', 'answers with a column title and does not declare it'],
  ],
  [
    'a null that is not declared',
    sql('test', { label: 'text', organisation_id: 'uuid' })`SELECT label, organisation_id FROM api_keys`,
    ['may answer with null as organisation_id and does not declare it'],
  ],
  [
    'two columns of one name',
    sql('test', { name: 'text' })`SELECT name, name FROM organisations`,
    ['answers with two columns named name'],
  ],
  [
    'rows where none are declared',
    sql('test')`DELETE FROM rate_limits RETURNING key`,
    ['answers with a column key and does not declare it'],
  ],
  [
    'a table that is missing',
    sql('test')`SELECT FROM harbours`,
    ['cannot be prepared: relation "harbours" does not exist'],
  ],
])('15 finds %s in what a statement declares', async (_what, statement, faults) => {
  expect(await faultsOfStatement(database, statement)).toEqual(
    faults.map((fault) => `The statement ${statement.name} ${fault}.`),
  );
});
