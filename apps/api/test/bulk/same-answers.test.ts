import { type BookSettings, readBookLine } from '@causeway/book';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { statement } from '../bundles/support.ts';
import { changed, changesOf, JUNK } from '../support/damage.ts';
import { type Fields, settingsOf } from '../support/four-ways.ts';
import { serviceOfFile, type TestSupplier } from '../support/test-service.ts';

const PATHS = {
  notes: 'notes/create/',
  transactions: 'transactions/create/',
  statements: 'historical-statements/create/',
  payment_instruction: 'payment-instruction/create/',
} as const;

const SETTINGS = [
  {},
  { country: 'FR', undocumented_fields: 'REJECT', balance_check: 'REFUSE' },
  { empty_means_omitted: true, statement_amount_unit: 'MINOR', account_types: ['LIGHTHOUSE'] },
] as const;

let suppliers: { supplier: TestSupplier; settings: BookSettings }[];

const service = await serviceOfFile();
const TODAY = '2026-04-17';
service.setTime(`${TODAY}T12:00:00Z`);
beforeAll(async () => {
  suppliers = await Promise.all(
    SETTINGS.map(async (configured) => {
      const { account_types = [], ...others } = { account_types: [] as readonly string[], ...configured };
      const supplier = await service.createSupplier({ ...others, account_types: [...account_types] });
      return { supplier, settings: settingsOf(supplier, { configured, today: TODAY }) };
    }),
  );
});

const changes = changesOf(JUNK);
const charge = { transaction_id: 'T-1', transaction_date: '2026-04-05', type: 'CHARGE', amount: 12.3, reason: 'X' };
const history = {
  notes: [{ body: 'A', external_id: 'N-1' }, { document_paths: [{ document_path: 'a/b.pdf' }] }],
  transactions: [charge, { ...charge, transaction_id: 'T-2', type: 'PAYMENT' }],
  statements: [statement('S-1', { gross_amount: 112 }), statement('S-2', { gross_amount: 112 })],
  payment_instruction: { vendor: 'SANDBOX', reference: 'pm_1', type: 'CARD' },
};

const read = (line: unknown, settings: BookSettings) => readBookLine(Buffer.from(JSON.stringify(line)), settings);

/** The answer of a call, and that of a line, in the same terms: undefined for data that is not refused. */
const refusalIn = ({ code, detail, errors }: Fields) => ({ code, detail, errors: inOneOrder(errors) });
/** What is beside the account comes after it. */
const inOneOrder = (errors: unknown) =>
  (errors as object[]).toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)));
const refusalOf = (answer: ReturnType<typeof read>) =>
  'line' in answer ? undefined : refusalIn({ ...answer.refusal });

/** The history of an account beside it; an empty list would bring nothing there. */
function besideOf(account: Fields): Fields {
  const isBeside = ([name, value]: [string, unknown]) =>
    name in history && !(Array.isArray(value) && value.length === 0);
  const { true: beside = [], false: own = [] } = Object.groupBy(
    Object.entries(account),
    (field) => `${isBeside(field)}`,
  );
  return { account: Object.fromEntries(own), ...Object.fromEntries(beside) };
}

test.each([0, 1, 2])(
  '21.1.2 validate and a line give the same answer to the same account, settings %i',
  async (index) => {
    const { supplier, settings } = suppliers[index] as (typeof suppliers)[number];
    const { code } = supplier;
    const sent = fc.tuple(fc.constantFrom({}, history), changes, fc.boolean());
    await fc.assert(
      fc.asyncProperty(sent, async ([carried, all, isBeside]) => {
        const account = { ...changed({ ...supplier.account(), ...carried }, all), import_supplier: code };
        const { status, body } = await supplier.post('validate-account/', account);
        const answer = read(isBeside ? besideOf(account) : { account }, settings);
        expect(refusalOf(answer)).toEqual(status === 200 ? undefined : refusalIn(body));
        if (
          'line' in answer &&
          answer.line.kind === 'account' &&
          settings.importSupplier.statement_amount_unit === 'MAJOR'
        ) {
          expect(JSON.parse(JSON.stringify(answer.line.account.request))).toEqual(body);
        }
      }),
      { numRuns: 75 },
    );
  },
);

test.each([0, 1, 2])('21.1.3 the separate imports and a line give the same answer, settings %i', async (index) => {
  const { supplier, settings } = suppliers[index] as (typeof suppliers)[number];
  const { reference: names } = await supplier.importAccount({ customers: [{ given_name: 'Zoë' }] });
  const { external_account_number } = names;
  const operations = fc.constantFrom('notes', 'transactions', 'statements', 'payment_instruction');
  await fc.assert(
    fc.asyncProperty(operations, changes, async (operation, all) => {
      const isInstruction = operation === 'payment_instruction';
      const own = changed({ [operation]: history[operation] }, all);
      const value = own[operation];
      // What is empty brings nothing in a line, and what is no instruction cannot be sent in a call.
      if (isEmpty(value) || (isInstruction && !isFields(value))) return;
      const sent = isInstruction ? { ...Object(value) } : own;
      const { status, body } = await supplier.post(PATHS[operation], { ...sent, ...names, dry_run: true });
      // Which vendors there are is looked up where the line is moved.
      const isValidation = status === 400 && body.code === 'request_failed_validation';
      const isRefused = isValidation && body.detail !== 'The request failed validation.';
      const answer = read({ external_account_number, ...(isInstruction ? { [operation]: value } : own) }, settings);
      const refusal = refusalOf(answer);
      if (!isInstruction) expect(refusal).toEqual(isRefused ? refusalIn(body) : undefined);
      else expect(fieldsAtFault(refusal)).toEqual(isRefused ? belowInstruction(body) : undefined);
    }),
    { numRuns: 100 },
  );
});

const isFields = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

const isEmpty = (value: unknown) => value === null || Object.keys(Object(value)).length === 0;

type Errors = { code: string; attr: string }[];

function fieldsAtFault(refusal: Fields | undefined): string[] | undefined {
  return (refusal?.errors as Errors | undefined)?.map(({ attr, code }) => `${attr}: ${code}`).sort();
}

const belowInstruction = ({ errors }: { errors: Errors }) =>
  errors.map(({ attr, code }) => `payment_instruction.${attr}: ${code}`).sort();

test.each([
  '{"account":{"customers":[{"given_name":"a\\u0000"}]}}',
  '{"account":{"customers":[],"customers":[]}}',
  '{"account":{"transfer_balance":1.00000000000000000001}}',
  '{"account":{"__proto__":1}}',
  '{"account":[1],}',
])('21.1.1 JSON that a body may not be is refused alike in a line: %s', async (line) => {
  const { supplier, settings } = suppliers[0] as (typeof suppliers)[number];
  const account = line.slice('{"account":'.length, -1);
  const { body } = await supplier.post('validate-account/', account);
  const answer = readBookLine(Buffer.from(line), settings);
  // The sentence of a body says where it is no JSON; a failed row has the errors alone.
  const where = [{ code: 'invalid_json', attr: '' }];
  const errors = body.code === 'invalid_json' ? where : inOneOrder(body.errors);
  expect(refusalOf(answer)).toMatchObject({ code: body.code, errors });
});
