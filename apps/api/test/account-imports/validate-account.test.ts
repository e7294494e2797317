import { describe, expect, test } from 'vitest';
import { allRows } from '../support/all-rows.ts';
import { serviceOfFile } from '../support/test-service.ts';

/** The day on which the service believes to be, as its own time zone has it. */
const TODAY = '2026-03-02';

const service = await serviceOfFile({ SERVICE_TIME_ZONE: 'Pacific/Auckland' });
service.setTime('2026-03-01T12:30:00Z');
const supplier = await service.createSupplier();
const french = await service.createSupplier({ of: supplier, country: 'FR' });

type Fields = Record<string, unknown>;

/** The smallest account, with these fields. */
function account(fields: Fields = {}, { code } = supplier): Fields {
  return { import_supplier: code, external_account_number: 'ACC-1', customers: [{ given_name: 'Zoë' }], ...fields };
}

const customer = (fields: Fields) => account({ customers: [{ given_name: 'Zoë', ...fields }] });

async function problemsOf(payload: unknown, { post } = supplier): Promise<string[]> {
  const { status, body } = await post('validate-account/', payload);
  if (status === 200) return [];
  expect(status).toBe(400);
  expect(body.code).toBe('account_failed_validation');
  for (const error of body.errors) expect(error.detail).toMatch(/^\p{Lu}.*\.$/u);
  return body.errors.map(({ attr, code }: Record<string, string>) => `${attr}: ${code}`);
}

describe('the account payload', () => {
  test.concurrent('2.10 is judged by its schema and, with today in the service’s time zone, by its rules', async () => {
    const yesterday = customer({ date_of_birth: '2026-03-01' });
    expect(await problemsOf({ ...yesterday, last_billed_to_date: TODAY })).toEqual([]);
    const today = { ...customer({ date_of_birth: TODAY, title: 'x'.repeat(21) }), last_billed_to_date: '2026-03-03' };
    expect((await problemsOf(today)).sort()).toEqual([
      'customers.0.date_of_birth: date_in_future',
      'customers.0.title: max_length',
      'last_billed_to_date: date_in_future',
    ]);
  });

  test.concurrent('2.9.5 2.10.21 the setting of an import supplier adds account types: an account type that a supplier adds is accepted of that supplier only', async () => {
    const own = await service.createSupplier({ account_types: ['LANDLORD'] });
    const landlord = () => problemsOf(account({ account_type: 'LANDLORD' }, own), own);
    expect(await landlord()).toEqual([]);
    expect(await problemsOf(account({ account_type: 'LANDLORD' }))).toEqual(['account_type: invalid_choice']);
    for (const account_type of [
      'BUSINESS',
      'BUSINESS_VACANT',
      'DOMESTIC_VACANT',
      'DOMESTIC_OCCUPIER',
      'BUSINESS_OCCUPIER',
    ]) {
      expect(await problemsOf(account({ account_type }, own), own)).toEqual([]);
    }
    const { id } = await own.importAccount({ account_type: 'LANDLORD' });
    const where = { account_import_id: id };
    expect(await service.database.prisma.account.findUnique({ where })).toMatchObject({ account_type: 'LANDLORD' });
    await service.staff.importSuppliers.update.mutate({ code: own.code, account_types: [] });
    expect(await landlord()).toEqual(['account_type: invalid_choice']);
  });

  test.concurrent('2.10 judges phone numbers and postcodes by the country of the import supplier', async () => {
    const numbers = { mobile: '06 12 34 56 78', landline: '01 70 18 99 00' };
    const payload = {
      ...account({ billing_postcode: '75001', customers: [{ given_name: 'Zoé', ...numbers }] }, french),
    };
    expect(await problemsOf(payload, french)).toEqual([]);
    const british = account({ customers: [{ given_name: 'Zoë', landline: '0113 496 0999' }] });
    expect(await problemsOf(british)).toEqual([]);
    expect(await problemsOf({ ...british, import_supplier: french.code }, french)).toEqual([
      'customers.0.landline: invalid_phone_number',
    ]);
    // A field of another endpoint's does not choose the country.
    expect(await problemsOf({ ...payload, import_supplier_code: supplier.code }, french)).toEqual([]);
    expect(await problemsOf({ ...customer({ landline: '1' }), import_supplier_code: 7 })).toEqual([
      'customers.0.landline: invalid_phone_number',
    ]);
  });
});

describe('what a refusal tells', () => {
  test.concurrent('7.2 an account that fails validation is 400 with detail, code and errors: all problems at once, each with detail, code and attr, a dotted path with zero-based indexes', async () => {
    const payload = account({
      account_type: 'X',
      customers: [
        { landline: '1', consents: [{}] },
        { given_name: 'A', mobile: 'no' },
      ],
    });
    const { status, body } = await supplier.post('validate-account/', payload);
    expect(status).toBe(400);
    expect(Object.keys(body)).toEqual(['detail', 'code', 'errors', 'documentation_url']);
    const problems = body.errors.map(({ attr, code }: Record<string, string>) => `${attr}: ${code}`);
    expect(problems.sort()).toEqual(
      [
        'account_type: invalid_choice',
        'customers.0.consents.0.type: required',
        'customers.0.consents.0.value: required',
        'customers.0.given_name: customer_name_not_found',
        'customers.0.landline: invalid_phone_number',
        'customers.1.mobile: invalid_phone_number',
      ].sort(),
    );
  });

  test.concurrent('7.2 repeats nothing of what was sent', async () => {
    const secret = 'secret-9f8e7d';
    const { body } = await supplier.post(
      'validate-account/',
      customer({ email: secret, mobile: secret, deceased: secret }),
    );
    expect(body.errors).toHaveLength(3);
    expect(JSON.stringify(body)).not.toContain(secret);
  });
});

test('4.1 stores nothing whatever, of a good account and of a bad one', async () => {
  const before = await allRows(service.database);
  await supplier.post('validate-account/', supplier.account());
  await supplier.post('validate-account/', account({ customers: [] }));
  expect(await allRows(service.database)).toEqual(before);
});
