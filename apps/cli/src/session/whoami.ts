import type { OwnImportSupplier } from '@causeway/contracts';
import type { Context } from '../frame/define-command.ts';
import type { Result } from '../frame/result.ts';
import { openService } from './open-service.ts';

type Supplier = Pick<OwnImportSupplier, 'code' | 'name' | 'status'>;

/** The service, and the import suppliers that the key may work for. */
export async function whoami(context: Context): Promise<Result> {
  const service = await openService(context);
  const suppliers = await service.get<Supplier[]>('import-suppliers/');
  const lines = suppliers.map(({ code, name, status }) => `  ${code}  ${status}  ${name}`);
  return {
    document: { url: service.url, import_suppliers: suppliers },
    lines: [service.url, ...(lines.length > 0 ? lines : ['  The key has no import supplier yet.'])],
  };
}
