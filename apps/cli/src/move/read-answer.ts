import type { AccountFigures, ImportOperation } from '@causeway/contracts';
import { codeOf } from '@causeway/rest-client';
import type { Called } from './caller.ts';

export const isImported = (answer: Called) => codeOf(answer) === 'account_import_process_already_imported';

/** Services of the specification say it in a sentence. */
export function isRolledBack(answer: Called): boolean {
  return answer.status === 400 && /dry_run_rolled_back|rolled back/.test(JSON.stringify(answer.body));
}

/** What stands in front of a service may answer 200 as well, such as a page of its maintenance. */
export function isSuccess(step: ImportOperation, { status, body }: Called): boolean {
  if (status >= 300) return false;
  if (step === 'notes') return Array.isArray(body);
  const { results, external_account_number, service_account_number } = Object(body);
  return Array.isArray(results) || typeof (external_account_number ?? service_account_number) === 'string';
}

/** The fields in which the account that exists is not as it was sent. */
export function differencesIn({ body }: Called): string[] {
  const { differences } = Object(body);
  return Array.isArray(differences) ? differences.map(String) : [];
}

export function numberIn({ body }: Called): string | undefined {
  const { service_account_number: number } = Object(body);
  return typeof number === 'string' && number !== '' ? number : undefined;
}

/** The results of the notes are the answer, those of the transactions are in it. */
export function resultsIn(body: unknown, name: string): unknown[] {
  const results = name === 'notes' ? body : Object(body).results;
  return Array.isArray(results) ? results : [];
}

/** How many records of the account got what they lacked. */
export function filledIn(body: unknown, name: string): number {
  const results = name === 'statements' ? Object(body).statements : resultsIn(body, name);
  return Array.isArray(results) ? results.filter((result) => Array.isArray(Object(result).filled)).length : 0;
}

/** What the database has of the account, in an answer that reads it back; undefined where the service has no such call. */
export function figuresIn({ status, body }: Called): AccountFigures | undefined {
  return status === 200 ? Object(body).figures : undefined;
}

/** What was stored since, of that whose answers do not tell: an instruction that supersedes another one is one more. */
export function addedSince(before: AccountFigures, now: AccountFigures) {
  const instructionsOf = ({ payment_instructions: active, superseded_payment_instructions = 0 }: AccountFigures) =>
    active + superseded_payment_instructions;
  return {
    statements: now.statements.count - before.statements.count,
    payment_instruction: instructionsOf(now) - instructionsOf(before),
  };
}
