import type { Statement } from '@causeway/contracts';
import { addDays } from './calendar.ts';
import { poundsOf } from './money.ts';
import type { Random } from './random.ts';
import type { Occupation } from './supply.ts';
import { costOf, dailyUse } from './tariffs.ts';

/** Six to twelve monthly statements without a gap, oldest first; the last one ends on the last billed day. */
export function sampleStatements(random: Random, externalAccountNumber: string, occupation: Occupation): Statement[] {
  const statements: Statement[] = [];
  let to = occupation.lastBilledTo;
  for (let left = random.between(6, 12); left > 0; left -= 1) {
    const days = random.between(28, 33);
    const from = addDays(to, 1 - days);
    const number = `${externalAccountNumber}/${String(left).padStart(2, '0')}`;
    statements.unshift({
      bill_period_from_date: from,
      bill_period_to_date: to,
      statement_id: `${externalAccountNumber}-S${String(left).padStart(2, '0')}`,
      issued_date: addDays(to, random.between(1, 5)),
      number,
      gross_amount: poundsOf(grossPence(random, occupation, { from, days })),
      ...(random.chance(0.95) && { statement_path: `statements/${to.slice(0, 4)}/${externalAccountNumber}/${to}.pdf` }),
    });
    to = addDays(from, -1);
  }
  return statements;
}

function grossPence(random: Random, occupation: Occupation, { from, days }: { from: string; days: number }): number {
  let pence = random.chance(0.05) ? 1_200 : 0;
  for (const tariff of occupation.tariffs.values()) {
    const usedTenths = dailyUse(tariff.fuel, from, occupation.usePercent) * days;
    pence += costOf(usedTenths, tariff.unitPrice) + costOf(days * 10, tariff.standingCharge);
  }
  return Math.round((pence * 105) / 100);
}
