import { type AccountPayload, AccountPayload as AccountPayloadSchema } from '@causeway/contracts';
import { accountImportId } from '@causeway/domain';
import { type RestCalls, restCalls } from './rest-calls.ts';
import { type TrpcClient, trpcClient } from './trpc-client.ts';

export interface SupplierIdentity {
  url: string;
  code: string;
  organisationId: string;
  apiKey: string;
  token: string;
  teamName: string;
}

/** One import supplier and what its engineers do with it. */
export interface TestSupplier extends SupplierIdentity, RestCalls {
  trpc: TrpcClient;
  /** A valid payload with a number of its own. */
  account(overrides?: Record<string, unknown>): AccountPayload & Record<string, unknown>;
  /** Stages an account; its external account number. */
  stage(overrides?: Record<string, unknown>): Promise<string>;
  /** Stages and processes an account; its numbers and the id its rows hang off. */
  importAccount(overrides?: Record<string, unknown>): Promise<ImportedAccount>;
  /** The body of a process call. */
  processRequest(externalAccountNumber: string): Record<string, unknown>;
}

export interface ImportedAccount {
  id: string;
  externalAccountNumber: string;
  serviceAccountNumber: string;
  /** The two fields that every import into the account begins with. */
  reference: { import_supplier: string; external_account_number: string };
}

let accounts = 0;

export function createTestSupplier(identity: SupplierIdentity): TestSupplier {
  const { url, code, token, teamName } = identity;
  const calls = restCalls(url, token);
  const [example] = (AccountPayloadSchema.meta()?.examples ?? []) as AccountPayload[];

  const supplier: TestSupplier = {
    ...identity,
    ...calls,
    trpc: trpcClient(url, token),
    account(overrides = {}) {
      accounts += 1;
      return {
        ...(example as AccountPayload),
        import_supplier: code,
        external_account_number: `ACC-${accounts}`,
        ...overrides,
      };
    },
    async stage(overrides = {}) {
      const account = supplier.account(overrides);
      const { status, body } = await calls.post('account-import-process/create-or-update/', account);
      if (status !== 201) {
        throw new Error(`Staging answered ${status}: ${JSON.stringify(body)}`);
      }
      return account.external_account_number;
    },
    async importAccount(overrides = {}) {
      const externalAccountNumber = await supplier.stage(overrides);
      const { status, body } = await calls.post(
        'account-import-process/process/',
        supplier.processRequest(externalAccountNumber),
      );
      if (status !== 201) {
        throw new Error(`Processing answered ${status}: ${JSON.stringify(body)}`);
      }
      return {
        id: accountImportId(code, externalAccountNumber),
        externalAccountNumber,
        serviceAccountNumber: String(body.service_account_number),
        reference: { import_supplier: code, external_account_number: externalAccountNumber },
      };
    },
    processRequest: (externalAccountNumber) => ({
      external_account_number: externalAccountNumber,
      import_supplier_code: code,
      operations_team_name: teamName,
    }),
  };
  return supplier;
}
