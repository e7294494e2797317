import { TEMPLATE_NAMES, UNSUBSCRIBE_NAME } from '@causeway/contracts/codes';
import { Path } from '../../components/path.tsx';
import styles from './emails.module.css';

const NAMES = [
  ...Object.entries(TEMPLATE_NAMES).flatMap(([group, names]) => names.map((name) => `${group}.${name}`)),
  UNSUBSCRIBE_NAME,
];

/** What can be written between two braces. */
export function TemplateNames() {
  return (
    <details className={styles.names}>
      <summary>What a template can name</summary>
      <p>
        Between two braces, as in <code>{'{{ customer.name }}'}</code>. What is not known of a customer is empty; in the
        HTML every value is escaped.
      </p>
      <ul>
        {NAMES.map((name) => (
          <li key={name}>
            <Path>{name}</Path>
          </li>
        ))}
      </ul>
    </details>
  );
}
