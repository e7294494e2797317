import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { bundle } from '../src/build/bundle.ts';
import { executeMapping } from '../src/mapping/execute.ts';
import { DEFAULT_LIMITS, MAPPING_PROCESS, type MappingLimits } from '../src/mapping/messages.ts';
import { runMapping } from '../src/mapping/run-mapping.ts';
import { unreadableIn } from '../src/mapping/unreadable.ts';
import { temporaryFolder } from './support/causeway.ts';

const SOURCES = `
  CREATE TABLE customers_2026 ("Cust No" TEXT, "Name" TEXT, "Born" TEXT, _line INTEGER, _fault TEXT, _file TEXT GENERATED ALWAYS AS ('CUSTOMERS_2026.csv') VIRTUAL);
  INSERT INTO customers_2026 VALUES ('0007', 'Ann', '01-NOV-66', 2, NULL), ('0008', 'Bob', 'unknown', 3, NULL), ('0009', 'Cy', 'unknown', 4, NULL);
  CREATE TABLE accounts (external_account_number TEXT, "Balance" TEXT, _line INTEGER, _fault TEXT, _file TEXT GENERATED ALWAYS AS ('ACCOUNTS.csv') VIRTUAL);
  INSERT INTO accounts VALUES ('7', '48.20-', 2, NULL), ('8', '0.1', 3, NULL), ('8', '0.2', 4, NULL);
`;

const ACCOUNTS = `CREATE TEMP VIEW accounts AS
SELECT external_account_number, sum_money(to_money("Balance")) AS transfer_balance
FROM main.accounts
GROUP BY 1;`;

interface Run {
  limits?: Partial<MappingLimits>;
  stop?: AbortController;
}

/** A store with the sources. */
async function storeOfSources() {
  const folder = await temporaryFolder();
  const databaseFile = path.join(folder, 'store');
  const database = new DatabaseSync(databaseFile);
  database.exec(SOURCES);
  database.close();
  return { folder, databaseFile };
}

/** Runs a mapping over the sources, in this process. */
async function run(text: string) {
  const { databaseFile } = await storeOfSources();
  const result = executeMapping(
    { databaseFile, mapping: { name: 'mapping.sql', text }, limits: DEFAULT_LIMITS, viewsByField: {} },
    () => {},
  );
  return { result, store: new DatabaseSync(databaseFile) };
}

/** Runs a mapping over the sources as commands do. */
async function runInProcess(text: string, { limits, stop }: Run = {}) {
  const store = await storeOfSources();
  const mapping = { name: 'mapping.sql', text };
  return runMapping({
    ...store,
    mapping,
    limits: { ...DEFAULT_LIMITS, ...limits },
    stop: (stop ?? new AbortController()).signal,
    onStep: (what) => what === 'accounts' && stop?.abort(),
  });
}

/** The sentence with which a mapping ends, and its lines. */
async function failureOf(running: Promise<unknown>): Promise<string> {
  const error = await running.then(
    () => undefined,
    (thrown: { message: string; lines: readonly string[] }) => thrown,
  );
  return [error?.message, ...(error?.lines ?? [])].join('\n');
}

describe('25.2.11 a mapping', () => {
  it('becomes a table for each relation, and leaves the sources as they are', async () => {
    const { result, store } = await run(`-- What the customers owe.
      ${ACCOUNTS}
      CREATE TEMP VIEW helper AS SELECT unpad("Cust No") AS number, "Name" FROM customers_2026;
      CREATE TEMP VIEW Customers AS SELECT number AS external_account_number, "Name" AS given_name FROM helper;
      CREATE TEMP VIEW notes AS SELECT json_object('a', 1) AS json;
      CREATE TEMP VIEW manifest AS SELECT count(*) AS accounts FROM main.accounts;`);
    expect(result.relations).toEqual([
      { name: 'accounts', table: 'kind accounts', columns: ['external_account_number', 'transfer_balance'], reals: [] },
      { name: 'customers', table: 'kind customers', columns: ['external_account_number', 'given_name'], reals: [] },
      { name: 'notes', table: 'kind notes', columns: ['json'], reals: [] },
      { name: 'manifest', table: 'kind manifest', columns: ['accounts'], reals: [] },
    ]);
    const all = (table: string) =>
      store
        .prepare(`SELECT * FROM "${table}"`)
        .all()
        .map((row) => Object.values(row));
    expect(all('kind accounts')).toEqual([
      ['7', '-48.20'],
      ['8', '0.30'],
    ]);
    expect(all('kind customers')[0]).toEqual(['7', 'Ann']);
    expect(all('customers_2026')).toHaveLength(3);
    expect(result.unreadable).toBe(0);
  });

  it('tells which columns of the files it reads, those of helpers too', async () => {
    const { result } =
      await run(`CREATE TEMP TABLE born AS SELECT "Cust No" AS number, "Born" AS born FROM customers_2026;
      CREATE INDEX temp.by_number ON born (number);
      INSERT INTO born SELECT external_account_number, '' FROM main.accounts;
      CREATE TEMP VIEW accounts AS SELECT number AS external_account_number FROM born;
      CREATE TEMP VIEW unused AS SELECT "Balance" FROM main.accounts;`);
    expect(result.reads).toEqual([
      { table: 'customers_2026', column: 'Cust No' },
      { table: 'customers_2026', column: 'Born' },
      { table: 'accounts', column: 'external_account_number' },
    ]);
  });

  it('continues where a function cannot read a value, and keeps each such value once', async () => {
    const { result, store } = await run(`CREATE TEMP VIEW customers AS SELECT "Cust No" AS external_account_number,
      to_date("Born", 'DD-MON-RR') AS date_of_birth FROM customers_2026;`);
    expect(result.unreadable).toBe(1);
    const days = store
      .prepare('SELECT date_of_birth FROM "kind customers"')
      .all()
      .map((row) => String(row.date_of_birth));
    expect(days[0]).toBe('1966-11-01');
    expect(days.map(unreadableIn)).toEqual([undefined, 1, 1]);
    expect(store.prepare('SELECT * FROM _unreadable').all()).toMatchObject([
      { id: 1, function: 'to_date', detail: 'Must be a day written DD-MON-RR.', argument: 'unknown' },
    ]);
  });

  it('keeps text as it is, and counts the REALs of each column', async () => {
    const { result, store } = await run(`CREATE TEMP VIEW accounts AS
      SELECT 1 AS external_account_number, CAST('1' AS NUMERIC) AS a, 0.1 + 0.2 AS b
      UNION ALL SELECT '0007', '0012', '48.20';`);
    expect(result.relations[0]?.reals).toEqual([{ column: 'b', values: 1 }]);
    expect(
      store
        .prepare('SELECT a FROM "kind accounts"')
        .all()
        .map(({ a }) => a),
    ).toEqual([1, '0012']);
  });

  it('is cut into statements where its semicolons end them', async () => {
    const { result } = await run(`\uFEFF/* a; b */ CREATE TEMP VIEW "a;b" AS SELECT ';--' AS "x;" -- c; d
      ;; ${ACCOUNTS} -- the end;`);
    expect(result.relations).toHaveLength(1);
  });
});

describe('25.2.11 a wrong mapping ends with a sentence and its line', () => {
  it.each([
    ['SELECT 1;\nCREATE TEMP VIEW accounts AS\nSELECT a,\n  FROM x;', 'mapping.sql line 4: Near "FROM": syntax error.'],
    [
      'SELECT 1;\nCREATE TEMP VIEW accounts AS\nSELECT (a',
      'mapping.sql line 2: The statement that begins here is not complete.',
    ],
    ["SELECT 1;\nSELECT\n 'a", `mapping.sql line 3: Unrecognized token: "'a".`],
    [
      'CREATE TEMP VIEW accounts AS\nSELECT *\nFROM customer_2026;',
      'mapping.sql line 3: There is no table customer_2026. Did you mean customers_2026?\n  The tables are: customers_2026, accounts',
    ],
    [
      'CREATE TEMP VIEW accounts AS\nSELECT\n "Cust Nr" AS external_account_number\nFROM customers_2026;',
      'mapping.sql line 3: There is no column Cust Nr. Did you mean customers_2026."Cust No"?',
    ],
    [
      'CREATE TEMP VIEW helper AS\nSELECT\n c."Nme" AS n\nFROM customers_2026 c;\nCREATE TEMP VIEW accounts AS SELECT n AS external_account_number FROM helper;',
      'mapping.sql line 3: There is no column c.Nme. Did you mean customers_2026."Name"?',
    ],
    [
      'CREATE TEMP VIEW accounts AS\nSELECT to_mony("Balance") FROM main.accounts;',
      'mapping.sql line 2: There is no function to_mony. Did you mean to_money?',
    ],
    [
      'CREATE TEMP VIEW accounts AS SELECT * FROM accounts;',
      'mapping.sql line 1: The view accounts reads from itself. To read the table of the file, write main."accounts".',
    ],
    [
      'CREATE TEMP VIEW a AS SELECT * FROM b;\nCREATE TEMP VIEW b AS SELECT * FROM a;',
      'mapping.sql line 1: The view a reads from itself.',
    ],
    [
      'SELECT 1;\nCREATE TEMP VIEW readings AS SELECT "Name" FROM customers_2026;',
      'mapping.sql line 2: readings has no column external_account_number.\n  Add the column of your files that names the account: SELECT … AS external_account_number',
    ],
    [
      `CREATE TEMP VIEW customers AS SELECT "Cust No" AS external_account_number,\n to_date("Born", 'DD-MON') AS b FROM customers_2026;`,
      'mapping.sql line 2: to_date: "DD-MON" is not a date format.',
    ],
    ['', 'mapping.sql creates no view that becomes part of a book.'],
    ['CREATE TEMP VIEW manifest AS SELECT 1 AS a;', 'mapping.sql creates no view that becomes part of a book.'],
    ['CREATE TEMP VIEW persons AS SELECT 1 AS a;', 'Write CREATE TEMP VIEW with one or more of these names: accounts,'],
    ['CREATE TEMP VIEW acounts AS SELECT 1 AS a;', 'no kind is called acounts; did you mean accounts?'],
    ['CREATE TEMP VIEW ntoes AS SELECT 1 AS a;', 'no kind is called ntoes; did you mean notes?'],
    ['CREATE TEMP VIEW moves AS SELECT 1 AS a;', 'mapping.sql creates no view that becomes part of a book.'],
    [
      `CREATE TEMP VIEW accounts AS SELECT json_extract("Name", '$') AS external_account_number FROM customers_2026;`,
      'mapping.sql line 1: A value that is read as JSON is none.',
    ],
  ])('%#: %j', async (text, sentence) => {
    expect(await failureOf(run(text))).toContain(sentence);
  });
});

describe('25.2.11 a mapping is confined', () => {
  it.each([
    [`ATTACH '/tmp/other' AS other`, 'ATTACH and VACUUM are not allowed. A mapping may create temporary views'],
    ['PRAGMA writable_schema = 1', 'PRAGMA is not allowed.'],
    [`SELECT * FROM pragma_table_info('accounts')`, 'PRAGMA is not allowed.'],
    ['VACUUM', 'ATTACH and VACUUM are not allowed.'],
    [`VACUUM INTO '/tmp/other'`, 'ATTACH and VACUUM are not allowed.'],
    [`SELECT load_extension('x')`, 'The function load_extension is not available in a mapping.'],
    [`SELECT readfile('/etc/passwd')`, 'There is no function readfile.'],
    ['SELECT random()', 'The function random is not available in a mapping.'],
    ['SELECT current_timestamp', 'The function current_timestamp is not available in a mapping.'],
    [`SELECT date('now')`, 'A mapping cannot ask for the time of today.'],
    ['SELECT datetime()', 'A mapping cannot ask for the time of today.'],
    [`SELECT strftime('%Y', 'NOW')`, 'A mapping cannot ask for the time of today.'],
    ['CREATE VIEW accounts AS SELECT 1', "Write CREATE TEMP VIEW accounts: a mapping's views are temporary."],
    ['CREATE TABLE x (a)', "Write CREATE TEMP TABLE x: a mapping's tables are temporary."],
    ['CREATE INDEX i ON accounts ("Balance")', 'accounts is the table of a file, and cannot have an index.'],
    [
      `INSERT INTO accounts VALUES ('9', '', 1, NULL)`,
      'accounts is the table of a file, which a mapping cannot change.',
    ],
    [`UPDATE accounts SET "Balance" = '0'`, 'UPDATE is not allowed.'],
    ['DELETE FROM accounts', 'DELETE is not allowed.'],
    ['DROP TABLE accounts', 'is not allowed.'],
    ['ALTER TABLE accounts RENAME TO x', 'ALTER TABLE is not allowed.'],
    ['CREATE TEMP TRIGGER t AFTER INSERT ON accounts BEGIN SELECT 1; END', 'CREATE TEMP TRIGGER is not allowed.'],
    ['CREATE VIRTUAL TABLE temp.x USING fts5(a)', 'CREATE VTABLE is not allowed.'],
    ['INSERT INTO sqlite_schema VALUES (1, 1, 1, 1, 1)', 'Table sqlite_master may not be modified.'],
    ['UPDATE sqlite_schema SET sql = 1', 'may not be modified.'],
    ['COMMIT', 'TRANSACTION is not allowed.'],
    ['ANALYZE', 'is not allowed'],
  ])('%s', async (statement, sentence) => {
    const failure = await failureOf(run(`-- first\n${statement};`));
    expect(failure).toContain('mapping.sql line 2: ');
    expect(failure).toContain(sentence);
  });

  it('within its views too, of which SQLite asks only when they are used', async () => {
    const failure = await failureOf(run(`${ACCOUNTS}\nCREATE TEMP VIEW x AS\nSELECT random() AS a;`));
    expect(failure).toContain('The function random is not available in a mapping.');
    expect(failure).toMatch(/^mapping\.sql line 5: /);
  });
});

const ENDLESS = `-- without an end
CREATE TEMP VIEW accounts AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT external_account_number FROM n;`;
const endless = (column: string, order = '') =>
  ENDLESS.replace(
    'SELECT external_account_number FROM n',
    `SELECT ${column} AS external_account_number FROM n ${order}`,
  );

describe('25.2.11 the process of a mapping', () => {
  it('gives what the mapping comes to', async () => {
    expect(await runInProcess(ACCOUNTS)).toMatchObject({
      relations: [{ name: 'accounts' }],
      reads: [{ column: 'external_account_number' }, { column: 'Balance' }],
      unreadable: 0,
    });
  });

  it('hands on what is wrong with it', async () => {
    expect(await failureOf(runInProcess('-- first\nPRAGMA x;'))).toContain(
      'mapping.sql line 2: PRAGMA is not allowed.',
    );
  });

  it('is stopped at its time, though its recursion has no end', async () => {
    const failure = await failureOf(runInProcess(endless('max(i)'), { limits: { minutes: 0.02 } }));
    expect(failure).toMatch(/^mapping\.sql line 2: .*accounts was stopped after 0\.02 minutes\./);
    expect(failure).toContain('Check that each join names its keys, and that each recursive query ends.');
  });

  it('is stopped at its disk, in files that SQLite has deleted already', async () => {
    const sorted = endless(`printf('%500d', i)`, 'ORDER BY 1');
    expect(await failureOf(runInProcess(sorted, { limits: { diskMb: 30 } }))).toContain(
      'needed more than 30 MB of disk.',
    );
  });

  it('is stopped at its disk, in its tables', async () => {
    const failure = await failureOf(runInProcess(endless(`printf('%500d', i)`), { limits: { diskMb: 30 } }));
    expect(failure).toMatch(/^mapping\.sql line 2: .*more than 30 MB of disk/);
  });

  it('is stopped at its memory', async () => {
    const large = Array.from({ length: 20 }, (_one, index) => `printf('%30000000d', i + ${index}) AS a${index}`).join(
      ', ',
    );
    const failure = await failureOf(runInProcess(endless(`${large}, 1`), { limits: { memoryMb: 300 } }));
    expect(failure).toContain('needed more than 300 MB of memory.');
  });

  it('ends when it is interrupted', async () => {
    const running = runInProcess(endless('max(i)'), { stop: new AbortController() });
    expect(await failureOf(running)).toBe('Interrupted.');
  });

  it('is the one file that is built, and ends with the command that started it', async () => {
    const { folder, databaseFile } = await storeOfSources();
    const file = path.join(folder, 'causeway.mjs');
    writeFileSync(file, (await bundle()).text);
    const child = fork(file, [MAPPING_PROCESS], { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    child.send({ databaseFile, mapping: { name: 'mapping.sql', text: endless('max(i)') }, limits: DEFAULT_LIMITS });
    const [message] = await once(child, 'message');
    expect(message).toMatchObject({ type: 'step', line: 2 });
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  });

  it('says which Node it needs where an older one runs it', async () => {
    const setAuthorizer = Object.getOwnPropertyDescriptor(DatabaseSync.prototype, 'setAuthorizer');
    Reflect.deleteProperty(DatabaseSync.prototype, 'setAuthorizer');
    try {
      expect(await failureOf(runInProcess(ACCOUNTS))).toContain('A mapping needs Node 24.10 or newer: this is ');
    } finally {
      Object.defineProperty(DatabaseSync.prototype, 'setAuthorizer', setAuthorizer ?? {});
    }
  });
});
