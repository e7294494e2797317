import { obtainTokens, TokenRefusal, type Tokens } from '@causeway/rest-client/portable';

/** In the storage of this tab alone; the browser forgets it with the tab. */
const REFRESH_TOKEN = 'causeway.refresh-token';
const SERVICE = location.origin;
/** A token is replaced a minute before it expires, so that none expires on its way. */
const RENEW_BEFORE_MS = 60_000;

let known: Tokens | undefined;
let pending: Promise<Tokens> | undefined;
const listeners = new Set<() => void>();

/** Whether somebody is logged in, as far as this tab knows. */
export function isLoggedIn(): boolean {
  return known !== undefined || sessionStorage.getItem(REFRESH_TOKEN) !== null;
}

/** Calls `listener` whenever somebody logs in or out; returns what ends that. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Exchanges a key, or the refresh token of a link. The key is not kept.
 *
 * @throws TokenRefusal if the service does not accept it
 */
export async function logIn(credential: { apiKey: string } | { refreshToken: string }): Promise<void> {
  keep(await obtainTokens(SERVICE, credential));
  tell();
}

/** Forgets all that this tab knows. */
export function logOut(): void {
  known = undefined;
  sessionStorage.removeItem(REFRESH_TOKEN);
  tell();
}

/**
 * The token to send now: another one than `refused`, which the service has found expired. Calls at the same time obtain
 * one together.
 *
 * @throws TokenRefusal if the service accepts the refresh token no more
 */
export async function accessToken(refused?: string): Promise<string> {
  if (known !== undefined && known.token !== refused && !isExpiring(known)) return known.token;
  pending ??= exchange().finally(() => {
    pending = undefined;
  });
  return (await pending).token;
}

async function exchange(): Promise<Tokens> {
  const refreshToken = sessionStorage.getItem(REFRESH_TOKEN);
  if (refreshToken === null) throw new TokenRefusal('CW-1101', 'nobody is logged in');
  return keep(await obtainTokens(SERVICE, { refreshToken }));
}

function keep(tokens: Tokens): Tokens {
  known = tokens;
  sessionStorage.setItem(REFRESH_TOKEN, tokens.refreshToken);
  return tokens;
}

function tell(): void {
  for (const listener of listeners) listener();
}

function isExpiring({ expiresAt }: Tokens): boolean {
  return Date.now() > expiresAt.getTime() - RENEW_BEFORE_MS;
}
