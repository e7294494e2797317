import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { exampleCalls } from '../support/example-calls.ts';
import { sameOverTrpc } from '../support/parity.ts';
import { serviceOfFile } from '../support/test-service.ts';

const service = await serviceOfFile();
service.setTime('2026-04-20T11:30:00Z');
const supplier = await service.createSupplier({ code: 'PARITY-1', undo_hours: 1, suppliers_may_undo: true });

/** The calls that are about one account, and name nothing that only this account has. */
const callsFor = (code: string, teamName: string) =>
  new Map(
    exampleCalls({
      fields: {
        ...{ import_supplier: code, import_supplier_code: code, operations_team_name: teamName },
        ...{ external_account_number: 'TWIN', vendor: 'SANDBOX', reference: 'pm_ok_1' },
      },
      id: randomUUID(),
    })
      .filter(({ route, input }) => route !== undefined && 'external_account_number' in input)
      .filter(({ input }) => !('expected_service_account_number' in input))
      .map((call) => [call.procedure, call]),
  );

/** The numbers of two accounts on which the call succeeds once. */
async function twinsFor(procedure: string): Promise<readonly [string, string]> {
  const one = async (): Promise<string> => {
    if (procedure === 'dataImport.stageAccount') return randomUUID();
    if (procedure === 'dataImport.processAccount') return supplier.stage();
    const { reference } = await supplier.importAccount();
    const instruction = { ...reference, vendor: 'SANDBOX', reference: 'pm_ok_1', type: 'CARD' };
    if (procedure.startsWith('accounts.')) await supplier.post('payment-instruction/create/', instruction);
    return reference.external_account_number;
  };
  return [await one(), await one()];
}

describe.each([...callsFor('ANY', 'ANY').keys()])('%s', (procedure) => {
  test('10.5.1 answers over tRPC what it answers over REST: once, again, and where it is refused', async () => {
    const { input = {}, kind } = callsFor(supplier.code, supplier.teamName).get(procedure) ?? {};
    const twins = await twinsFor(procedure);
    const call = (changes: object) => sameOverTrpc(supplier, procedure, { input: { ...input, ...changes }, twins });
    expect((await call({})).status).toBeLessThan(300);
    await call({});
    const absent = { ...input, external_account_number: randomUUID() };
    await sameOverTrpc(supplier, procedure, { input: absent });
    if (kind === 'query') return;
    await call({ undocumented: [1], reference: 'pm_missing_1' });
    const fields = Object.keys(input).filter((name) => !/^(?:import_supplier|external_account_number)/.test(name));
    const empty = Object.fromEntries(fields.map((name) => [name, null]));
    await sameOverTrpc(supplier, procedure, { input: { ...absent, ...empty } });
  });
});
