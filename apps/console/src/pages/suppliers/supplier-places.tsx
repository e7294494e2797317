import { Link } from '@tanstack/react-router';
import tabs from '../../components/tabs.module.css';
import styles from './supplier-places.module.css';

/** The pages about a supplier: how it is set up, and its e-mails. */
export function SupplierPlaces({ code }: { code: string }) {
  const params = { code };
  return (
    <nav className={`${tabs.list} ${styles.places}`} aria-label={`About ${code}`}>
      <Link className={tabs.tab} to="/suppliers/$code" params={params} activeOptions={{ exact: true }}>
        Settings
      </Link>
      <Link className={tabs.tab} to="/suppliers/$code/emails" params={params} activeOptions={{ includeSearch: false }}>
        E-mails
      </Link>
      <Link className={tabs.tab} to="/suppliers/$code/templates" params={params}>
        Templates
      </Link>
      <Link
        className={tabs.tab}
        to="/suppliers/$code/suppressions"
        params={params}
        activeOptions={{ includeSearch: false }}
      >
        Suppression list
      </Link>
    </nav>
  );
}
