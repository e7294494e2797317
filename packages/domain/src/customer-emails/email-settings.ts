/** How e-mails are handed over (behaviour 29.3): `readSmtpUrl` and the variables of the service. */
export interface EmailSettings {
  server: SmtpServer;
  /** By all instances together. */
  perMinute: number;
  /** To one mailbox in 24 hours, by all suppliers of an organisation together. */
  perMailbox: number;
  dkim: DkimSettings | undefined;
}

/** A mail server that takes e-mails from this service. */
export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the first byte. Otherwise STARTTLS is used where the server offers it, or always if `requireTLS`. */
  secure: boolean;
  requireTLS: boolean;
  login: { user: string; password: string } | undefined;
}

/** The key that signs e-mails. */
export interface DkimSettings {
  domainName: string;
  keySelector: string;
  privateKey: string;
}

const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

/**
 * Reads `smtp://user:password@host:587` or `smtps://…`, with `?require_tls=true` if the server must offer STARTTLS. A
 * login is not sent in the clear: with one, `smtp:` requires STARTTLS, except on this machine. Throws an Error that
 * shows no part of the URL.
 */
export function readSmtpUrl(text: string): SmtpServer {
  const url = URL.parse(text);
  const standard = url === null ? undefined : PORTS[url.protocol];
  if (url === null || standard === undefined || url.hostname === '' || url.pathname.length > 1) {
    throw new Error('must be a URL such as smtp://user:password@mail.example:587 or smtps://…');
  }
  const [unknown] = [...url.searchParams.keys()].filter((name) => name !== 'require_tls');
  if (unknown !== undefined) throw new Error('may have the parameter require_tls alone');
  const login =
    url.username === ''
      ? undefined
      : { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return {
    host: url.hostname.replaceAll(/^\[|\]$/g, ''),
    port: url.port === '' ? standard : Number(url.port),
    secure: url.protocol === 'smtps:',
    requireTLS: url.searchParams.get('require_tls') === 'true' || (login !== undefined && !isHere),
    login,
  };
}
