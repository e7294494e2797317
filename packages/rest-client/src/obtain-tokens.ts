import { boundedText } from './bounded-text.ts';
import { NotTheService } from './not-the-service.ts';
import { isRedirect, Redirected } from './redirected.ts';

/** What ObtainToken gives (behaviour 5.2). */
export interface Tokens {
  /** For the Authorization header. */
  token: string;
  /** When the token stops working, by the clock of this machine. */
  expiresAt: Date;
  /** For the next tokens, in place of the API key. */
  refreshToken: string;
}

export type Credential = { apiKey: string } | { refreshToken: string };

const OBTAIN_TOKEN = `mutation ($input: ObtainTokenInput!) {
  obtainToken(input: $input) { token payload refreshToken }
}`;

/** As far as it can be relied upon: what answers may be anything. */
interface ObtainTokenResult {
  data?: { obtainToken?: unknown } | null;
  errors?: unknown;
}

interface ObtainedToken {
  token?: unknown;
  payload?: { iat?: unknown; exp?: unknown } | null;
  refreshToken?: unknown;
}

type TokenError = { message?: string; extensions?: { errorCode?: string } } | null | undefined;

/** Thrown where a credential is not exchanged for tokens. */
export class TokenRefusal extends Error {
  override readonly name = 'TokenRefusal';
  /** `CW-1101`, as the reference lists them; the HTTP status where the answer is none of ObtainToken's. */
  readonly code: string;

  constructor(code: string, detail: string) {
    super(`No token: ${detail} (${code})`);
    this.code = code;
  }
}

/** How a request is sent, in place of `fetch`. */
export type Send = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Exchanges an API key or a refresh token. Throws a TokenRefusal, a `Redirected`, or a `NotTheService`; what `send` throws
 * where the service does not answer.
 */
export async function obtainTokens(url: string, credential: Credential, send: Send = fetch): Promise<Tokens> {
  const input = 'apiKey' in credential ? { APIKey: credential.apiKey } : { refreshToken: credential.refreshToken };
  const address = new URL('/v1/graphql/', url).href;
  const response = await send(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ query: OBTAIN_TOKEN, variables: { input } }),
    redirect: 'manual',
  });
  if (isRedirect(response.status)) throw new Redirected(address, response.headers.get('location'));
  const { data, errors } = await resultOf(response, address);
  const tokens = tokensOf(Object(data?.obtainToken));
  if (tokens !== undefined) return tokens;
  const refusal: TokenError = Array.isArray(errors) ? errors[0] : undefined;
  if (response.ok && !refusal) throw new NotTheService(address);
  const { status } = response;
  throw new TokenRefusal(refusal?.extensions?.errorCode ?? String(status), refusal?.message ?? `status ${status}`);
}

function tokensOf({ token, payload, refreshToken }: ObtainedToken): Tokens | undefined {
  if (typeof token !== 'string' || typeof refreshToken !== 'string') return undefined;
  const lifetimeMs = (Number(payload?.exp) - Number(payload?.iat)) * 1_000;
  return Number.isFinite(lifetimeMs)
    ? { token, expiresAt: new Date(Date.now() + lifetimeMs), refreshToken }
    : undefined;
}

/** What a proxy answers in place of the service may be anything. */
async function resultOf(response: Response, address: string): Promise<ObtainTokenResult> {
  const text = await boundedText(response, address);
  try {
    return Object(JSON.parse(text)) as ObtainTokenResult;
  } catch {
    const wantsHttps = response.status === 400 && address.startsWith('http:') && /HTTPS|SSL/.test(text);
    if (wantsHttps) throw new NotTheService(address, 'speaks HTTPS, not HTTP');
    return {};
  }
}
