import type { Transaction } from '@causeway/contracts';
import { addDays, daysBetween, inWords } from './calendar.ts';
import { poundsOf } from './money.ts';
import type { Random } from './random.ts';
import type { Occupation } from './supply.ts';
import { sampleSupplyCharge } from './supply-charges.ts';

/** The days from the one after the last bill to the book's own: transactions outside are moved inside, or refused. */
interface OpenPeriod {
  from: string;
  to: string;
}

export interface Ledger {
  externalAccountNumber: string;
  period: OpenPeriod;
  occupation: Occupation;
  isBusiness: boolean;
  /** Collected each month by direct debit; 0 where the customer pays by hand. */
  monthlyPence: number;
}

type Entry = Transaction extends infer One ? (One extends unknown ? Omit<One, 'transaction_id'> : never) : never;

const CHARGES = [
  { reason: 'IMPORTED_CHARGE', display_note: 'Paper bills', pence: 150 },
  { reason: 'IMPORTED_CHARGE', display_note: 'Late payment', pence: 1_200 },
  { reason: 'IMPORTED_CHARGE', display_note: 'Missed engineer appointment', pence: 3_000 },
  { reason: 'IMPORTED_CHARGE', display_note: 'Special meter reading', pence: 4_875 },
];
const CREDITS = [
  { reason: 'GENERAL_CREDIT', display_note: 'Goodwill for a missed call back', pence: 2_500 },
  { reason: 'IMPORTED_CREDIT', display_note: 'Warm Home Discount', pence: 15_000 },
  { reason: 'IMPORTED_CREDIT', display_note: 'Guaranteed standards payment', pence: 4_000 },
  { reason: 'GENERAL_CREDIT', display_note: 'Friend referral', pence: 5_000 },
];

/**
 * The transactions of an account's open period, oldest first. About one account in twelve has an earlier one among
 * them.
 */
export function sampleTransactions(random: Random, ledger: Ledger): Transaction[] {
  const entries = [
    ...samplePayments(random, ledger),
    ...sampleSupplyEntries(random, ledger),
    ...sampleAdjustments(random, ledger),
    ...(random.chance(0.08) ? [earlyPayment(random, ledger)] : []),
  ];
  entries.sort((one, other) => daysBetween(other.transaction_date, one.transaction_date));
  return entries.map((entry, position) => ({
    transaction_id: `${ledger.externalAccountNumber}-T${String(position + 1).padStart(3, '0')}`,
    ...entry,
  }));
}

/** A payment taken before the open period began, found late: the service moves its date and says so. */
function earlyPayment(random: Random, { period, externalAccountNumber }: Ledger): Entry {
  return {
    type: 'PAYMENT',
    transaction_date: addDays(period.from, -random.between(3, 25)),
    amount: poundsOf(random.between(2_000, 18_000)),
    reason: 'ACCOUNT_CHARGE_PAYMENT',
    payment_type: 'DIRECT_CREDIT',
    reference: `FPS ${externalAccountNumber}`,
    note: 'Found in the suspense account after the last bill.',
  };
}

function samplePayments(random: Random, { period, monthlyPence, externalAccountNumber }: Ledger): Entry[] {
  if (monthlyPence === 0) return random.chance(0.7) ? [cardPayment(random, period)] : [];
  const entries: Entry[] = [];
  for (let day = addDays(period.from, random.between(0, 6)); day <= period.to; day = addDays(day, 30)) {
    entries.push({
      type: 'PAYMENT',
      transaction_date: day,
      amount: poundsOf(monthlyPence),
      reason: 'ACCOUNT_CHARGE_PAYMENT',
      payment_type: 'DD_REGULAR_COLLECTION',
      reference: `DD${externalAccountNumber}`,
    });
  }
  return entries;
}

function cardPayment(random: Random, period: OpenPeriod): Entry {
  return {
    type: 'PAYMENT',
    transaction_date: dayIn(random, period),
    amount: poundsOf(random.between(1_500, 42_050)),
    reason: 'ACCOUNT_CHARGE_PAYMENT',
    payment_type: 'DEBIT_CARD',
    reference: `CARD-${random.digits(8)}`,
  };
}

function sampleSupplyEntries(random: Random, { period, occupation, isBusiness }: Ledger): Entry[] {
  return [...occupation.tariffs.values()].flatMap((tariff) => {
    const entries: Entry[] = [];
    let from = period.from;
    for (let to = addDays(from, 13); to <= period.to; to = addDays(from, 13)) {
      const consumption = { from, to, usePercent: occupation.usePercent, vatPercent: isBusiness ? 20 : 5, tariff };
      const display_note = `${tariff.fuel === 'GAS' ? 'Gas' : 'Electricity'} from ${inWords(from)} to ${inWords(to)}`;
      entries.push({
        type: 'SUPPLY_CHARGE',
        transaction_date: to,
        ...sampleSupplyCharge(random, consumption),
        display_note,
      });
      from = addDays(to, 1);
    }
    return entries;
  });
}

function sampleAdjustments(random: Random, { period }: Ledger): Entry[] {
  const charges = random.pickSome(CHARGES, random.between(0, 2)).map(({ pence, ...rest }): Entry => {
    return { type: 'CHARGE', transaction_date: dayIn(random, period), amount: poundsOf(pence), ...rest };
  });
  const credits = random.pickSome(CREDITS, random.between(0, 2)).map(({ pence, ...rest }): Entry => {
    return { type: 'CREDIT', transaction_date: dayIn(random, period), amount: poundsOf(pence), ...rest };
  });
  const refund: Entry = {
    type: 'REPAYMENT',
    transaction_date: dayIn(random, period),
    amount: poundsOf(random.between(1_000, 30_000)),
    reason: 'FULL_CREDIT_REFUND',
    payment_type: 'DIRECT_CREDIT',
    reference: `REFUND-${random.digits(6)}`,
  };
  const correction: Entry = {
    type: 'CHARGE',
    transaction_date: dayIn(random, period),
    amount: poundsOf(-random.between(50, 999)),
    reason: 'IMPORTED_CHARGE',
    note: 'Takes back a rounding error of the old billing run.',
  };
  return [
    ...charges,
    ...credits,
    ...(random.chance(0.12) ? [refund] : []),
    ...(random.chance(0.05) ? [correction] : []),
  ];
}

function dayIn(random: Random, period: OpenPeriod): string {
  return addDays(period.from, random.between(0, daysBetween(period.from, period.to)));
}
