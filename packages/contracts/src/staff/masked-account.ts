import { z } from 'zod';
import { documented, field } from '../field.ts';
import { StoredAccount } from '../stored/read-account.ts';
import { GetAccountImportRequest } from './account-imports.ts';
import { MASK } from './mask.ts';

/** The request for what is stored of an account, without personal data (behaviour 14.8.6). */
export const ReadMaskedAccountRequest = GetAccountImportRequest.omit({ masked: true }).apply(
  documented,
  'ReadMaskedAccountRequest',
  'Asks for what is stored of one account, with its personal data masked.',
);
export type ReadMaskedAccountRequest = z.infer<typeof ReadMaskedAccountRequest>;

const exampleAccount = {
  account_type: 'DOMESTIC',
  customers: [{ given_name: MASK, family_name: MASK }],
  transfer_balance: '-48.20',
};
const [exampleStored] = (StoredAccount.meta()?.examples ?? []) as z.infer<typeof StoredAccount>[];

/** What is stored of an account, without personal data (behaviour 14.8.6). */
export const MaskedAccount = StoredAccount.omit({ account: true })
  .extend({
    account: field(
      z.record(z.string(), z.unknown()).nullable(),
      `The data of the account, as \`accounts.get\` shows it; every value that might describe a person is \`${MASK}\`, and so is the name of a field that is not documented: of several in one object the second is \`${MASK} 2\`, and so on.`,
      exampleAccount,
    ),
  })
  .meta({
    id: 'MaskedAccount',
    description: 'What is stored of one account, without personal data.',
    examples: [{ ...exampleStored, account: exampleAccount }],
  });
export type MaskedAccount = z.infer<typeof MaskedAccount>;
