import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { Button } from '../components/button.tsx';
import { ask } from '../data/ask.ts';
import { createListeners } from '../data/listeners.ts';
import { logOut } from '../session/session.ts';
import styles from './session-menu.module.css';

const SCHEMES = ['system', 'light', 'dark'] as const;
/** `system` follows what the operating system says. */
type Scheme = (typeof SCHEMES)[number];

const KEY = 'causeway.scheme';
const { subscribe, tell } = createListeners();

function read(): Scheme {
  return SCHEMES.find((scheme) => scheme === localStorage.getItem(KEY)) ?? 'system';
}

function show(): void {
  const scheme = read();
  if (scheme === 'system') delete document.documentElement.dataset.scheme;
  else document.documentElement.dataset.scheme = scheme;
}

/** The colours that the person has chosen, kept in this browser, and the function that continues to the next ones. */
function useScheme(): [Scheme, () => void] {
  const scheme = useSyncExternalStore(subscribe, read);
  return [
    scheme,
    () => {
      localStorage.setItem(KEY, SCHEMES[(SCHEMES.indexOf(scheme) + 1) % SCHEMES.length] ?? 'system');
      show();
      tell();
    },
  ];
}

show();

const SCHEME_NAMES = { system: 'as the system', light: 'light', dark: 'dark' };

/** Who is logged in, the colours, and the way out. */
export function SessionMenu() {
  const { data } = useQuery({ ...ask('session.whoAmI', undefined), staleTime: Number.POSITIVE_INFINITY });
  const [scheme, nextScheme] = useScheme();
  const name = data === undefined ? 'Logged in' : (data.person ?? data.label);
  return (
    <MenuTrigger>
      <Button variant="quiet" aria-label={`${name}: you`}>
        <span className={styles.name}>{name}</span>
        <span className={styles.you}>You</span>
        <span aria-hidden="true">▾</span>
      </Button>
      <Popover className={styles.popover} placement="bottom end">
        <p className={styles.who}>{name}</p>
        <Menu className={styles.menu} aria-label="You">
          <MenuItem className={styles.item} onAction={nextScheme} shouldCloseOnSelect={false}>
            Colours: {SCHEME_NAMES[scheme]}
          </MenuItem>
          <MenuItem className={styles.item} onAction={logOut}>
            Log out
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
