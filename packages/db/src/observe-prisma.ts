import type { PrismaClient } from './generated/client.ts';
import type { StatementObserver } from './run-transaction.ts';

/** `findMany` of `ApiKey`: `prisma-find-many-api-key`. */
const titleOf = (operation: string, model = ''): string =>
  `prisma-${operation.replace('$', '')}${model}`.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * The same client, which tells of each operation: one statement, or a few. Its time includes the wait for a connection
 * and, in a batch, for the others. It is told where it is called: what Prisma sends later is often sent for several
 * callers at once.
 */
export function observedPrisma(prisma: PrismaClient, observer: StatementObserver): PrismaClient {
  const observed = prisma.$extends({
    query: {
      async $allOperations({ model, operation, args, query }) {
        const over = observer.sent(titleOf(operation, model));
        let failed = true;
        try {
          const result: unknown = await query(args);
          failed = false;
          return result;
        } finally {
          over(failed);
        }
      },
    },
  });
  // An extended client lacks only `$on`, which nothing here uses.
  return observed as unknown as PrismaClient;
}
