import type { AccountLine, HistoryLine } from '@causeway/book';

/** What the meter point supplies that a path leads into; undefined: it leads into none. */
export function serviceAt(attr: string, line: AccountLine | HistoryLine): string | undefined {
  const [, address, point] = /^supply_addresses\.(\d+)\.meter_points\.(\d+)\./.exec(attr) ?? [];
  if (line.kind !== 'account' || address === undefined) return undefined;
  return line.account.request.supply_addresses?.[Number(address)]?.meter_points?.[Number(point)]?.supply_type;
}

/** The currency of each statement that says it. */
export function currenciesOf(line: AccountLine | HistoryLine): (string | undefined)[] {
  const { statements = [] } = (line.kind === 'account' ? line.account : line.statements)?.request ?? {};
  return statements.map(({ currency }) => currency);
}
