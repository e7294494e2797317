import { BUSINESS_PORTFOLIO } from './business-portfolio.ts';
import { DUAL_FUEL } from './dual-fuel.ts';
import { EMPTY_VALUES } from './empty-values.ts';
import { HALF_HOURLY } from './half-hourly.ts';
import { AUSTRALIAN, GERMAN } from './other-countries.ts';
import { PREPAY_WITH_DEBT } from './prepay-with-debt.ts';
import type { RealisticBook } from './realistic-book.ts';
import { SOLAR_COMPANY } from './solar-company.ts';

/** What real suppliers send, one of each kind. */
export const REALISTIC_BOOKS: readonly RealisticBook[] = [
  DUAL_FUEL,
  PREPAY_WITH_DEBT,
  BUSINESS_PORTFOLIO,
  AUSTRALIAN,
  GERMAN,
  EMPTY_VALUES,
  HALF_HOURLY,
  SOLAR_COMPANY,
];

export { bookAsOf } from './book-as-of.ts';
export { type ExpectedReadBack, expectedReadBack, historyOf } from './expected-read-back.ts';
export { type RealisticBook, TIME_OF_BOOKS } from './realistic-book.ts';
export { NEEDED_SETTINGS } from './sample/carried-accounts.ts';
export { decimalOf, penceOf, sumOf } from './sample/money.ts';
export type { BookOptions, SampleAccount } from './sample/sample-account.ts';
export { sampleAccounts, sampleBook } from './sample/sample-book.ts';
export { sampleLine } from './sample/sample-line.ts';
export { mpanOf, mprnOf } from './sample/supply.ts';
