import { counted, grouped } from '../terminal/numbers.ts';

type Counts = ReadonlyMap<string, number>;

/** Counts some more of a name; without a name nothing. */
export function addCount(counts: Map<string, number>, name: unknown, more = 1): void {
  if (typeof name === 'string') counts.set(name, (counts.get(name) ?? 0) + more);
}

/** `GB (560), IE (74)`. */
const said = (counts: Counts) => [...counts].map(([name, count]) => `${name} (${grouped(count)})`).join(', ');

/** That there are accounts of several import suppliers; nothing where there is one. */
export function severalSuppliers(suppliers: Counts): string[] {
  if (suppliers.size < 2) return [];
  return [
    `Accounts of ${counted(suppliers.size, 'import supplier')}: ${said(suppliers)}. A book is for one: the lines of all others would be refused.`,
  ];
}

/** The countries of the euro. */
const EURO = 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' ');
const CURRENCIES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(EURO.map((country) => [country, 'EUR'])),
  ...{ GB: 'GBP', AU: 'AUD', NZ: 'NZD', US: 'USD', CA: 'CAD', JP: 'JPY' },
  ...{ CH: 'CHF', DK: 'DKK', NO: 'NOK', SE: 'SEK', PL: 'PLN', CZ: 'CZK', HU: 'HUF', RO: 'RON' },
};

/**
 * That statements are in several currencies, or in another one than that of the country; nothing where neither is so.
 * Amounts carry no currency of their own, and sums add them all.
 */
export function severalCurrencies(currencies: Counts, country: string | undefined): string[] {
  const own = CURRENCIES[country ?? ''];
  if (currencies.size > 1)
    return [
      `Statements are in ${said(currencies)}. An import supplier has one country and one currency, so that sums add unlike amounts: give each country an import_supplier of its own, and make a book of each (convert --only-supplier).`,
    ];
  if (currencies.size === 0 || own === undefined || currencies.has(own)) return [];
  return [`Statements are in ${said(currencies)}, but the currency of ${country} is ${own}: correct one of them.`];
}
