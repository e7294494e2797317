import { Link, type LinkProps, useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Shortcut } from '../components/shortcut.tsx';
import styles from './navigation.module.css';
import { useShortcut } from './shortcuts.ts';

type Place = LinkProps['to'] & string;

const PLACES = [
  { to: '/', name: 'Overview', keys: 'g o' },
  { to: '/accounts', name: 'Accounts', keys: 'g a' },
  { to: '/jobs', name: 'Jobs', keys: 'g j' },
  { to: '/reconciliations', name: 'Reconciliations', keys: 'g r' },
  { to: '/problems', name: 'Problems', keys: 'g p' },
] as const;

const ADMINISTRATION = [
  { to: '/suppliers', name: 'Import suppliers', keys: 'g s' },
  { to: '/organisations', name: 'Organisations', keys: 'g n' },
  { to: '/keys', name: 'API keys', keys: 'g k' },
  { to: '/teams', name: 'Operations teams', keys: 'g t' },
  { to: '/audit', name: 'Audit', keys: 'g u' },
] as const;

/** The way to every page that has no account, job or supplier in its address. */
export function Navigation() {
  return (
    <nav aria-label="Pages" className={styles.navigation}>
      <Link to="/" className={styles.brand} tabIndex={-1} aria-hidden="true">
        <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
          <rect width="32" height="32" rx="7" className={styles.mark} />
          <path d="M4 21h24M7 21v-3a4 4 0 0 1 8 0v3m2 0v-3a4 4 0 0 1 8 0v3" className={styles.arches} />
        </svg>
        <span className={styles.name}>Causeway</span>
      </Link>
      <ul className={styles.places}>
        {PLACES.map((place) => (
          <NavigationItem key={place.to} {...place} />
        ))}
      </ul>
      <h2 className={styles.title} id="administration">
        Administration
      </h2>
      <ul className={styles.places} aria-labelledby="administration">
        {ADMINISTRATION.map((place) => (
          <NavigationItem key={place.to} {...place} />
        ))}
      </ul>
    </nav>
  );
}

function NavigationItem({ to, name, keys }: { to: Place; name: string; keys: string }) {
  const navigate = useNavigate();
  const link = useRef<HTMLAnchorElement>(null);
  const { pathname } = useLocation();
  // A migration is below the overview, and each of its problems below all of them.
  const isParent = pathname.startsWith('/migrations/') && to === (pathname.includes('/problems/') ? '/problems' : '/');
  useEffect(() => {
    const isHere = pathname === to || pathname.startsWith(`${to}/`);
    // On a telephone the places are in a line that is longer than the screen.
    if (isHere) link.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [pathname, to]);
  useShortcut(keys, `Go to ${name}`, () => void navigate({ to }));
  return (
    <li>
      <Link
        ref={link}
        to={to}
        className={styles.place}
        data-parent={isParent || undefined}
        activeOptions={{ exact: to === '/', includeSearch: false }}
      >
        {name}
        <Shortcut keys={keys} />
      </Link>
    </li>
  );
}
