import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { obtainToken, serviceOfFile, type TestSupplier } from '../support/test-service.ts';
import { keptAnswers, marked } from './marked-calls.ts';

const service = await serviceOfFile();

let supplier: TestSupplier;
beforeEach(async () => {
  supplier = await service.createSupplier();
});

interface Call {
  path?: string;
  input: unknown;
  key?: string;
  token?: string;
}

/** What tRPC answers one call with: a result or an error. */
interface Answer {
  result?: { data: unknown };
  error?: { data: { error: { code: string } } };
}

async function call<Body = Answer>({
  path = 'dataImport.importTransactions',
  input,
  key,
  token = supplier.token,
}: Call) {
  const headers = { 'Content-Type': 'application/json', Authorization: `Token ${token}` };
  const response = await fetch(`${service.url}/trpc/${path}`, {
    method: 'POST',
    headers: { ...headers, ...(key && { 'Idempotency-Key': key }) },
    body: JSON.stringify(input),
  });
  const body = (await response.json()) as Body;
  return { status: response.status, undocumented: response.headers.get('Undocumented-Fields'), body };
}

/** An account, a request that adds money to it each time it is done, and how often it was. */
async function moneyFor(over: { reference?: object } = {}) {
  const { id, reference } = await supplier.importAccount();
  const charge = { transaction_date: '2020-01-01', amount: 10.5, type: 'CHARGE', reason: 'IMPORTED_CHARGE' };
  const transactions = [{ transaction_id: 'T-1', ...charge, not_documented: 1 }];
  return {
    input: { ...reference, ...over.reference, transactions, check_previously_added: false },
    added: () => service.database.prisma.transaction.count({ where: { account_import_id: id } }),
  };
}

describe('an Idempotency-Key over tRPC', () => {
  it('12.5 gives a repeat the first answer, and adds no money twice', async () => {
    const { input, added } = await moneyFor();
    const key = randomUUID();
    const first = await call({ input, key });
    expect(first).toMatchObject({ status: 200, undocumented: 'transactions.*.not_documented;count=1' });
    expect(await call({ input, key })).toEqual(first);
    expect(await added()).toBe(1);
    await call({ input });
    expect(await added()).toBe(2);
  });

  it('12.5 is the same key over REST: the repeat there gets the answer given here, and the other way round', async () => {
    const { input, added } = await moneyFor();
    const { check_previously_added: _, ...body } = input;
    const [path, key] = ['transactions/create/?check_previously_added=false', randomUUID()];
    const overTrpc = await call({ input, key });
    const overRest = await marked(supplier, path, { body, key }).send();
    expect(overRest).toMatchObject({ status: 201, body: overTrpc.body.result?.data });
    expect(await added()).toBe(1);

    const first = marked(supplier, path, { body });
    const { body: answer } = await first.send();
    expect((await call({ input, key: first.key })).body.result?.data).toEqual(answer);
    expect(await added()).toBe(2);

    const third = marked(supplier, path, { body });
    await third.send();
    const { status } = await call({ input: { check_previously_added: false, ...body }, key: third.key });
    expect(status).toBe(200);
    expect(await added()).toBe(3);
  });

  it('12.5 is refused in a batch and for a procedure of the service team, before anything is done', async () => {
    const { input, added } = await moneyFor();
    const path = 'dataImport.importTransactions,dataImport.importTransactions?batch=1';
    const answers = await call<Answer[]>({ path, input: { 0: input, 1: input }, key: randomUUID() });
    expect(answers.status).toBe(400);
    expect(answers.body).toHaveLength(2);
    for (const { error } of answers.body) {
      expect(error?.data.error).toMatchObject({
        code: 'request_failed_validation',
        errors: [{ attr: 'Idempotency-Key' }],
      });
    }
    expect(await added()).toBe(0);

    const kept = await keptAnswers(service);
    const organisations = await service.database.prisma.organisation.count();
    const token = await obtainToken(service.url, service.staffApiKey);
    const staffCall = { path: 'organisations.create', input: { name: 'Once' }, key: randomUUID(), token };
    expect(await call(staffCall)).toMatchObject({
      status: 400,
      body: { error: { data: { error: { errors: [{ attr: 'Idempotency-Key' }] } } } },
    });
    expect(await service.database.prisma.organisation.count()).toBe(organisations);
    expect(await keptAnswers(service)).toBe(kept);
  });
});
