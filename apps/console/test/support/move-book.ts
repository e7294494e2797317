import { randomUUID } from 'node:crypto';
import { type CausewayClient, createClient } from '@causeway/client';
import { NEEDED_SETTINGS, sampleBook, sampleLine } from '@causeway/realistic-books';
import { obtainTokens } from '@causeway/rest-client/portable';
import { type ConsoleService, service } from './open-console.ts';

const staffOf = ({ url, staffApiKey }: ConsoleService) => createClient({ url, apiKey: staffApiKey });
/** Of the service team, with the first key. */
export const staff: CausewayClient = staffOf(service);

/** An import supplier with a book of its own, some lines of which are refused. */
export interface MovedBook {
  code: string;
  accounts: number;
  lines: readonly object[];
  /** Creates a job with the book, which is OPEN. Its id. */
  upload(label: string, options?: object): Promise<string>;
  /** Lodges and seals a manifest of these lines. Its id. */
  lodge(lines: readonly object[]): Promise<string>;
}

/** Sets an import supplier up. */
export async function createBook(accounts: number, at: ConsoleService = service): Promise<MovedBook> {
  const staff = staffOf(at);
  const name = randomUUID().slice(0, 8).toUpperCase();
  const { id: organisation_id } = await staff.organisations.create.mutate({ name: `Harbour ${name}` });
  const code = `HV-${name}`;
  const teamName = `Support ${name}`;
  await staff.importSuppliers.create.mutate({ code, name: `Harbour ${name}`, organisation_id, ...NEEDED_SETTINGS });
  await staff.operationsTeams.create.mutate({ name: teamName });
  const bookDate = new Date().toISOString().slice(0, 10);
  const lines = sampleBook({ seed: 'console', importSupplier: code, accounts, bookDate }).map(sampleLine);
  return {
    ...{ code, accounts, lines },
    async upload(label, options = {}) {
      const { id } = await staff.dataImport.createBulkJob.mutate({
        ...{ import_supplier: code, kind: 'MOVE', label },
        options: { operations_team_name: teamName, max_refused_ratio: null, ...options },
      });
      await put(at, `bulk-jobs/${id}/parts/1/`, lines);
      return id;
    },
    async lodge(claims) {
      const { id } = await staff.dataImport.createManifest.mutate({
        ...{ import_supplier: code, source_system: 'Harbour billing', as_of: `${bookDate}T00:00:00Z` },
        totals: { accounts: claims.length },
      });
      await put(at, `manifests/${id}/parts/1/`, claims);
      await staff.dataImport.sealManifest.mutate({ manifest_id: id });
      return id;
    },
  };
}

async function put({ url, staffApiKey }: ConsoleService, path: string, lines: readonly object[]): Promise<void> {
  const { token } = await obtainTokens(url, { apiKey: staffApiKey });
  const answer = await fetch(`${url}/v1/data-import/${path}`, {
    method: 'PUT',
    headers: { Authorization: `Token ${token}`, 'Content-Type': 'application/x-ndjson' },
    body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  });
  if (answer.status !== 201) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
}
