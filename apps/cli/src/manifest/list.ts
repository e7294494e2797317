import type { ManifestRecord } from '@causeway/contracts';
import type { Context, Result } from '../frame/define-command.ts';
import { listed } from '../frame/listed.ts';
import { openService } from '../session/open-service.ts';
import { grouped } from '../terminal/numbers.ts';

/** Lists the manifests of an import supplier, oldest first. */
export async function listManifests(context: Context, { options }: { options: { supplier: string } }): Promise<Result> {
  const service = await openService(context);
  const query = `?import_supplier=${encodeURIComponent(options.supplier)}`;
  const records = await service.get<ManifestRecord[]>(`manifests/${query}`);
  return listed(context, { name: 'manifests', records }, ({ id, state, as_of, source_system, totals }) => {
    return [id, state, as_of, `${grouped(totals.accounts)} accounts`, source_system];
  });
}

/** Withdraws a manifest that was wrong: nothing is compared with it any more. */
export async function withdrawManifest(context: Context, { words: [id] }: { words: [string] }): Promise<Result> {
  const service = await openService(context);
  const manifest = await service.post<ManifestRecord>(`manifests/${encodeURIComponent(id)}/withdraw/`, {});
  context.output.say('Withdrawn: nothing is compared with it any more.');
  return { document: manifest, lines: [`${id}  ${manifest.state}`] };
}
