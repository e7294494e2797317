import type { Fields } from './database.ts';

export class Refusal extends Error {
  readonly status: number;
  readonly body: Fields;
  constructor(status: number, code: string, detail: string, extra: Fields = {}) {
    super(detail);
    this.status = status;
    this.body = { detail, code, errors: [], ...extra };
  }
}

export const accountNotFound = (status: number) =>
  new Refusal(status, 'account_not_found', 'No account has this number.');

export const nothingStaged = () =>
  new Refusal(400, 'import_process_does_not_exist', 'No data is staged for this account.');

export const noSuchTeam = () =>
  new Refusal(400, 'operations_team_name_does_not_exist', 'There is no operations team with this name.');

export const rolledBack = () => new Refusal(400, 'dry_run_rolled_back', 'The account would import successfully.');

/** With the number that the account has got. */
export const alreadyImported = (account: Fields) =>
  new Refusal(400, 'account_import_process_already_imported', 'This account has already been imported.', account);

export const statementDiffers = () =>
  new Refusal(400, 'historical_statement_already_exists', 'The account has a statement with this id.');
