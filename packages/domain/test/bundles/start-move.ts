import { AccountPayload, CreateImportSupplierRequest } from '@causeway/contracts';
import { type Database, openDatabase } from '@causeway/db';
import { createTestDatabase } from '@causeway/testing';
import {
  accountImportId,
  type Context,
  createImportSupplier,
  createOperationsTeam,
  createOrganisation,
  processAccount,
  stageAccount,
} from '../../src/index.ts';
import { staffContext } from '../support/staff-context.ts';

export interface Staged {
  import_supplier_code: string;
  external_account_number: string;
}

const operations_team_name = 'Migration';

/** Accounts of one organisation that carry a note as their history, or none. */
export async function startMove({ history }: { history: boolean }) {
  const { database, owner, url, drop } = await createTestDatabase({ poolSize: 10 });
  const another = openDatabase({ url, poolSize: 3 });
  const staff = staffContext(database);
  const { id: organisation_id } = await createOrganisation(staff, { name: 'Northwind' });
  await createOperationsTeam(staff, { name: operations_team_name });
  await owner.pool.query(`ALTER TABLE customers ADD CHECK (family_name <> 'BREAK')`);
  let suppliers = 0;
  let accounts = 0;

  function payload(code: string, external_account_number: string, fields: Record<string, unknown>) {
    const notes = [{ body: noteOf(external_account_number), created_at: '2026-02-01T10:00:00Z' }];
    const customers = [{ family_name: 'Hartley' }];
    const account = { import_supplier: code, external_account_number, customers, ...(history && { notes }) };
    return AccountPayload.parse({ ...account, ...fields });
  }

  async function stage(code: string, fields: Record<string, unknown> = {}): Promise<Staged> {
    accounts += 1;
    const external_account_number = `ACC-${accounts}`;
    await stageAccount(staff, payload(code, external_account_number, fields));
    return { import_supplier_code: code, external_account_number };
  }

  const create = (context: Context, staged: Staged, team = operations_team_name) =>
    processAccount(context, { ...staged, operations_team_name: team, dry_run: false });

  return {
    database,
    owner,
    another,
    staff,
    stage,
    create,
    async stageAgain({ import_supplier_code, external_account_number }: Staged, body: string) {
      const notes = [{ body, created_at: '2026-02-01T10:00:00Z' }];
      await stageAccount(staff, payload(import_supplier_code, external_account_number, { notes }));
    },
    /** The statement that creates these accounts. */
    statement: history ? 'create-bundles' : 'process-accounts',
    /** A supplier of which such an account was created, so that the next ones are expected to be like it. */
    async createSupplier(process_concurrency_limit?: number): Promise<string> {
      suppliers += 1;
      const code = `S-${suppliers}`;
      const fields = { code, name: code, organisation_id, process_concurrency_limit };
      await createImportSupplier(staff, CreateImportSupplierRequest.parse(fields));
      await create(staff, await stage(code));
      return code;
    },
    /** Notes how many calls each statement of this name had; `meanwhile` happens after the first. */
    watching(name: string, meanwhile?: () => Promise<unknown>) {
      const groups: number[] = [];
      const query: Database['query'] = async (statement, values) => {
        const rows = await database.query(statement, values);
        if (!statement.name.startsWith(`${name}_`)) return rows;
        groups.push(JSON.parse((values as unknown as { calls: string }).calls).length);
        if (groups.length === 1) await meanwhile?.();
        return rows;
      };
      return { groups, context: { ...staff, database: { ...database, query } } };
    },
    async storedOf({ import_supplier_code, external_account_number }: Staged) {
      const id = accountImportId(import_supplier_code, external_account_number);
      const notes = await database.prisma.note.findMany({ where: { account_import_id: id } });
      const { state } = await database.prisma.accountImport.findUniqueOrThrow({ where: { id } });
      return { state, notes: notes.map(({ body }) => body) };
    },
    /** How an account is stored once it is created. */
    created: ({ external_account_number }: Staged) => ({
      state: 'COMPLETED',
      notes: history ? [noteOf(external_account_number)] : [],
    }),
    async stop() {
      await another.close();
      await drop();
    },
  };
}

const noteOf = (accountNumber: string) => `Note of ${accountNumber}`;
