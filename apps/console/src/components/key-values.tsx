import type { ReactNode } from 'react';
import styles from './key-values.module.css';

/** Names with their values, as a list that a screen reader knows as one: `[['Team', name], ['Staged', <Time ../>]]`. */
export function KeyValues({ of }: { of: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={styles.list}>
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  );
}
