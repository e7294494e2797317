import { useEffect, useState } from 'react';
import { duration } from '../format/times.ts';
import text from './text.module.css';
import styles from './updated-ago.module.css';

interface UpdatedAgoProps {
  /** `dataUpdatedAt` of a read, or when the service has counted; nothing is shown before there is one. */
  at: number;
  /** What was done then. */
  what?: 'updated' | 'counted';
}

/** `updated 2 s ago`, counted on. */
export function UpdatedAgo({ at, what = 'updated' }: UpdatedAgoProps) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  if (at === 0) return null;
  return (
    <p className={`${text.faint} ${styles.updated}`}>
      {what} {duration(Math.max(0, now - at) / 1_000)} ago
    </p>
  );
}
