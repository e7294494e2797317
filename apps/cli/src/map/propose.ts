import { decideTable } from './decide-table.ts';
import type { Draft, TableFacts } from './draft.ts';
import type { Knowledge } from './judge-column.ts';
import type { ValuesOf } from './match-keys.ts';
import { placeAccounts } from './place-accounts.ts';

/** Proposes what the columns of some files are: decided where name and values agree, open otherwise. */
export function propose(tables: readonly TableFacts[], valuesOf: ValuesOf, knowledge: Knowledge): Draft {
  const decided = tables.map((table) => decideTable(table, knowledge));
  placeAccounts(decided, valuesOf);
  return {
    parts: decided.flatMap(({ parts }) => parts),
    open: new Map(decided.map(({ table, open }) => [table.name, open])),
  };
}
