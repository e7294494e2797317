import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { remarkOnLink } from '../session/log-in-by-link.ts';
import styles from './offline-banner.module.css';

/** Says that a link to log in was not used, until that was read. */
export function RemarkOnLink() {
  const [remark, setRemark] = useState(remarkOnLink);
  if (remark === undefined) return null;
  return (
    <p role="status" className={styles.banner}>
      {remark}{' '}
      <Button variant="small" onPress={() => setRemark(undefined)}>
        Close
      </Button>
    </p>
  );
}
