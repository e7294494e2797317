import { AccountPayload, FIELDS_OF_SPECIAL_WEIGHT, kindOfPath, type Problem } from '@causeway/contracts';
import { REALISTIC_BOOKS, TIME_OF_BOOKS } from '@causeway/realistic-books';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changed, changesOf, DOUBTFUL, JUNK } from '../support/damage.ts';
import { type Fields, fourWays, readBackOf, type Told, withoutUndocumented } from '../support/four-ways.ts';
import { serviceWithLanes } from '../support/service-with-lanes.ts';
import type { TestSupplier } from '../support/test-service.ts';

const service = await serviceWithLanes(() => new Date(TIME_OF_BOOKS));
service.setTime(TIME_OF_BOOKS);

/** Books for the default settings of an import supplier. */
const BOOKS = REALISTIC_BOOKS.filter(({ settings }) => Object.keys(settings).every((name) => name === 'balance_check'));
const ACCOUNTS = 60;
/** Half of them have nothing that is refused. */
const damage = fc.oneof(fc.constant([]), changesOf(DOUBTFUL), changesOf([...JUNK, ...DOUBTFUL]));
const STORING = ['rest', 'trpc', 'bulk'] as const;

test('4.18.3 of random accounts with random damage no way says what is not so', async () => {
  const ways = await fourWays(service, {}, TIME_OF_BOOKS.slice(0, 10));
  const seed = Math.floor(Math.random() * 2 ** 31);
  const drawn = fc.sample(fc.tuple(fc.constantFrom(...BOOKS), damage), { numRuns: ACCOUNTS, seed });
  const accounts = drawn.map(([{ account }, changes], index): Fields => {
    return { ...changed(account, changes), external_account_number: `DRAWN-${index}` };
  });
  const told = await ways.send(accounts);
  for (const [index, account] of accounts.entries()) {
    const { said } = told.validate[index] as Told;
    const label = `seed ${seed}, account ${index}`;
    for (const way of STORING) {
      const other = told[way][index] as Told;
      expect([label, way, other.said]).toEqual([label, way, said]);
      const expected = said.refused.length > 0 ? undefined : readBackOf(withoutUndocumented(account, said));
      expect([label, way, other.stored]).toEqual([label, way, expected]);
    }
  }
  for (const way of STORING) expect(await listed(ways.suppliers[way])).toEqual(counted(told[way]));
});

/** How many accounts have each remark that a call tells, as the list of problems says: the other one comes later. */
async function listed({ get, code }: TestSupplier): Promise<Record<string, number>> {
  const { body } = await get(`problems/${code}/?limit=1000`);
  const remarks = (body as Problem[]).filter(
    ({ refused, code: kind }) => !refused && kind !== 'meter_point_in_two_accounts',
  );
  return Object.fromEntries(remarks.map((remark) => [`${remark.code} ${remark.attr}`, remark.accounts]));
}

/** The list names no field that is not documented, nor one of special weight, nor anything below one. */
const kindListed = (kind: string) => {
  const [code = '', path = ''] = kind.split(' ');
  const parts = kindOfPath([AccountPayload], path).split('.');
  const end = parts.findIndex((part) => FIELDS_OF_SPECIAL_WEIGHT.has(part));
  return `${code} ${parts.slice(0, end === -1 ? undefined : end).join('.')}`;
};

function counted(told: readonly Told[]): Record<string, number> {
  const all = told.flatMap(({ said }) => [...new Set(said.remarks.map(kindListed))]);
  return Object.fromEntries(
    Map.groupBy(all, (kind) => kind)
      .entries()
      .map(([kind, same]) => [kind, same.length]),
  );
}
