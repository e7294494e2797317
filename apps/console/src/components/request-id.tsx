import { Link } from '@tanstack/react-router';
import { CopyButton } from './copy-button.tsx';
import styles from './request-id.module.css';

/** Its end is what tells it from others. */
const SHOWN = 12;

/** The id of a request, short: it leads to what the request was about, and is copied whole. */
export function RequestId({ id }: { id: string }) {
  if (id === '') return '–';
  const shown = id.slice(-SHOWN);
  return (
    <span className={styles.id}>
      <Link to="/accounts" search={{ q: id }} aria-label={`Request ${shown}`} title={id}>
        {shown}
      </Link>
      <CopyButton text={id} name={`request id ${id}`} />
    </span>
  );
}
