import type { StatementObserver } from '@causeway/db';

/** Tells both of each statement. */
export function bothObservers(one: StatementObserver, other: StatementObserver | undefined): StatementObserver {
  if (other === undefined) return one;
  return {
    ...other,
    sent(title) {
      const [oneIsOver, otherIsOver] = [one.sent(title), other.sent(title)];
      return (failed) => {
        oneIsOver(failed);
        otherIsOver(failed);
      };
    },
  };
}
