import { Link } from '@tanstack/react-router';
import styles from './email-places.module.css';

/** The pages about the e-mails of a supplier, and the way back to it. */
export function EmailPlaces({ code }: { code: string }) {
  const params = { code };
  return (
    <nav className={styles.places} aria-label={`E-mails of ${code}`}>
      <Link to="/suppliers/$code/emails" params={params} activeOptions={{ includeSearch: false }}>
        E-mails
      </Link>
      <Link to="/suppliers/$code/templates" params={params}>
        Templates
      </Link>
      <Link to="/suppliers/$code/suppressions" params={params} activeOptions={{ includeSearch: false }}>
        Suppression list
      </Link>
      <Link to="/suppliers/$code" params={params} activeOptions={{ exact: true }}>
        Settings
      </Link>
    </nav>
  );
}
