import { afterAll, beforeAll, expect, test } from 'vitest';
import { revoke } from '../graphql/api-keys.ts';
import { openSocket, requestHead } from '../operations/raw-sockets.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** Longer than the service goes by what it knew when the head came. */
const LATE_MS = 6_000;

test.each(['/v1/data-import/account-import-process/create-or-update/', '/trpc/dataImport.stageAccount'])(
  '5.4 a key that is revoked while the body of a request arrives has no effect: %s',
  async (path) => {
    const supplier = await service.createSupplier();
    const body = JSON.stringify(supplier.account());
    const socket = await openSocket(service.url);
    const headers = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body) + 100) };
    socket.write(requestHead(`POST ${path}`, { Authorization: `Token ${supplier.token}`, ...headers }) + body);
    const { prisma } = service.database;
    const key = await prisma.apiKey.findFirstOrThrow({ where: { organisation_id: supplier.organisationId } });
    await revoke(service.database, key.id);
    const startedAt = performance.now();
    let sent = 0;
    // A client on a slow line: white space, now and then.
    while (performance.now() - startedAt < LATE_MS) {
      await fetch(`${service.url}/healthz`);
      if (sent < 99 && performance.now() - startedAt > (sent * LATE_MS) / 99) {
        socket.write(' ');
        sent += 1;
      }
    }
    socket.write(' '.repeat(100 - sent));
    expect(await socket.read(/\r\n\r\n.*\}$/s)).toMatch(/^HTTP\/1\.1 401 /);
    expect(await prisma.accountImport.count({ where: { import_supplier_code: supplier.code } })).toBe(0);
    socket.destroy();
  },
);
