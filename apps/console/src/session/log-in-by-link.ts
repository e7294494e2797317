import { logIn } from './session.ts';

/** `/console/#refresh=TOKEN`, as `pnpm demo` prints it. */
const LINK = /^#refresh=([\w.-]+)$/;

/**
 * Takes the refresh token of a link out of the address at once, before anything else is done, and logs in with it. It
 * does so once: the service gives another token in exchange. A link that was used leads to the login page.
 */
export async function logInByLink(): Promise<void> {
  const refreshToken = LINK.exec(location.hash)?.[1];
  if (refreshToken === undefined) return;
  history.replaceState(null, '', location.pathname + location.search);
  await logIn({ refreshToken }).catch(() => undefined);
}
