import type { AccountLine } from './checked-line.ts';

/** When an account has a meter point: while its customer is at the address, and the supplier supplies it. */
export interface Occupancy {
  /** The path of what was sent. */
  field: string;
  /** What was sent as `identifier` or `mpxn`, without spaces and in capitals: it is written in many ways. */
  identifier: string;
  /** YYYY-MM-DD, as is `to`, which is later than all days if it is open. */
  from: string;
  to: string;
}

const OPEN = '9999-12-31';

/** When the account of a line has which meter points: the service compares the same (behaviour 4.18.6). */
export function occupanciesOfLine({ account }: AccountLine): Occupancy[] {
  return (account.request.supply_addresses ?? []).flatMap((address, place) => {
    const { customer_at_supply_address_from_date: since, customer_at_supply_address_to_date: until = OPEN } = address;
    return (address.meter_points ?? []).flatMap((point, index): Occupancy[] => {
      const { identifier = point.mpxn, supply_start_date = since, supply_end_date = until } = point;
      let [from, to] = [supply_start_date, supply_end_date];
      if (since > from) from = since;
      if (until < to) to = until;
      if (identifier === undefined || from > to) return [];
      const name = point.identifier === undefined ? 'mpxn' : 'identifier';
      const field = `supply_addresses.${place}.meter_points.${index}.${name}`;
      return [{ field, identifier: identifier.replaceAll(' ', '').toUpperCase(), from, to }];
    });
  });
}
