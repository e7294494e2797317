import type { Fields, Joined } from './join-rows.ts';
import { placeOf, type Row } from './relations.ts';

/** A row that is a part of an item which another row is too, and cannot be joined to it. */
interface RowApart {
  row: Row;
  detail: string;
}

/** A row a reading, with the places of a row an address, would be the same meter point many times. */
export function meterPointsApart(addresses: readonly Joined[]): RowApart[] {
  const known = new Map<string, Row>();
  const found: RowApart[] = [];
  for (const { value, row } of addresses) {
    const { meter_points: points, ...address } = value;
    for (const { identifier } of (Array.isArray(points) ? points : []) as Fields[]) {
      if (identifier === undefined) continue;
      const key = JSON.stringify([address, identifier]);
      const first = known.get(key);
      if (first === undefined) known.set(key, row.row);
      else {
        const detail = `Has a meter point that its address has already: ${placeOf(first)}. ${HOW_TO_JOIN_READINGS}`;
        found.push({ row: row.row, detail });
      }
    }
  }
  return found;
}

/** A row a line, with the places of a row a charge, would be the same charge many times. */
export function chargesApart(transactions: readonly Joined[]): RowApart[] {
  const known = new Map<string, Joined>();
  return transactions.flatMap((one) => {
    const { row } = one.row;
    const { line_items: lines, tax_items: taxes, ...charge } = one.value;
    if (!row.relation.columns.hasPlaces || (lines === undefined && taxes === undefined)) return [];
    const key = JSON.stringify(charge);
    const first = known.get(key);
    known.set(key, first ?? one);
    if (first === undefined || JSON.stringify(first.value) === JSON.stringify(one.value)) return [];
    return { row, detail: `Says the same as ${placeOf(first.row.row)}, but for its lines. ${HOW_TO_JOIN_LINES}` };
  });
}

const HOW_TO_JOIN_READINGS =
  'If a row is one reading or one register, leave the places out of the headers: meter_points.identifier.';
const HOW_TO_JOIN_LINES =
  'If a row is one line or one tax, leave the places out of the headers: line_items.net_amount.';
