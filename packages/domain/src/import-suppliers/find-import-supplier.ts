import { LIMITS } from '@causeway/contracts';
import { type Queryable, statement } from '@causeway/db';
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';

/** What a supplier is configured with. Its status is missing on purpose: that is checked inside each statement. */
export interface ImportSupplierConfiguration {
  code: string;
  organisation_id: string;
  country: string;
  document_root: string;
  reject_undocumented_fields: boolean;
}

/**
 * Finds a supplier's configuration by code; `forget` makes this instance see a change at once. Within a transaction it
 * is asked through that: requests that each hold one connection and wait for another would wait for each other.
 */
export interface ImportSupplierDirectory {
  find(code: string, within?: Queryable): Promise<ImportSupplierConfiguration | undefined>;
  forget(code: string): void;
}

const IMPORT_SUPPLIER_CONFIGURATION = statement(
  'import-supplier-configuration',
  `SELECT code, organisation_id, country, document_root, reject_undocumented_fields
  FROM import_suppliers WHERE code = $1`,
);

const REMEMBERED_FOR_MS = 4_000;

/** A supplier that was found is remembered for 4 seconds; one that was not found is looked up each time. */
export function createImportSupplierDirectory(database: Queryable, clock: () => Date): ImportSupplierDirectory {
  const remembered = new Map<string, { configuration: ImportSupplierConfiguration; until: number }>();
  return {
    async find(code, within = database) {
      const known = remembered.get(code);
      if (known !== undefined && known.until > clock().getTime()) {
        return known.configuration;
      }
      const [configuration] = await within.query<ImportSupplierConfiguration>(IMPORT_SUPPLIER_CONFIGURATION, [code]);
      if (configuration !== undefined) {
        remembered.set(code, { configuration, until: clock().getTime() + REMEMBERED_FOR_MS });
      }
      return configuration;
    },
    forget(code) {
      remembered.delete(code);
    },
  };
}

/**
 * The configuration of a supplier the caller may see. Another organisation's supplier gets the answer of a code that
 * was never created (design 4.2): `import_supplier_does_not_exist`, blaming `attr`.
 */
export async function findImportSupplier(
  context: Context,
  code: string,
  attr: string,
): Promise<ImportSupplierConfiguration> {
  const configuration = await context.importSuppliers.find(code, context.database);
  if (configuration === undefined || !mayUse(context, configuration)) {
    throw new DomainError('import_supplier_does_not_exist', 'There is no import supplier with this code.', { attr });
  }
  return configuration;
}

/**
 * The supplier with this code, if the caller may see it. The code is as it was sent, perhaps none at all: the rules of
 * an input are asked for before it is known to be valid.
 */
export async function findUsableImportSupplier(
  context: Context,
  code: unknown,
): Promise<ImportSupplierConfiguration | undefined> {
  if (typeof code !== 'string' || code.length > LIMITS.path_parameter) {
    return undefined;
  }
  const configuration = await context.importSuppliers.find(code, context.database);
  return configuration !== undefined && mayUse(context, configuration) ? configuration : undefined;
}

/** The service team sees every supplier, an organisation its own. */
function mayUse({ actor }: Pick<Context, 'actor'>, configuration: ImportSupplierConfiguration): boolean {
  return actor.kind === 'staff' || actor.organisationId === configuration.organisation_id;
}

/** The refusal of specification 3.2 for a supplier that is Paused or Complete. */
export function migrationNotOngoing(status: string | null | undefined, attr: string): DomainError {
  const detail =
    status === 'PAUSED'
      ? 'Migration on this import supplier is paused: try again once it is resumed.'
      : 'Migration on this import supplier is complete: it accepts no more accounts.';
  return new DomainError('import_supplier_migration_not_ongoing', detail, { attr });
}
