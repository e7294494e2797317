import { type ExampleCall, exampleCalls } from '@causeway/api/example-calls';
import type { Supplier } from './start-world.ts';

/** The names in a call: an import supplier, one of its accounts, and its organisation's ids. */
export interface Target extends Supplier {
  account: string;
  apiKeyId: string;
}

/** One valid call of every procedure, by name. There is nothing but an API key with its ids. */
export function allProcedureCalls({ code, account, organisationId, apiKeyId, teamName }: Target): ExampleCall[] {
  const supplier = { code, import_supplier: code, import_supplier_code: code, organisation_id: organisationId };
  const fields = { ...supplier, external_account_number: account, operations_team_name: teamName, vendor: 'VENDOR' };
  return exampleCalls({ fields, id: apiKeyId });
}

/** How a procedure is called over HTTP. */
export function trpcRequest({ procedure, kind, input }: Pick<ExampleCall, 'procedure' | 'kind'> & { input: unknown }): {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
} {
  const text = JSON.stringify(input);
  return kind === 'query'
    ? { method: 'GET', path: `/trpc/${procedure}?input=${encodeURIComponent(text.toWellFormed())}` }
    : { method: 'POST', path: `/trpc/${procedure}`, body: text };
}
