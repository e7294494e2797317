import type { DifferenceKind, Reconciliation, ReconciliationDifference } from '@causeway/contracts';
import type { Service } from '../session/open-service.ts';

/** The first differences of one kind, of so many accounts. */
export interface Sample {
  kind: DifferenceKind;
  accounts: number;
  differences: ReconciliationDifference[];
}

const MAX_DIFFERENCES = 10;
/** Those of figures first: nobody would notice them otherwise. */
const ORDER: readonly DifferenceKind[] = ['DIFFERENT', 'EXTRA', 'MISSING', 'NOT_CREATED', 'SKIPPED'];

/** Up to 10 differences of each kind that there is. */
export async function readSamples(service: Service, { id, accounts }: Reconciliation): Promise<Sample[]> {
  const kinds = ORDER.map((kind) => ({ kind, accounts: accounts?.[keyOf(kind)] ?? 0 }));
  return Promise.all(
    kinds
      .filter(({ accounts: count }) => count > 0)
      .map(async ({ kind, accounts: count }) => {
        const query = `?kind=${kind}&limit=${MAX_DIFFERENCES}`;
        return { kind, accounts: count, differences: await service.get(`reconciliations/${id}/differences/${query}`) };
      }),
  );
}

const keyOf = (kind: DifferenceKind) => kind.toLowerCase() as Lowercase<DifferenceKind>;
