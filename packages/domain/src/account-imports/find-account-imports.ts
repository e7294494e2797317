import { type FindAccountImportsRequest, type FindAccountImportsResponse, LIMITS } from '@causeway/contracts';
import { mayOnlyRead } from '../shared/actor.ts';
import { MAY_FOLLOW } from '../shared/conditions.sql.ts';
import type { Context } from '../shared/context.ts';
import { accountImportId } from '../shared/derived-id.ts';
import { findImportSupplier } from '../shared/find-import-supplier.ts';
import { FIND_ACCOUNT_IMPORTS, FIND_INCOMPLETE, sourceOf } from './find-account-imports.sql.ts';

/**
 * The account imports of all import suppliers, or of one, that a text tells of (behaviour 14.6.5): by the beginning of a
 * number, a name or an e-mail address, or by a request id. At most 50, however many there are, each once. Only index
 * ranges are read. Shows no personal data: with a key that may only read, names and addresses have to be whole, so that
 * none is found out letter by letter. Refuses with `import_supplier_does_not_exist`.
 */
export async function findAccountImports(
  context: Context,
  { text: given, code }: FindAccountImportsRequest,
): Promise<FindAccountImportsResponse> {
  if (code !== undefined) await findImportSupplier(context, code, 'code');
  const text = given.trim();
  const [family_name = null, ...others] = text.split(/\s+/).reverse();
  const given_name = others.reverse().join(' ');
  const [found] = await context.database.query(FIND_ACCOUNT_IMPORTS, {
    ...{ text, code: code ?? null },
    ...(mayOnlyRead(context)
      ? { one_name: null, may_follow: MAY_FOLLOW.nothing }
      : { one_name: text, may_follow: MAY_FOLLOW.anything }),
    ...(given_name === '' ? { given_name: null, family_name: null } : { given_name, family_name }),
  });
  const matches = found?.matches ?? [];
  const shown = matches.slice(0, LIMITS.found_accounts).map(({ source, ...match }) => ({
    id: accountImportId(match.code, match.external_account_number),
    match: { ...match, matched: sourceOf(source) },
  }));
  const incomplete = await context.database.query(FIND_INCOMPLETE, { ids: shown.map(({ id }) => id) });
  const refused = new Set(incomplete.map(({ id }) => id));
  return {
    matches: shown.map(({ id, match }) => ({
      ...match,
      complete: match.state === 'COMPLETED' && !refused.has(id),
    })),
    more: matches.length > LIMITS.found_accounts || found?.is_cut === true,
  };
}
