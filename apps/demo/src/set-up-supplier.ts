import { isDeepStrictEqual } from 'node:util';
import { type CausewayClient, refusalOf } from '@causeway/client';
import { AccountPayload, LIMITS } from '@causeway/contracts';
import { NEEDED_SETTINGS, type SampleAccount } from '@causeway/realistic-books';

/** What the demo calls its own: the same on each run, so that a second one finds it all there. */
export const DEMO = {
  organisation: 'Harbour & Vale Energy Ltd',
  importSupplier: 'HARBOUR-VALE',
  /** The same book, moved by one upload: what calls have moved must not be in its way. */
  importSupplierInBulk: 'HARBOUR-VALE-BULK',
  team: 'Migration Operations',
  apiKeyLabel: 'Causeway demo',
} as const;

/** Customers get an e-mail; the demo's own mail server takes it. */
const EMAILS = {
  send_customer_emails: true,
  email_sender: 'Harbour and Vale Energy <moving@harbour-and-vale.example>',
  email_unsubscribe: 'mailto:no-more@harbour-and-vale.example',
} as const;
const SETTINGS = { ...NEEDED_SETTINGS, ...EMAILS };

export interface SupplierSetUp {
  apiKey: string;
  /** YYYY-MM-DD. */
  bookDate: string;
}

const ALL = { limit: LIMITS.list };

/**
 * Makes sure that the demo's organisation, import supplier (Ongoing) and operations team exist, and issues an API key
 * in place of the earlier runs', which are revoked. The book is dated the day the import supplier was created: a later
 * run has to send the same book again.
 */
export async function setUpSupplier(staff: CausewayClient, importSupplier: string): Promise<SupplierSetUp> {
  const organisation_id = await ensureOrganisation(staff);
  await ensureTeam(staff);
  const { created_at } = await ensureImportSupplier(staff, importSupplier, organisation_id);
  for (const { id, label, revoked_at } of await staff.apiKeys.list.query({ organisation_id, ...ALL })) {
    if (label === DEMO.apiKeyLabel && revoked_at === null) await staff.apiKeys.revoke.mutate({ id });
  }
  const { api_key } = await staff.apiKeys.issue.mutate({ organisation_id, label: DEMO.apiKeyLabel });
  return { apiKey: api_key, bookDate: created_at.slice(0, 'YYYY-MM-DD'.length) };
}

async function ensureOrganisation(staff: CausewayClient): Promise<string> {
  const known = (await staff.organisations.list.query(ALL)).find(({ name }) => name === DEMO.organisation);
  return (known ?? (await staff.organisations.create.mutate({ name: DEMO.organisation }))).id;
}

async function ensureTeam(staff: CausewayClient): Promise<void> {
  const teams = await staff.operationsTeams.list.query(ALL);
  if (!teams.some(({ name }) => name === DEMO.team)) await staff.operationsTeams.create.mutate({ name: DEMO.team });
}

async function ensureImportSupplier(
  staff: CausewayClient,
  code: string,
  organisation_id: string,
): Promise<{ created_at: string }> {
  const suppliers = await staff.importSuppliers.list.query({ organisation_id, ...ALL });
  const known = suppliers.find((one) => one.code === code);
  if (!known) {
    return staff.importSuppliers.create.mutate({
      code,
      name: 'Harbour & Vale, all accounts',
      organisation_id,
      country: 'GB',
      document_root: 'harbour-and-vale',
      ...SETTINGS,
    });
  }
  // Somebody may have changed them.
  const { balance_check, account_types, send_customer_emails, email_sender, email_unsubscribe } = known;
  const settings = { balance_check, account_types, send_customer_emails, email_sender, email_unsubscribe };
  if (!isDeepStrictEqual(settings, SETTINGS)) {
    await staff.importSuppliers.update.mutate({ code, ...SETTINGS });
  }
  if (known.status !== 'ONGOING') {
    const reason = 'The demo runs again.';
    await staff.importSuppliers.setStatus.mutate({ code, status: 'ONGOING', reason });
  }
  return known;
}

/**
 * Leaves an account out of the migration, as the service team does: it is staged, and skipped with the book's reason. One
 * that is skipped already, or was imported after all, stays as it is.
 */
export async function skipAccount(staff: CausewayClient, account: SampleAccount): Promise<void> {
  const payload = AccountPayload.parse(account.payload);
  const { import_supplier: code, external_account_number } = payload;
  const ALREADY = ['account_import_process_skipped', 'account_import_process_already_imported'];
  try {
    await staff.dataImport.stageAccount.mutate(payload);
  } catch (error) {
    if (ALREADY.includes(refusalOf(error)?.code ?? '')) return;
    throw error;
  }
  await staff.accountImports.skip.mutate({ code, external_account_number, reason: account.skipReason ?? '' });
}
