export type Fuel = 'ELECTRICITY' | 'GAS';

/** Prices in hundredths of a penny, so that they stay whole numbers. */
export interface Tariff {
  code: string;
  fuel: Fuel;
  unitPrice: number;
  standingCharge: number;
}

export const TARIFFS: readonly Tariff[] = [
  { code: 'HV-FLEX-ELEC', fuel: 'ELECTRICITY', unitPrice: 2_486, standingCharge: 5_380 },
  { code: 'HV-FIX24-ELEC', fuel: 'ELECTRICITY', unitPrice: 2_319, standingCharge: 5_125 },
  { code: 'HV-GREEN-ELEC', fuel: 'ELECTRICITY', unitPrice: 2_604, standingCharge: 4_790 },
  { code: 'HV-FLEX-GAS', fuel: 'GAS', unitPrice: 629, standingCharge: 3_165 },
  { code: 'HV-FIX24-GAS', fuel: 'GAS', unitPrice: 574, standingCharge: 2_990 },
];

// Tenths of a kilowatt-hour a day in a home, January first.
const DAILY_USE: Record<Fuel, readonly number[]> = {
  ELECTRICITY: [118, 112, 98, 86, 78, 70, 68, 70, 78, 90, 104, 120],
  GAS: [720, 680, 520, 330, 180, 90, 70, 70, 140, 320, 540, 700],
};

/** Use of a home on a day of the year of `date`, in tenths of a kilowatt-hour, before `percent` scales it. */
export function dailyUse(fuel: Fuel, date: string, percent: number): number {
  const use = DAILY_USE[fuel][Number(date.slice(5, 7)) - 1] ?? 0;
  return Math.round((use * percent) / 100);
}

/** What `tenthsOfUnits` cost in whole pence at a price in hundredths of a penny. */
export function costOf(tenthsOfUnits: number, price: number): number {
  return Math.round((tenthsOfUnits * price) / 1_000);
}
