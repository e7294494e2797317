import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useRef } from 'react';
import { Shortcut } from '../components/shortcut.tsx';
import styles from './search-field.module.css';
import { useShortcut } from './shortcuts.ts';

/** Finds accounts by whatever a customer or an import supplier can tell, from every page. */
export function SearchField() {
  const field = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  useShortcut('/', 'Search accounts', () => field.current?.focus());
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const q = field.current?.value.trim() ?? '';
    void navigate({ to: '/accounts', search: q === '' ? {} : { q } });
  };
  return (
    <search className={styles.search}>
      <form onSubmit={submit}>
        <input
          ref={field}
          type="search"
          aria-label="Search accounts"
          aria-keyshortcuts="/"
          placeholder="Number, name, e-mail, request id"
        />
        <Shortcut keys="/" />
      </form>
    </search>
  );
}
