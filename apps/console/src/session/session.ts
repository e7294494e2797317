import { createClient, failureOf } from '@causeway/client';
import { obtainTokens, TokenRefusal, type Tokens } from '@causeway/rest-client/portable';
import { createListeners } from '../data/listeners.ts';
import { askOtherTabs, endInOtherTabs, listenToOtherTabs, type Session, tellOtherTabs } from './other-tabs.ts';

/** In the storage of this tab alone; the browser forgets it with the tab. */
const REFRESH_TOKEN = 'causeway.refresh-token';
/** The name of the login, by which the tabs that share it know each other. */
const SESSION = 'causeway.session';
const SERVICE = location.origin;
/** A token is replaced a minute before it expires, so that none expires on its way. */
const RENEW_BEFORE_MS = 60_000;

let known: Tokens | undefined;
let pending: Promise<Tokens> | undefined;

/** Whether somebody is logged in, as far as this tab knows. */
export function isLoggedIn(): boolean {
  return known !== undefined || sessionStorage.getItem(REFRESH_TOKEN) !== null;
}

const { subscribe, tell } = createListeners();

/** Calls a listener whenever somebody logs in or out; returns what ends that. */
export const onSessionChange = subscribe;

/** Thrown at a key that is valid, but none of the service team's. */
export class NotOfTheTeam extends Error {
  constructor(organisation = 'a supplier') {
    super(
      `This is a key of ${organisation}. The console is for the service team: use the command line or the API with it.`,
    );
  }
}

/**
 * Exchanges a key, or the refresh token of a link. The key is not kept, and nothing of it if it is not the service team's.
 *
 * @throws TokenRefusal if the service does not accept it
 * @throws NotOfTheTeam if it is an organisation's
 */
export async function logIn(credential: { apiKey: string } | { refreshToken: string }): Promise<void> {
  const id = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join('');
  const tokens = await obtainTokens(SERVICE, credential);
  const { kind, organisation } = await whoIs(async () => tokens.token);
  if (kind !== 'staff') throw new NotOfTheTeam(organisation?.name);
  keep({ id, tokens });
  tell();
}

/** Who is logged in; undefined if the service accepts the login no more. While it does not answer, that is not known. */
export async function nameOfLogin(): Promise<string | undefined> {
  try {
    const { person, label } = await whoIs(accessToken);
    return person ?? label;
  } catch (error) {
    return failureOf(error)?.kind === 'unavailable' ? 'before' : undefined;
  }
}

function whoIs(apiKey: (refused?: string) => Promise<string>) {
  return createClient({ url: SERVICE, apiKey, attempts: 2 }).session.whoAmI.query();
}

/** Joins the login of another tab of this browser, if there is one; waits for an answer a moment at most. */
export async function joinOtherTab(): Promise<void> {
  const session = isLoggedIn() ? undefined : await askOtherTabs();
  if (session !== undefined) keep(session);
}

/** Forgets all that this tab knows, and the others of the same login. */
export function logOut(): void {
  const id = sessionStorage.getItem(SESSION);
  if (id !== null) endInOtherTabs(id);
  forget();
}

function forget(): void {
  known = undefined;
  sessionStorage.removeItem(REFRESH_TOKEN);
  sessionStorage.removeItem(SESSION);
  tell();
}

listenToOtherTabs({
  own: () => (known === undefined ? undefined : { id: sessionId(), tokens: known }),
  onTold: (session) => session.id === sessionId() && keep(session),
  onEnd: (id) => id === sessionId() && forget(),
});

function sessionId(): string {
  return sessionStorage.getItem(SESSION) ?? '';
}

/**
 * The token to send now: another one than `refused`, which the service has found expired. Calls at the same time obtain
 * one together.
 *
 * @throws TokenRefusal if the service accepts the refresh token no more
 */
export async function accessToken(refused?: string): Promise<string> {
  if (known !== undefined && known.token !== refused && !isExpiring(known)) return known.token;
  pending ??= exchange(refused).finally(() => {
    pending = undefined;
  });
  return (await pending).token;
}

/** A refresh token is exchanged once: another tab may have done it already. */
async function exchange(refused: string | undefined): Promise<Tokens> {
  const id = sessionId();
  const shared = (await askOtherTabs(id))?.tokens;
  if (shared !== undefined && shared.token !== refused && !isExpiring(shared)) return keep({ id, tokens: shared });
  const refreshToken = sessionStorage.getItem(REFRESH_TOKEN);
  if (refreshToken === null) throw new TokenRefusal('CW-1101', 'nobody is logged in');
  const session = { id, tokens: await obtainTokens(SERVICE, { refreshToken }) };
  tellOtherTabs(session);
  return keep(session);
}

function keep({ id, tokens }: Session): Tokens {
  known = tokens;
  sessionStorage.setItem(SESSION, id);
  sessionStorage.setItem(REFRESH_TOKEN, tokens.refreshToken);
  return tokens;
}

function isExpiring({ expiresAt }: Tokens): boolean {
  return Date.now() > expiresAt.getTime() - RENEW_BEFORE_MS;
}
