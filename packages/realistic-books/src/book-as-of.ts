import { type RealisticBook, TIME_OF_BOOKS } from './realistic-book.ts';
import { addDays, daysBetween } from './sample/calendar.ts';

const DATE = /^\d{4}-\d\d-\d\d(?=$|T\d\d:\d\d:\d\dZ$)/;
const DAY_OF_BOOKS = TIME_OF_BOOKS.slice(0, 'YYYY-MM-DD'.length);

/** The same book as if it had been written on another day: all of its dates lie as far from that one. */
export function bookAsOf(book: RealisticBook, date: string): RealisticBook {
  const days = daysBetween(DAY_OF_BOOKS, date);
  const { account, stored } = book;
  return { ...book, account: moved(account, days), ...(stored && { stored: moved(stored, days) }) };
}

function moved<Value>(value: Value, days: number): Value {
  return JSON.parse(JSON.stringify(value), (_name, one) =>
    typeof one === 'string' ? one.replace(DATE, (date) => addDays(date, days)) : one,
  );
}
