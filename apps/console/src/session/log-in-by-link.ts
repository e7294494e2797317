import { logIn, onSessionChange } from './session.ts';
import { whyNotLoggedIn } from './why-not-logged-in.ts';

/** `/console/#refresh=TOKEN`, as `pnpm demo` prints it. */
const LINK = /^#refresh=([\w.-]+)$/;

let remark: string | undefined;

/** Why the link did not log in, until somebody logs in or out. */
export const remarkOnLink = (): string | undefined => remark;

/**
 * Takes the refresh token of a link out of the address at once, before anything else is done, and logs in with it. It
 * does so once: the service gives another token in exchange. A link that was used leads to the login page.
 */
export async function logInByLink(): Promise<void> {
  const refreshToken = LINK.exec(location.hash)?.[1];
  if (refreshToken === undefined) return;
  history.replaceState(null, '', location.pathname + location.search);
  onSessionChange(() => {
    remark = undefined;
  });
  await logIn({ refreshToken }).catch((error: unknown) => {
    remark = whyNotLoggedIn(error);
  });
}
