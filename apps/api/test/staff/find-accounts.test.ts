import { expect, test } from 'vitest';
import { obtainToken, serviceOfFile, trpcClient } from '../support/test-service.ts';
import { refusal } from './refusal.ts';

const service = await serviceOfFile();
const supplier = await service.createSupplier();
const other = await service.createSupplier();
const accountImports = service.staff.accountImports;

/** What is found: supplier, number, by what. */
async function find(text: string, code?: string) {
  const { matches } = await accountImports.find.query({ text, ...(code !== undefined && { code }) });
  return matches.map((match) => [match.code, match.external_account_number, match.matched]);
}

const named = (given_name: string, family_name: string, email: string) => ({
  customers: [{ given_name, family_name, email }],
});

test('14.6.5 finds an account of any import supplier, staged or created, by the beginning of a number', async () => {
  await supplier.stage({ external_account_number: 'FIND_1' });
  await other.stage({ external_account_number: 'FIND%1' });
  const { serviceAccountNumber } = await other.importAccount({ external_account_number: 'FIND_12' });
  expect(await find('FIND_1')).toEqual([
    [supplier.code, 'FIND_1', 'external_account_number'],
    [other.code, 'FIND_12', 'external_account_number'],
  ]);
  expect(await find(' FIND_1 ', other.code)).toEqual([[other.code, 'FIND_12', 'external_account_number']]);
  expect(await find('find_1')).toEqual([]);
  expect(await find(serviceAccountNumber.slice(0, -1))).toEqual([[other.code, 'FIND_12', 'service_account_number']]);
  expect(await accountImports.find.query({ text: serviceAccountNumber })).toEqual({
    matches: [
      {
        code: other.code,
        external_account_number: 'FIND_12',
        service_account_number: serviceAccountNumber,
        state: 'COMPLETED',
        complete: true,
        matched: 'service_account_number',
      },
    ],
    more: false,
  });
  expect(await accountImports.list.query({ code: other.code, search: serviceAccountNumber })).toMatchObject([
    { external_account_number: 'FIND_12' },
  ]);
});

test('14.6.5 finds a created account by the beginning of a name or of an e-mail address, in any letter case', async () => {
  await supplier.importAccount({
    external_account_number: 'N1',
    ...named('Ængela', 'Möller-Ray', 'Ann.ray@find.test'),
  });
  await other.importAccount({ external_account_number: 'N2', ...named('Ænna', 'Möller', 'a_n@find.test') });
  await other.stage({ external_account_number: 'N3', ...named('Ænna', 'Möller', 'ann@find.test') });
  await other.importAccount({
    external_account_number: 'N4',
    account_type: 'BUSINESS',
    business: { name: `Brötchen ${'ß'.repeat(500)}` },
  });
  await other.importAccount({
    external_account_number: 'N5',
    account_type: 'MANAGED',
    billing_name: 'Brötchen & Söhne',
  });
  await other.importAccount({ external_account_number: 'N6', business: { name: 'Ölmühle' }, customers: undefined });
  await other.importAccount({ external_account_number: 'N7', customers: [{ company_name: 'Ölhandel' }] });
  const byName = (numbers: string[]) => numbers.map((number) => [number, 'name']);
  const numbers = async (text: string, code?: string) => (await find(text, code)).map(([, ...match]) => match);
  expect(await numbers('ÆN')).toEqual(byName(['N1', 'N2']));
  expect(await numbers('ÖL')).toEqual(byName(['N6', 'N7']));
  expect(await numbers('MÖLLER')).toEqual(byName(['N1', 'N2']));
  expect(await numbers('möller', supplier.code)).toEqual(byName(['N1']));
  expect(await numbers('ænna  möl')).toEqual(byName(['N2']));
  expect(await numbers('brötchen')).toEqual(byName(['N4', 'N5']));
  expect(await numbers(`Brötchen ${'ß'.repeat(200)}`)).toEqual(byName(['N4']));
  expect(await numbers('ann.RAY@find')).toEqual([['N1', 'email']]);
  expect(await numbers('a_n')).toEqual([['N2', 'email']]);
  await accounts.erase('N2');
  expect(await numbers('a_n')).toEqual([]);
  expect(await numbers('möller')).toEqual(byName(['N1']));
});

test('14.6.5 14.3.5 to a READ_ONLY key a name or an e-mail address tells an account only if it is whole', async () => {
  const own = await service.createSupplier();
  await own.importAccount({
    external_account_number: 'RO-1',
    ...named('Wilhelmina', 'Öst', 'Wilhelmina.ost@find.test'),
  });
  await own.importAccount({
    external_account_number: 'RO-2',
    account_type: 'BUSINESS',
    business: { name: 'Wilhelm & Söhne' },
  });
  const { api_key } = await service.staff.apiKeys.issueStaff.mutate({ label: 'Only reads', role: 'READ_ONLY' });
  const reader = trpcClient(service.url, await obtainToken(service.url, api_key));
  const foundBy = async (text: string) => {
    const { matches, more } = await reader.accountImports.find.query({ text, code: own.code });
    expect(more).toBe(false);
    return matches.map((match) => [match.external_account_number, match.matched]);
  };
  const beginningsOf = (text: string) => Array.from(text, (_, index) => text.slice(0, index)).slice(1);
  for (const whole of ['wilhelmina.ost@find.test', 'wilhelmina öst', 'wilhelm & söhne']) {
    for (const beginning of beginningsOf(whole)) {
      expect([beginning, await foundBy(beginning)]).toEqual([beginning, []]);
    }
  }
  expect(await foundBy('öst')).toEqual([]);
  expect(await foundBy('WILHELMINA.ost@find.test')).toEqual([['RO-1', 'email']]);
  expect(await foundBy('wilhelmina  ÖST')).toEqual([['RO-1', 'name']]);
  expect(await foundBy('WILHELM & Söhne')).toEqual([['RO-2', 'name']]);
  expect(await foundBy('RO-')).toEqual([
    ['RO-1', 'external_account_number'],
    ['RO-2', 'external_account_number'],
  ]);
});

const accounts = {
  erase: (external_account_number: string) =>
    service.staff.accounts.erase.mutate({ code: other.code, external_account_number, reason: 'Asked for' }),
};

test('14.6.5 finds what a request was about, accepted or refused, by its own id or that of its caller', async () => {
  const account = supplier.account({ external_account_number: 'R1' });
  await supplier.post('account-import-process/create-or-update/', account, { 'X-Request-Id': 'night-1-call-7' });
  const refused = { ...account, external_account_number: 'R2', account_type: 'NO_SUCH_TYPE' };
  await supplier.post('account-import-process/create-or-update/', refused);
  const { rows } = await service.database.pool.query(
    `SELECT request_id FROM audit_events WHERE caller_request_id = 'night-1-call-7'
    UNION ALL SELECT request_id FROM account_import_refusals WHERE external_account_number = 'R2'`,
  );
  const [accepted, refusedId] = rows.map(({ request_id }) => request_id);
  expect(await find('night-1-call-7')).toEqual([[supplier.code, 'R1', 'request_id']]);
  expect(await find(accepted)).toEqual([[supplier.code, 'R1', 'request_id']]);
  expect(await find(accepted.slice(0, -1))).toEqual([]);
  expect(await find(refusedId, other.code)).toEqual([]);
  expect((await accountImports.find.query({ text: refusedId })).matches).toEqual([
    {
      code: supplier.code,
      external_account_number: 'R2',
      service_account_number: null,
      state: null,
      complete: false,
      matched: 'request_id',
    },
  ]);
});

test('14.6.5 shows 50 accounts, each once, the nearest first, and says that there are more', async () => {
  const own = await service.createSupplier();
  const { id } = await own.importAccount({
    external_account_number: 'MANY',
    ...named('Many', 'Manyfold', 'many@x.test'),
  });
  const { rowCount } = await service.database.pool.query(
    `INSERT INTO account_imports (id, import_supplier_code, external_account_number, state, staged_at, updated_at)
    SELECT account_import_id($1, 'MANY-' || number), $1, 'MANY-' || number, 'STAGED', now(), now()
    FROM generate_series(100, 150) AS number`,
    [own.code],
  );
  expect(rowCount).toBe(51);
  const { matches, more } = await accountImports.find.query({ text: 'MANY' });
  expect([matches.length, more]).toEqual([50, true]);
  expect(matches.slice(0, 2).map(({ external_account_number }) => external_account_number)).toEqual([
    'MANY',
    'MANY-100',
  ]);
  expect(await accountImports.find.query({ text: 'MANY-14' })).toMatchObject({ matches: { length: 10 }, more: false });
  // Of 1,002 people of one name 1,001 are looked at: none of them may be this supplier's.
  await service.database.pool.query(
    `INSERT INTO customers (account_import_id, position, family_name, details)
    SELECT $1, position, 'Multitude', '{}' FROM generate_series(10, 1011) AS position`,
    [id],
  );
  expect(await accountImports.find.query({ text: 'multitude', code: supplier.code })).toEqual({
    matches: [],
    more: true,
  });
});

test('14.6.5 refuses an import supplier that does not exist, and a text that says nothing', async () => {
  expect(await refusal(accountImports.find.query({ text: 'x', code: 'NONE' }))).toMatchObject({
    code: 'import_supplier_does_not_exist',
    attrs: ['code'],
  });
  for (const text of ['', ' ', 'x'.repeat(256)]) {
    expect(await refusal(accountImports.find.query({ text }))).toMatchObject({ status: 400, attrs: ['text'] });
  }
});

test('14.6.6 a search reads its page by number, and then those found by their service number', async () => {
  const own = await service.createSupplier();
  const created = await own.importAccount({ external_account_number: 'z' });
  const number = created.serviceAccountNumber;
  for (const external_account_number of [`${number}-2`, `${number}-10`, `${number}%`]) {
    await own.stage({ external_account_number });
  }
  const list = async (input: object) =>
    (await accountImports.list.query({ code: own.code, search: number, ...input })).map(
      (one) => one.external_account_number,
    );
  const all = [`${number}%`, `${number}-10`, `${number}-2`, 'z'];
  expect(await list({})).toEqual(all);
  const pages = [];
  for (let after: string | undefined; pages.length < 4; after = pages.at(-1)) {
    pages.push(...(await list({ limit: 1, ...(after !== undefined && { after }) })));
  }
  expect(pages).toEqual(all);
  expect(await list({ after: 'z' })).toEqual([]);
  expect(await list({ state: 'STAGED' })).toEqual(all.slice(0, 3));
  expect(await list({ state: 'COMPLETED' })).toEqual(['z']);
});

test('14.6.9 a list and what is found say which accounts are complete, and which have something refused', async () => {
  const own = await service.createSupplier();
  const { reference } = await own.importAccount({ external_account_number: 'WHOLE-1' });
  await own.importAccount({ external_account_number: 'WHOLE-2' });
  await own.stage({ external_account_number: 'WHOLE-3' });
  const shown = async () => {
    const { matches } = await accountImports.find.query({ text: 'WHOLE-', code: own.code });
    const listed = await accountImports.list.query({ code: own.code });
    const completeOf = (all: readonly { external_account_number: string; complete: boolean }[]) =>
      Object.fromEntries(all.map((one) => [one.external_account_number, one.complete]));
    expect(completeOf(matches)).toEqual(completeOf(listed));
    return completeOf(listed);
  };
  expect(await shown()).toEqual({ 'WHOLE-1': true, 'WHOLE-2': true, 'WHOLE-3': false });
  await own.post('notes/create/', { ...reference, notes: [{}] });
  await own.post('notes/create/', { import_supplier: own.code, external_account_number: 'WHOLE-3', notes: [{}] });
  expect(await shown()).toEqual({ 'WHOLE-1': false, 'WHOLE-2': true, 'WHOLE-3': false });
  await own.post('notes/create/', { ...reference, notes: [{ body: 'x' }] });
  expect(await shown()).toEqual({ 'WHOLE-1': true, 'WHOLE-2': true, 'WHOLE-3': false });
});

/** An account that exists, two of whose imports were refused. */
async function refusedTwice() {
  const { reference, externalAccountNumber } = await supplier.importAccount();
  const one = { code: supplier.code, external_account_number: externalAccountNumber };
  const refuse = () => supplier.post('notes/create/', { ...reference, notes: [{}] });
  await refuse();
  await supplier.post('transactions/create/', { ...reference, transactions: [{}] });
  const open = async () => (await accountImports.get.query({ ...one, masked: true })).refusals;
  return { one, refuse, open };
}

test('14.6.10 a refusal is dismissed with a reason, and only that one; the last one completes the account', async () => {
  const { one, open } = await refusedTwice();
  const [notes, transactions] = await open();
  if (notes === undefined || transactions === undefined) throw new Error('Nothing is open');
  const dismiss = ({ operation, request_id }: typeof notes, reason: string) =>
    accountImports.dismissRefusal.mutate({ ...one, operation, request_id, reason });
  expect(await dismiss(notes, 'Never written')).toEqual([transactions]);
  expect(await accountImports.get.query(one)).toMatchObject({ complete: false });
  expect(await dismiss(transactions, 'Cleared by hand')).toEqual([]);
  const { complete, audit_trail } = await accountImports.get.query(one);
  expect(complete).toBe(true);
  expect(audit_trail.filter(({ action }) => action === 'refusal_dismissed').map(({ detail }) => detail)).toEqual([
    { operation: 'notes', code: 'request_failed_validation', reason: 'Never written' },
    { operation: 'transactions', code: 'request_failed_validation', reason: 'Cleared by hand' },
  ]);
  const { rows } = await service.database.pool.query(
    `SELECT count(*)::int AS times FROM events WHERE type = 'account.completed' AND external_account_number = $1`,
    [one.external_account_number],
  );
  expect(rows).toEqual([{ times: 2 }]);
});

test('14.6.10 one that was refused again since it was seen stays open', async () => {
  const { one, refuse, open } = await refusedTwice();
  const [notes] = await open();
  await refuse();
  const seen = { operation: 'notes', request_id: notes?.request_id ?? '', reason: 'Never written' } as const;
  expect(await accountImports.dismissRefusal.mutate({ ...one, ...seen })).toHaveLength(2);
  expect((await accountImports.get.query(one)).audit_trail.map(({ action }) => action)).not.toContain(
    'refusal_dismissed',
  );
});

test('14.6.10 of an account that is not there nothing is dismissed', async () => {
  const dismissed = accountImports.dismissRefusal.mutate({
    ...{
      code: supplier.code,
      external_account_number: 'NOBODY',
      operation: 'line',
      request_id: 'x',
      reason: 'Why not',
    },
  });
  expect(await refusal(dismissed)).toMatchObject({ code: 'account_not_found' });
});

test('14.6.8 lists the accounts that have a problem now, in pages, also those that were never staged', async () => {
  const supplier = await service.createSupplier();
  const { code } = supplier;
  const stage = (external_account_number: string, fields = {}) =>
    supplier.post('account-import-process/create-or-update/', supplier.account({ external_account_number, ...fields }));
  const faulty = { account_type: 'NO_SUCH_TYPE' };
  await stage('P-1');
  for (const number of ['P-1', 'P-2', 'P-2', 'P-3', 'P-4']) await stage(number, faulty);
  await stage('P-3');
  const { serviceAccountNumber } = await supplier.importAccount({ external_account_number: 'P-5' });
  await stage('P-5', faulty);
  const problems = await supplier.trpc.dataImport.listProblems.query({ import_supplier_code: code });
  const { operation, refused, code: problemCode, attr, accounts } = problems[0] ?? expect.fail('There is a problem.');
  const asked = { code, problem: { operation, refused, code: problemCode, attr } };

  const listed = await accountImports.listByProblem.query(asked);
  expect(listed).toHaveLength(accounts);
  const byNumber = Object.fromEntries(
    listed.map(({ external_account_number, ...one }) => [external_account_number, one]),
  );
  expect(byNumber).toMatchObject({
    'P-1': { state: 'STAGED', times: 1, service_account_number: null },
    'P-2': { state: null, times: 2, service_account_number: null },
    'P-4': { state: null, times: 1 },
  });
  const requestId = byNumber['P-2']?.request_id ?? '';
  expect(await accountImports.find.query({ text: requestId })).toMatchObject({
    matches: [{ external_account_number: 'P-2' }],
  });
  const numbers = listed.map(({ external_account_number }) => external_account_number);
  expect(numbers).not.toContain('P-3');
  expect(serviceAccountNumber).toMatch(/^A-/);
  const pages: string[] = [];
  for (let after: string | undefined; pages.length < numbers.length; after = pages.at(-1)) {
    const page = await accountImports.listByProblem.query({ ...asked, limit: 1, ...(after && { after }) });
    pages.push(...page.map(({ external_account_number }) => external_account_number));
  }
  expect(pages).toEqual(numbers);
  const [last] = numbers.slice(-1);
  expect(await accountImports.listByProblem.query({ ...asked, after: String(last) })).toEqual([]);
  const other = { ...asked, problem: { ...asked.problem, attr: 'other' } };
  expect(await accountImports.listByProblem.query(other)).toEqual([]);
  const elsewhere = { ...asked, code: (await service.createSupplier()).code };
  expect(await accountImports.listByProblem.query(elsewhere)).toEqual([]);
  expect(await refusal(accountImports.listByProblem.query({ ...asked, code: 'NONE' }))).toMatchObject({
    code: 'import_supplier_does_not_exist',
  });
});

test('14.7.4 lists what the service team did, newest first, by whom and to what', async () => {
  const supplier = await service.createSupplier();
  const { code } = supplier;
  const external_account_number = await supplier.stage();
  const { id } = await service.staff.apiKeys.issueStaff.mutate({ label: 'console', person: 'Priya Raman' });
  await accountImports.skip.mutate({ code, external_account_number, reason: 'Left' });
  await service.staff.importSuppliers.update.mutate({ code, name: 'Renamed' });
  const { listOfStaff } = service.staff.audit;
  const events = await listOfStaff.query({ limit: 3 });
  expect(events).toMatchObject([
    { action: 'updated', subject: 'import_supplier', code, external_account_number: null, actor: 'staff' },
    { action: 'skipped', subject: 'account_import', code, external_account_number, detail: { reason: 'Left' } },
    { action: 'issued', subject: 'api_key', subject_id: id, code: null, external_account_number: null },
  ]);
  const all = await listOfStaff.query();
  expect(all.slice(0, 3)).toEqual(events);
  expect(all.every(({ actor }) => actor === 'staff')).toBe(true);
  expect(await listOfStaff.query({ before: String(events[2]?.id) })).toEqual(all.slice(3));
  expect(await listOfStaff.query({ api_key_id: id })).toEqual([]);
  expect(await listOfStaff.query({ api_key_id: String(events[0]?.api_key_id), limit: 3 })).toEqual(events);
});
