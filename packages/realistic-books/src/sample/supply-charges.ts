import { addDays, daysBetween } from './calendar.ts';
import { poundsOf, sumOf } from './money.ts';
import type { Random } from './random.ts';
import { costOf, dailyUse, type Tariff } from './tariffs.ts';

/** Energy used between two days, both included. */
export interface Consumption {
  from: string;
  to: string;
  usePercent: number;
  vatPercent: number;
  tariff: Tariff;
}

/**
 * What energy cost over a period: the net amounts of the line items and the VAT on their sum make the amount, to the
 * penny (behaviour 2.5). Wire fields, in pounds.
 */
export function sampleSupplyCharge(random: Random, consumption: Consumption) {
  const { from, to, tariff, vatPercent } = consumption;
  const weeklyTenths = sampleWeeklyTenths(random, consumption);
  const usedTenths = sumOf(weeklyTenths);
  const days = daysBetween(from, to) + 1;
  const period = { start_date: from, end_date: to };
  const energyPence = costOf(usedTenths, tariff.unitPrice);
  const standingPence = costOf(days * 10, tariff.standingCharge);
  const netPence = energyPence + standingPence;
  const vatPence = Math.round((netPence * vatPercent) / 100);
  return {
    amount: poundsOf(netPence + vatPence),
    product_code: tariff.code,
    line_items: [
      {
        rate_band: 'CONSUMPTION_STANDARD',
        ...period,
        number_of_units: usedTenths / 10,
        net_amount: poundsOf(energyPence),
        price_per_unit: tariff.unitPrice / 10_000,
        units: weeklyTenths.map((tenths) => tenths / 10),
      },
      {
        rate_band: 'STANDING_CHARGE',
        ...period,
        number_of_units: days,
        net_amount: poundsOf(standingPence),
        price_per_unit: tariff.standingCharge / 10_000,
      },
    ],
    tax_items: [
      {
        amount: poundsOf(vatPence),
        tax_type: 'VAT',
        value_taxed: poundsOf(netPence),
        rate: vatPercent / 100,
        unit_type: 'PROPORTION',
      },
    ],
  };
}

function sampleWeeklyTenths(random: Random, { from, to, usePercent, tariff }: Consumption): number[] {
  const tenths: number[] = [];
  for (let start = from; start <= to; start = addDays(start, 7)) {
    const days = Math.min(7, daysBetween(start, to) + 1);
    tenths.push(Math.round((dailyUse(tariff.fuel, start, usePercent) * days * random.between(85, 118)) / 100));
  }
  return tenths;
}
