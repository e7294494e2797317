import type { ReactNode } from 'react';
import styles from './key-values.module.css';

interface KeyValuesProps {
  of: readonly (readonly [string, ReactNode])[];
  /** Counts and the like, of which more stand in a line. */
  areShort?: boolean;
}

/**
 * Names with their values, as a list that a screen reader knows as one: `[['Team', name], ['Staged', <Time ../>]]`. What
 * is null has a dash; what is undefined does not apply, and is left out.
 */
export function KeyValues({ of, areShort = false }: KeyValuesProps) {
  return (
    <dl className={areShort ? styles.short : styles.list}>
      {of
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value ?? '–'}</dd>
          </div>
        ))}
    </dl>
  );
}
