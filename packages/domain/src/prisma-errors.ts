import { Prisma } from '@causeway/db';

const FOREIGN_KEY_VIOLATION = 'P2003';
const NOTHING_TO_UPDATE = 'P2025';

/** Whether Prisma's write named a row of another table that does not exist. */
export function isUnknownReference(error: unknown): boolean {
  return isPrismaError(error, FOREIGN_KEY_VIOLATION);
}

/** Whether Prisma's update found no row. */
export function isNothingToUpdate(error: unknown): boolean {
  return isPrismaError(error, NOTHING_TO_UPDATE);
}

function isPrismaError(error: unknown, code: string): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === code;
}
