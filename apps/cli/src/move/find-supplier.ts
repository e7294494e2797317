import type { OwnImportSupplier } from '@causeway/contracts';
import type { Context } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { openService } from '../session/open-service.ts';

/** Its settings; undefined if the service does not tell them: the specification has no such call. */
export async function findSupplier(context: Context, code: string): Promise<OwnImportSupplier | undefined> {
  const service = await openService(context);
  return service.get<OwnImportSupplier>(`import-suppliers/${encodeURIComponent(code)}/`).catch((error: Failure) => {
    const { ending, message } = error;
    if (error.code === 'import_supplier_does_not_exist') {
      const lines = ['  causeway whoami lists those of your key.'];
      throw new Failure('usage', `${code}: ${message}`, { code: error.code, lines });
    }
    if (ending === 'authentication' || ending === 'outOfReach') throw error;
    return undefined;
  });
}

export const settingsOf = (supplier: OwnImportSupplier | undefined) => ({
  undo_hours: supplier?.undo_hours ?? 0,
  empty_means_omitted: supplier?.empty_means_omitted === true,
  zero_amounts: supplier?.zero_amounts ?? 'KEEP',
});
