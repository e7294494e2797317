import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './read.module.css';
import { Refusal } from './refusal.tsx';
import text from './text.module.css';

interface ReadProps<Data> {
  /** What `useQuery` or `useLive` returned. */
  of: UseQueryResult<Data>;
  children(data: Data): ReactNode;
}

/**
 * What was read, or why it is not there: `<Read of={accounts}>{(rows) => ..}</Read>`. What is on the page already stays
 * when it cannot be read again; the banner of the shell says that it may be old.
 */
export function Read<Data>({ of: query, children }: ReadProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isPending) return <Loading />;
  return (
    <div className={styles.refused}>
      <Refusal of={query.error} />
      <Button onPress={() => void query.refetch()}>Try again</Button>
    </div>
  );
}

/** Grey lines in place of what is being read; they appear only after a moment, so that nothing flickers. */
export function Loading() {
  return (
    <div className={styles.loading} role="status">
      <span className={text.spoken}>Loading</span>
    </div>
  );
}

/** In place of a list without rows: why it is empty, and what to do next. */
export function Empty({ children }: { children: ReactNode }) {
  return <div className={styles.empty}>{children}</div>;
}
