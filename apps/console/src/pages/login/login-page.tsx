import { TokenRefusal } from '@causeway/rest-client/portable';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef } from 'react';
import { Button } from '../../components/button.tsx';
import { ask } from '../../data/ask.ts';
import { isLoggedIn, logIn, logOut } from '../../session/session.ts';
import styles from './login-page.module.css';

const loginRoute = getRouteApi('/login');

/** A key of the service team is exchanged for tokens, and not kept. Whoever is logged in is led to where they wanted. */
export function LoginPage() {
  const { to = '/console/' } = loginRoute.useSearch();
  const router = useRouter();
  const login = useLogIn(() => router.history.replace(to));
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
        <p id="key-use" className={styles.hint}>
          Used once, to log this browser in, and not kept. Closing its last tab of the console logs you out.
        </p>
        <p id="key-refused" role="alert" className={styles.refused}>
          {login.error?.message}
        </p>
        <Button type="submit" variant="primary" isPending={login.isPending}>
          Log in
        </Button>
      </form>
    </main>
  );
}

/** Logs in by a staff key. Any other key is told so, and forgotten. */
function useLogIn(onSuccess: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (apiKey: string) => {
      await logIn({ apiKey }).catch((error: unknown) => {
        throw new Error(sentenceFor(error));
      });
      const { kind, organisation } = await queryClient.fetchQuery(ask('session.whoAmI', undefined));
      if (kind === 'staff') return;
      logOut();
      throw new Error(
        `This is a key of ${organisation?.name ?? 'a supplier'}. The console is for the service team: use the command line or the API with it.`,
      );
    },
    onSuccess,
  });
}

function sentenceFor(error: unknown): string {
  if (!(error instanceof TokenRefusal)) return 'The service does not answer. Try again in a moment.';
  return error.code === 'CW-1101' ? 'This key is not valid, or was revoked.' : error.message;
}
