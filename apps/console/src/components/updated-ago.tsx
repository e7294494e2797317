import { useEffect, useState } from 'react';
import { duration } from '../format/times.ts';
import styles from './updated-ago.module.css';

/** `updated 2 s ago`, counted on. `at` is `dataUpdatedAt` of a read; nothing is shown before there is one. */
export function UpdatedAgo({ at }: { at: number }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  if (at === 0) return null;
  return <p className={styles.updated}>updated {duration(Math.max(0, now - at) / 1_000)} ago</p>;
}
