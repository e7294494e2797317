import { useState } from 'react';
import { Button } from '../components/button.tsx';
import text from '../components/text.module.css';
import { remarkOnLink } from '../session/log-in-by-link.ts';

/** Says that a link to log in was not used, until that was read. */
export function RemarkOnLink() {
  const [remark, setRemark] = useState(remarkOnLink);
  if (remark === undefined) return null;
  return (
    <p role="status" className={text.note}>
      {remark}{' '}
      <Button variant="small" onPress={() => setRemark(undefined)}>
        Close
      </Button>
    </p>
  );
}
