import { isLoggedIn, joinOtherTab, logIn, logOut, nameOfLogin, onSessionChange } from './session.ts';
import { whyNotLoggedIn } from './why-not-logged-in.ts';

/** `/console/#refresh=TOKEN`, as `pnpm demo` prints it. */
const LINK = /^#refresh=([\w.-]+)$/;

let remark: string | undefined;

/** Why the link did not log in, until somebody logs in or out. */
export const remarkOnLink = (): string | undefined => remark;

/**
 * Takes the refresh token of a link out of the address at once, before anything else is done, and logs in with it: where
 * somebody is logged in already, in this tab or another one of this browser, the link changes nothing. The service
 * takes its token again for ten minutes (behaviour 5.6.2).
 */
export async function logInByLink(): Promise<void> {
  // In a tab that is open, a link is but another place of its page.
  addEventListener('hashchange', () => LINK.test(location.hash) && location.reload());
  const refreshToken = LINK.exec(location.hash)?.[1];
  if (refreshToken !== undefined) history.replaceState(null, '', location.pathname + location.search);
  await joinOtherTab();
  if (refreshToken === undefined) return;
  onSessionChange(() => {
    remark = undefined;
  });
  const name = isLoggedIn() ? await nameOfLogin() : undefined;
  if (name !== undefined) {
    remark = `The link to log in was not used: you are logged in as ${name}. To use it, log out and open it again.`;
    return;
  }
  // Over already, as the service says.
  if (isLoggedIn()) logOut();
  await logIn({ refreshToken }).catch((error: unknown) => {
    remark = whyNotLoggedIn(error);
  });
}
