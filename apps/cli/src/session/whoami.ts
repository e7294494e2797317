import type { OwnImportSupplier, WhoAmI } from '@causeway/contracts';
import type { Context, Result } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { tableLines } from '../terminal/lines.ts';
import { openService } from './open-service.ts';
import { openStaff } from './open-staff.ts';

type Supplier = Pick<OwnImportSupplier, 'code' | 'name' | 'status'>;

/** The service, whose key it is, and the import suppliers that an organisation's key may work for. */
export async function whoami(context: Context): Promise<Result> {
  const service = await openService(context);
  const suppliers = await service.get<Supplier[]>('import-suppliers/');
  const key = await keyOf(context);
  return {
    document: { url: service.url, key: key ?? null, import_suppliers: suppliers },
    lines: [service.url, ...linesOf(key), ...(key?.kind === 'staff' ? [] : supplierLines(suppliers))],
  };
}

function supplierLines(suppliers: readonly Supplier[]): string[] {
  if (suppliers.length === 0) return ['  It has no import supplier yet: the service team creates one.'];
  return tableLines(suppliers.map(({ code, status, name }) => [`  ${code}`, status, name]));
}

/** Undefined of a service that has the public interface alone. */
async function keyOf(context: Context): Promise<WhoAmI | undefined> {
  const { client, answer } = await openStaff(context);
  return answer(client.session.whoAmI.query()).catch((error: unknown) => {
    if (error instanceof Failure && (error.code === 'not_found' || error.ending === 'outOfReach')) return undefined;
    throw error;
  });
}

function linesOf(key: WhoAmI | undefined): string[] {
  if (key === undefined) return [];
  const { kind, label, person, organisation } = key;
  if (kind === 'supplier') return [`  The key “${label}” of ${organisation?.name}`];
  return [
    `  The key “${label}” of ${person === null ? 'the service team' : `${person}, of the service team`}`,
    '  It may work for every import supplier: causeway admin suppliers list',
  ];
}
