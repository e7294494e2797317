import { type RealisticBook, TIME_OF_BOOKS } from './realistic-book.ts';

const DAY_IN_MS = 86_400_000;
const DATE = /^\d{4}-\d\d-\d\d(?=$|T\d\d:\d\d:\d\dZ$)/;
const dayNumberOf = (date: string) => Date.parse(date.slice(0, 'YYYY-MM-DD'.length)) / DAY_IN_MS;

/** The same book as if it had been written on another day: all of its dates lie as far from that one. */
export function bookAsOf(book: RealisticBook, date: string): RealisticBook {
  const days = dayNumberOf(date) - dayNumberOf(TIME_OF_BOOKS);
  const { account, stored } = book;
  return { ...book, account: moved(account, days), ...(stored && { stored: moved(stored, days) }) };
}

function moved<Value>(value: Value, days: number): Value {
  return JSON.parse(JSON.stringify(value), (_name, one) => (typeof one === 'string' ? movedText(one, days) : one));
}

function movedText(text: string, days: number): string {
  return text.replace(DATE, (date) => new Date((dayNumberOf(date) + days) * DAY_IN_MS).toISOString().slice(0, 10));
}
