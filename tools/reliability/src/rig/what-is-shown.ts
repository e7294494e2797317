import { createClient } from '@causeway/client';
import { FIELDS_OF_SPECIAL_WEIGHT } from '@causeway/contracts';
import { send } from './send.ts';
import type { ServiceWorld, Supplier } from './service-world.ts';

/**
 * What the service shows about accounts without their data: lists, states, problems, figures and trails, to their
 * supplier and to the service team. By name, as text.
 */
export async function whatIsShown(
  world: ServiceWorld,
  supplier: Supplier,
  accounts: readonly string[],
): Promise<[name: string, text: string][]> {
  const { code, apiKey } = supplier;
  const [own, staff] = [createClient({ url: world.url(), apiKey }), world.staff()];
  const path = { import_supplier_code: code };
  const general = {
    'the list of all': own.dataImport.listAccountImports.query(path),
    'the list of pending ones': own.dataImport.listPendingImports.query(path),
    'the list of imported ones': own.dataImport.listImportedAccounts.query(path),
    'the problems over tRPC': own.dataImport.listProblems.query(path),
    'the problems over REST': problemsOverRest(world, supplier),
    "the service team's list": staff.accountImports.list.query({ code }),
    'the import supplier': staff.importSuppliers.get.query({ code }),
    "the import supplier's trail": staff.audit.list.query({ subject: 'import_supplier', code }),
  };
  const ofAccounts = accounts.flatMap((account) => {
    const key = { code, external_account_number: account };
    return Object.entries({
      'a status': own.dataImport.accountStatus.query({ ...path, external_account_number: account }),
      'a timeline': staff.accounts.timeline.query(key),
      "an account's trail": staff.audit.list.query({ subject: 'account_import', ...key }),
      // The service team may see the payload, and the trail says so.
      'an account import without its payload': staff.accountImports.get
        .query(key)
        .then(({ payload: _payload, ...rest }) => rest),
    });
  });
  const shown = [...Object.entries(general), ...ofAccounts] as [string, Promise<unknown>][];
  return Promise.all(shown.map(async ([name, body]) => [name, JSON.stringify(await body)]));
}

/** What names a field about needs or debts: that an account has one is as personal as what is in it. */
export function namingNeeds(shown: readonly [name: string, text: string][]): string[] {
  const names = new RegExp(`(?<![a-z_])(?:${[...FIELDS_OF_SPECIAL_WEIGHT].join('|')})(?![a-z_])`);
  return shown.flatMap(([name, text]) => (names.test(text) ? `${name}: ${names.exec(text)?.[0]}` : []));
}

async function problemsOverRest(world: ServiceWorld, { code, token }: Supplier): Promise<unknown> {
  const answer = await send(world.url(), { path: `/v1/data-import/problems/${code}/`, token });
  return answer?.body;
}
