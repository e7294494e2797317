import { useMutation } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef } from 'react';
import { Button } from '../../components/button.tsx';
import text from '../../components/text.module.css';
import { remarkOnLink } from '../../session/log-in-by-link.ts';
import { isLoggedIn, logIn } from '../../session/session.ts';
import { whyNotLoggedIn } from '../../session/why-not-logged-in.ts';
import styles from './login-page.module.css';

const loginRoute = getRouteApi('/login');

/** A key of the service team is exchanged for tokens, and not kept. Anyone who is logged in is led to where they wanted. */
export function LoginPage() {
  const { to = '/console/' } = loginRoute.useSearch();
  const router = useRouter();
  const login = useMutation({
    mutationFn: (apiKey: string) =>
      logIn({ apiKey }).catch((error: unknown) => {
        throw new Error(whyNotLoggedIn(error));
      }),
    onSuccess: () => router.history.replace(to),
  });
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isLoggedIn()) router.history.replace(to);
    else field.current?.focus();
  }, [router, to]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const key = field.current?.value.trim() ?? '';
    if (key !== '' && !login.isPending) login.mutate(key);
  };
  return (
    <main className={styles.page}>
      <title>Log in · Causeway</title>
      <form className={styles.form} onSubmit={submit}>
        <p className={styles.brand}>Causeway</p>
        <h1>Log in</h1>
        <label htmlFor="key">Staff key</label>
        <input
          ref={field}
          id="key"
          type="password"
          autoComplete="current-password"
          spellCheck={false}
          aria-describedby="key-use key-refused"
          aria-invalid={login.isError}
        />
        <p id="key-use" className={text.faint}>
          Used once, to log this browser in, and not kept. Closing its last tab of the console logs you out.
        </p>
        <p id="key-refused" role="alert" className={styles.refused}>
          {login.isIdle ? remarkOnLink() : login.error?.message}
        </p>
        <Button type="submit" variant="primary" isPending={login.isPending}>
          Log in
        </Button>
      </form>
    </main>
  );
}
