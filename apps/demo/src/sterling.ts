import { decimalOf } from '@causeway/realistic-books';

/** An amount for people: 1234567 pence become "£12,345.67". */
export function asSterling(pence: number): string {
  const [pounds = '', fraction] = decimalOf(Math.abs(pence)).split('.');
  return `${pence < 0 ? '-' : ''}£${pounds.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction}`;
}
