import { type Claim, none } from '../scenario.ts';
import { type Journey, LETTERS } from './journeys.ts';
import type { ServiceWorld, Supplier } from './service-world.ts';

/** An event as it is stored. */
export interface StoredEvent {
  id: string;
  type: string;
  account: string | null;
  job_id: string | null;
}

/** The events of an organisation, in the order of their numbers. */
export function storedEvents(world: Pick<ServiceWorld, 'query'>, supplier: Supplier): Promise<StoredEvent[]> {
  return world.query(
    `SELECT 'evt_' || replace(event_id::text, '-', '') AS id, type, external_account_number AS account,
      data->>'job_id' AS job_id
    FROM events WHERE organisation_id = $1 ORDER BY events.id`,
    [supplier.organisationId],
  );
}

interface AccountEffects {
  account: string;
  staged: number;
  created: number;
}

/** Compares the events with what was done to the accounts, as the audit trail has it. */
export async function judgeEvents(
  world: Pick<ServiceWorld, 'query'>,
  supplier: Supplier,
  { stored, journeys }: { stored: readonly StoredEvent[]; journeys: ReadonlyMap<string, Pick<Journey, 'told'>> },
): Promise<Claim[]> {
  const effects = await world.query<AccountEffects>(
    `SELECT external_account_number AS account,
      count(*) FILTER (WHERE action IN ('staged', 'staged_again'))::int AS staged,
      count(*) FILTER (WHERE action = 'processed')::int AS created
    FROM account_imports import LEFT JOIN audit_events ON subject_id = import.id
    WHERE import_supplier_code = $1 GROUP BY import.id`,
    [supplier.code],
  );
  const told = lettersOf(stored);
  const isTold = ({ account, staged, created }: AccountEffects) => {
    const letters = told.get(account) ?? '';
    return (
      journeys.get(account)?.told.test(letters) === true &&
      letters.split('s').length - 1 === staged &&
      letters.split('c').length - 1 === created
    );
  };
  const known = new Set(effects.map(({ account }) => account));
  return [
    none(
      'accounts whose events are not one for each thing that happened to them, in its order',
      effects.filter((one) => !isTold(one)).map((one) => ({ ...one, told: told.get(one.account) })),
    ),
    none(
      'accounts that were moved or told of, and are not stored',
      [...journeys.keys(), ...told.keys()].filter((account) => !known.has(account)),
    ),
  ];
}

/** The events of each account in their order, by letters. */
export function lettersOf(events: readonly Pick<StoredEvent, 'type' | 'account'>[]): Map<string, string> {
  const letters = new Map<string, string>();
  for (const { type, account } of events) {
    if (account !== null) letters.set(account, (letters.get(account) ?? '') + (LETTERS[type] ?? `(${type})`));
  }
  return letters;
}
