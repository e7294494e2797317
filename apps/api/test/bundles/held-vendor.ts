import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A payment vendor that answers when the test lets it, or at once with a status. */
export interface HeldVendor {
  /** What PAYMENT_VENDORS takes: the vendor WATCHED. */
  settings: Record<string, string>;
  /** Every reference it was asked about. */
  asked: string[];
  /** Called for each question before it is answered. */
  onAsked: (reference: string) => Promise<void>;
  close(): void;
}

/** References that begin with three digits are answered with that status, all others with an active instruction. */
export async function startHeldVendor(): Promise<HeldVendor> {
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://vendor');
    const reference = decodeURIComponent(/instructions\/(.*)/.exec(pathname)?.[1] ?? '');
    vendor.asked.push(reference);
    await vendor.onAsked(reference);
    const status = /^\d{3}/.exec(reference)?.[0];
    response.statusCode = Number(status ?? 200);
    response.end(
      JSON.stringify({ reference, type: searchParams.get('type'), status: 'ACTIVE', details: { last4: '4242' } }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const vendor: HeldVendor = {
    settings: { name: 'WATCHED', kind: 'http', base_url: `http://127.0.0.1:${port}`, secret: 'watched-secret' },
    asked: [],
    onAsked: () => Promise.resolve(),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return vendor;
}
