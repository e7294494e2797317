import { ErrorBody } from '@causeway/contracts';
import {
  type Answer,
  type Attempt,
  boundedText,
  createRestClient,
  NO_TLS,
  NotTheService,
  Redirected,
  repeatAfter,
  TokenRefusal,
  untrustedCertificate,
} from '@causeway/rest-client';
import type { Context } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { millisecondsOf } from '../frame/flags.ts';
import { findCredentials } from './find-credentials.ts';

/** The service, as one command calls it. Paths are below /v1/data-import/; a refusal is thrown as a Failure. */
export interface Service {
  url: string;
  get<Body>(path: string): Promise<Body>;
  post<Body>(path: string, body: object): Promise<Body>;
  put<Body>(path: string, bytes: Uint8Array<ArrayBuffer>, headers: Record<string, string>): Promise<Body>;
  /** A file as it comes, in the media type that is asked for. One that is cut off is a Failure too. */
  read(path: string, accept: string): AsyncGenerator<Uint8Array>;
}

/** Opens the service with the credentials that the command was given. Calls nothing yet. */
export async function openService(context: Context): Promise<Service> {
  const { url, apiKey } = await findCredentials(context);
  const { flags, stop } = context;
  const client = createRestClient({
    url,
    apiKey,
    patienceMs: millisecondsOf(flags.patience ?? PATIENCE),
    onWait: sayOnce(context, url),
    stop,
  });
  /** Once the user has stopped it, nothing is sent again: that says nothing about the service. */
  const ended = (failure: Failure) =>
    stop.aborted && failure.ending === 'outOfReach' ? new Failure('interrupted', 'Interrupted.') : failure;
  const call = async <Body>(calling: () => Promise<Answer>): Promise<Body> => {
    const answer = await calling().catch((error: unknown) => {
      throw ended(failureOfCall(error, url));
    });
    if (answer.status < 400) return answer.body as Body;
    throw ended(refusalOf(answer));
  };
  return {
    url,
    get: (path) => call(() => client.get(path)),
    post: (path, body) => call(() => client.post(path, body)),
    put: (path, bytes, headers) => call(() => client.put(path, bytes, headers)),
    async *read(path, accept) {
      try {
        const response = await client.open(path, accept);
        if (!response.ok) throw refusalOf(await answerOf(response, path));
        yield* response.body ?? [];
      } catch (error) {
        throw ended(failureOfCall(error, url));
      }
    },
  };
}

async function answerOf(response: Response, path: string): Promise<Answer> {
  return {
    request: `GET /v1/data-import/${path}`,
    requestId: response.headers.get('x-request-id') ?? 'unknown',
    status: response.status,
    body: await boundedText(response, path)
      .then(JSON.parse)
      .catch(() => undefined),
  };
}

/** A person waits for this long before a service that is away is said to be out of reach. */
const PATIENCE = '1m';

function sayOnce({ output }: Context, url: string) {
  let isSaid = false;
  return (attempt: Attempt) => {
    if (!isSaid) output.say(`${url} ${whyNot(attempt)}: trying again.`);
    isSaid = true;
  };
}

/** Why an attempt did not succeed, in words that stand behind the name of the service. */
export function whyNot(attempt: Attempt): string {
  if (attempt.answer !== undefined) return `answers ${attempt.answer.status}`;
  const { failure } = attempt;
  return failure instanceof TokenRefusal
    ? `gives no token (${failure.code})`
    : `does not answer (${reasonOf(failure)})`;
}

function reasonOf(failure: unknown): string {
  const { message, cause } = failure as Error;
  return cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : message;
}

/** What a call that got no answer means for the user. */
export function failureOfCall(error: unknown, url: string): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof TokenRefusal) {
    const { code } = error;
    const isPassing = repeatAfter({ failure: error }, 1) !== undefined;
    if (isPassing) return new Failure('outOfReach', `${url}: ${error.message}`, { code });
    const lines = ['  Was the key revoked, or is it one of another service? causeway login keeps another one.'];
    return new Failure('authentication', `${url}: ${error.message}`, { code, lines });
  }
  return outOfReach(error, url, reasonOf(error));
}

/** What a refusal of the service means for the user: its sentence, and its fields at fault below it. */
export function refusalOf(answer: Answer): Failure {
  const { request, requestId, status, body } = answer;
  const parsed = ErrorBody.safeParse(body);
  if (!parsed.success) {
    if (status === 413) return tooLargeForProxy(request);
    return new Failure(
      status >= 500 ? 'outOfReach' : 'unexpected',
      `${request} answered ${status}, and not from Causeway (request ${requestId}).`,
    );
  }
  const { code, detail, errors } = parsed.data;
  const lines = errors.filter(({ detail: own }) => own !== detail).map(({ attr, detail: own }) => `  ${attr}: ${own}`);
  // It has what the call would have answered.
  const cause = code === 'dry_run_rolled_back' ? body : undefined;
  return new Failure(endingOf(status), `${detail} (${code}, request ${requestId})`, { code, lines, cause });
}

export const TOO_LARGE_FOR_PROXY = 'a proxy in front of it takes no body of this size.';
export const RAISE_ITS_LIMIT = [
  '  Ask its operator to raise the limit to 11 MB, a little above MAX_BODY_BYTES of the service:',
  '  client_max_body_size in nginx, request_body max_size in Caddy (deploy/ has examples).',
];

/** The service's own refusal of a body says its limit. */
function tooLargeForProxy(request: string): Failure {
  const sentence = `${request} answered 413, and not from Causeway: ${TOO_LARGE_FOR_PROXY}`;
  return new Failure('usage', sentence, { code: 'payload_too_large', lines: RAISE_ITS_LIMIT });
}

function endingOf(status: number) {
  if (status === 401 || status === 403) return 'authentication';
  return status === 429 || status >= 500 ? 'outOfReach' : 'usage';
}

/** Words as they stand in a path of the interface. */
export function pathOf(...words: readonly string[]): string {
  return words.map((word) => `${encodeURIComponent(word)}/`).join('');
}

/** Nothing is known of the service, for this reason; a wrong address or an unknown certificate is one that the user can fix. */
export function outOfReach(error: unknown, url: string, reason: string): Failure {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof Redirected || at instanceof NotTheService)
      return new Failure('usage', `${at.message}.`, { cause: error });
  }
  const certificate = untrustedCertificate(error);
  if (certificate === undefined)
    return new Failure('outOfReach', `${url} is out of reach: ${reason}.`, { cause: error });
  const { code, message } = certificate;
  if (code === NO_TLS) {
    return new Failure('usage', `${url} does not speak HTTPS: use the address of the service.`, { cause: error });
  }
  const sentence = `${url} has a certificate that cannot be verified: ${message} (${code}).`;
  const lines = [
    '  If it is of an authority of your own, set NODE_EXTRA_CA_CERTS to the file of its certificate and run the command',
    '  again. Otherwise tell the people who run the service, or look whether the address is right: nothing was sent there.',
  ];
  return new Failure('outOfReach', sentence, { lines, cause: error });
}
