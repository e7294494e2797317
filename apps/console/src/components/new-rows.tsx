import { useState } from 'react';
import { Button } from './button.tsx';

/**
 * A list that is read again and has its newest rows first, so that nothing moves under the hand: what came since it was
 * opened waits until it is asked for. `notice` says how many do; the rows that are shown are as they are now.
 */
export function useSteadyRows<Row>(rows: readonly Row[], keyOf: (row: Row) => string) {
  const newest = rows[0] && keyOf(rows[0]);
  const [first, setFirst] = useState(newest);
  const waiting = first === undefined ? 0 : Math.max(0, rows.map(keyOf).indexOf(first));
  const notice = waiting > 0 && <Button onPress={() => setFirst(newest)}>{waiting} new, show</Button>;
  return { steady: rows.slice(waiting), notice };
}
