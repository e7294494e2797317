import { ACCOUNT_DEFECTS } from './defects/accounts.ts';
import { BOOK_DEFECTS } from './defects/books.ts';
import { CALLER_DEFECTS } from './defects/callers.ts';
import { FAULT_DEFECTS } from './defects/faults.ts';

/** Every planted defect: `torture --defects` tries them all. */
export const DEFECTS = [...ACCOUNT_DEFECTS, ...FAULT_DEFECTS, ...CALLER_DEFECTS, ...BOOK_DEFECTS];
