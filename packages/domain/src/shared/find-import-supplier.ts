import { faultOfLookup, type ImportSupplier, LIMITS, type UndocumentedFieldsMode } from '@causeway/contracts';
import { narrow, type Queryable, type RowOf, selectList, sql } from '@causeway/db';
import { LRUCache } from 'lru-cache';
import type { Actor } from './actor.ts';
import { DomainError } from './errors.ts';

/** Who asks, and where. */
interface Asking {
  actor: Actor;
  database: Queryable;
  importSuppliers: ImportSupplierDirectory;
}

/**
 * Finds a supplier's configuration by code; `forget` makes this instance see a change immediately. Within a transaction
 * it uses that connection: requests that each hold one connection and wait for another would deadlock.
 */
export interface ImportSupplierDirectory {
  find(code: string, within?: Queryable): Promise<ImportSupplierConfiguration | undefined>;
  forget(code: string): void;
}

const REMEMBERED_FOR_MS = 4_000;
const MAX_CODES = 10_000;

interface LookUp {
  startedAt: number;
  within: Queryable;
  isOver: boolean;
  configuration: Promise<ImportSupplierConfiguration | undefined>;
}

/**
 * A result is remembered for 4 seconds from the start of the look-up, even if there is no such supplier: another
 * organisation's code and one that was never created take the same time. A look-up in flight is shared only by callers
 * with the same connections: it may wait for one, or be refused one, because of what one organisation has in flight,
 * and within a transaction a connection is held meanwhile.
 */
export function createImportSupplierDirectory(database: Queryable, clock: () => Date): ImportSupplierDirectory {
  const lookUps = new LRUCache<string, LookUp>({ max: MAX_CODES });

  async function lookUp(code: string, within: Queryable): Promise<ImportSupplierConfiguration | undefined> {
    const [row] = await within.query(IMPORT_SUPPLIER_CONFIGURATION, { code });
    return row;
  }

  return {
    find(code, within = database) {
      const now = clock().getTime();
      const known = lookUps.get(code);
      const isFresh = known !== undefined && now >= known.startedAt && now - known.startedAt < REMEMBERED_FOR_MS;
      if (isFresh && (known.isOver || known.within === within)) {
        return known.configuration;
      }
      const started = { startedAt: now, within, isOver: false, configuration: lookUp(code, within) };
      lookUps.set(code, started);
      started.configuration.then(
        () => {
          started.isOver = true;
        },
        () => {
          if (lookUps.peek(code) === started) {
            lookUps.delete(code);
          }
        },
      );
      return started.configuration;
    },
    forget(code) {
      lookUps.delete(code);
    },
  };
}

/**
 * The configuration of a supplier the caller may see. Another organisation's supplier gets the same answer as a code
 * that was never created (behaviour 5.9): `import_supplier_does_not_exist`, with `attr` as the field at fault.
 */
export async function findImportSupplier(
  context: Asking,
  code: string,
  attr: string,
): Promise<ImportSupplierConfiguration> {
  const configuration = await context.importSuppliers.find(code, context.database);
  if (configuration === undefined || !mayUse(context, configuration)) {
    throw unknownImportSupplier(attr);
  }
  return configuration;
}

/**
 * The supplier with this code, if the caller may see it. The code is unchecked input and may be missing: the rules are
 * looked up before the input is known to be valid.
 */
export async function findUsableImportSupplier(
  context: Asking,
  code: unknown,
): Promise<ImportSupplierConfiguration | undefined> {
  if (typeof code !== 'string' || code.length > LIMITS.path_parameter || faultOfLookup(code) !== undefined) {
    return undefined;
  }
  const configuration = await context.importSuppliers.find(code, context.database);
  return configuration !== undefined && mayUse(context, configuration) ? configuration : undefined;
}

/** The service team sees every supplier, an organisation its own. */
function mayUse({ actor }: Pick<Asking, 'actor'>, configuration: ImportSupplierConfiguration): boolean {
  return actor.kind === 'staff' || actor.organisationId === configuration.organisation_id;
}

/** The refusal of behaviour 3.2 for a supplier that is Paused or Complete. */
export function migrationNotOngoing(status: string | null | undefined, attr: string): DomainError {
  const detail =
    status === 'PAUSED'
      ? 'Migration on this import supplier is paused: try again once it is resumed.'
      : 'Migration on this import supplier is complete: it accepts no more accounts.';
  return new DomainError('import_supplier_migration_not_ongoing', detail, { attr });
}

const COLUMNS = {
  code: 'text',
  organisation_id: 'uuid',
  country: 'char',
  document_root: 'text',
  process_concurrency_limit: 'integer | null',
  undocumented_fields: narrow<UndocumentedFieldsMode>('text'),
  empty_means_omitted: 'boolean',
  statement_amount_unit: 'statement_amount_unit',
  account_types: 'text[]',
  balance_check: 'balance_check',
  suspect_data: 'balance_check',
  suspect_data_by_code: narrow<ImportSupplier['suspect_data_by_code']>('jsonb'),
  zero_amounts: narrow<'KEEP' | 'OMIT'>('text'),
} as const;

export const IMPORT_SUPPLIER_CONFIGURATION = sql('import-supplier-configuration', COLUMNS)`
  SELECT ${selectList(COLUMNS, 'supplier', {
    undocumented_fields: `CASE
      WHEN reject_undocumented_fields THEN 'REJECT'
      WHEN keep_undocumented_fields THEN 'KEEP'
      ELSE 'REPORT'
    END`,
  })}
  FROM import_suppliers AS supplier
  WHERE code = ${'code'}`;

/** A supplier's configuration. Its status is missing on purpose: it is checked inside each statement. */
export type ImportSupplierConfiguration = RowOf<typeof IMPORT_SUPPLIER_CONFIGURATION>;

/** The refusal of a code that was never created, or that the caller may not see. */
export function unknownImportSupplier(attr = 'code'): DomainError {
  return new DomainError('import_supplier_does_not_exist', 'There is no import supplier with this code.', { attr });
}
