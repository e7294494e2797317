import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to one request of a procedure, in its turn: an answer, a connection that is cut, or nothing. */
export type Turn =
  | { status: number; body: unknown; headers?: Record<string, string> }
  | 'cut'
  | 'cut in the body'
  | 'hang';

export interface ScriptedService {
  url: string;
  /** The requests of procedures so far, with their tokens. */
  requests: { path: string; token: string | undefined }[];
  /** How many of them were under way at once, at most. */
  most(): number;
  close(): Promise<void>;
}

/** What tRPC answers to one call, outside a batch. */
export const answered = (data: unknown): Turn => ({ status: 200, body: { result: { data } } });

interface RefusedOptions {
  headers?: Record<string, string>;
  begun?: false;
}

/** A refusal as the service answers it; in a batch it is its one call's. */
export function refused(status: number, code: string, { headers = {}, ...more }: RefusedOptions = {}): Turn {
  const error = { detail: 'No.', code, errors: [], documentation_url: `/docs/errors#${code}` };
  return {
    status,
    headers,
    body: { error: { message: 'No.', code: -32603, data: { code, httpStatus: status, error, ...more } } },
  };
}

/**
 * A service that does what it is told, one turn for each request; the last turn is for all that follow. It begins when
 * `meeting` requests have come.
 */
export async function startScriptedService(turns: readonly Turn[], meeting = 1): Promise<ScriptedService> {
  const requests: ScriptedService['requests'] = [];
  const waiting: (() => void)[] = [];
  let tokens = 0;
  let running = 0;
  let most = 0;
  const server = createServer((request, response) => {
    request.resume();
    if (request.url === '/v1/graphql/') {
      tokens += 1;
      const payload = { iat: 0, exp: 3_600 };
      const data = { obtainToken: { token: `T-${tokens}`, payload, refreshToken: 'R' } };
      return void response.end(JSON.stringify({ data }));
    }
    running += 1;
    most = Math.max(most, running);
    response.once('close', () => {
      running -= 1;
    });
    const turn = turns[Math.min(requests.length, turns.length - 1)] ?? 'cut';
    const path = new URL(request.url ?? '', 'http://x').pathname;
    requests.push({ path, token: request.headers.authorization });
    waiting.push(() => take(turn, response, request.url?.includes('batch=1') === true));
    if (requests.length >= meeting) for (const answer of waiting.splice(0)) answer();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    most: () => most,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function take(turn: Turn, response: ServerResponse, isBatch: boolean): void {
  if (turn === 'hang') return;
  if (turn === 'cut') return void response.destroy();
  if (turn === 'cut in the body') {
    response.writeHead(200, { 'Content-Length': '100' });
    response.write('[{"result":', () => response.destroy());
    return;
  }
  response.writeHead(turn.status, { 'Content-Type': 'application/json', ...turn.headers });
  response.end(JSON.stringify(isBatch ? [turn.body] : turn.body));
}
