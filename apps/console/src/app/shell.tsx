import { Outlet } from '@tanstack/react-router';
import { useRef } from 'react';
import { LiveRegion } from '../components/live-region.tsx';
import { KeysDialog } from './keys-dialog.tsx';
import { Navigation } from './navigation.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { RemarkOnLink } from './remark-on-link.tsx';
import { SearchField } from './search-field.tsx';
import { SessionMenu } from './session-menu.tsx';
import styles from './shell.module.css';
import { useFocusOfPages } from './use-focus-of-pages.ts';

/** What stands around every page: navigation, search, who is logged in. */
export function Shell() {
  const main = useRef<HTMLElement>(null);
  useFocusOfPages(main);
  return (
    <div className={styles.shell}>
      <button type="button" className={styles.skip} onClick={() => main.current?.focus()}>
        Skip to the page
      </button>
      <header className={styles.top}>
        <SearchField />
        <SessionMenu />
      </header>
      <Navigation />
      <main ref={main} id="main" tabIndex={-1} className={styles.main}>
        <OfflineBanner />
        <RemarkOnLink />
        <Outlet />
      </main>
      <KeysDialog />
      <LiveRegion />
    </div>
  );
}
