import { moneyText } from '@causeway/contracts';
import { type AccountKind, type PaymentPlan, sampleAccountPayload } from './account-payload.ts';
import { addDays } from './calendar.ts';
import { CARRIED, carriedAccount } from './carried-accounts.ts';
import { FAULTS, VENDOR_FAILURES, type VendorFailure } from './faults.ts';
import { sampleNotes } from './notes.ts';
import { createRandom, type Random } from './random.ts';
import type { BookOptions, SampleAccount } from './sample-account.ts';
import { sampleStatements } from './statements.ts';
import { sampleOccupation } from './supply.ts';
import { sampleTransactions } from './transactions.ts';

/** The same accounts for the same options; a book of fewer accounts is the beginning of one of more. */
export function sampleBook(options: BookOptions): SampleAccount[] {
  return [...sampleAccounts(options)];
}

/** The same, one after the other: a large book need not be in memory. */
export function* sampleAccounts(options: BookOptions): Generator<SampleAccount> {
  for (let position = 0; position < options.accounts; position += 1) {
    const carried = options.isPlain ? undefined : CARRIED.get(position);
    yield carried ? carriedAccount(carried, options, position) : sampleAccount(options, position);
  }
}

function sampleAccount(options: BookOptions, position: number): SampleAccount {
  const { seed, importSupplier, bookDate, isPlain } = options;
  const random = createRandom(`${seed}/${position}`);
  const externalAccountNumber = `HV-${400_000 + position * 37 + random.between(0, 36)}`;
  const fault = isPlain ? undefined : FAULTS.get(position);
  const kind = fault ? 'DOMESTIC' : sampleKind(random);
  const lastBilledTo = addDays(bookDate, -random.between(18, 70));
  const occupation = sampleOccupation(random, lastBilledTo, kind === 'BUSINESS');
  const plan = samplePlan(random, kind);
  const outline = { importSupplier, externalAccountNumber, bookDate, kind, occupation, plan };
  const payload = sampleAccountPayload(random, outline);
  const period = { from: addDays(lastBilledTo, 1), to: addDays(bookDate, -2) };
  const ledger = { externalAccountNumber, period, occupation, isBusiness: kind === 'BUSINESS', ...plan };
  return {
    externalAccountNumber,
    payload: fault?.kind === 'payload' ? fault.spoil(payload) : payload,
    transferBalance: moneyText(payload.transfer_balance ?? 0),
    ...(fault?.kind === 'skipped' && { skipReason: fault.reason }),
    notes: sampleNotes(random, externalAccountNumber, bookDate),
    transactions: sampleTransactions(random, ledger),
    statements: sampleStatements(random, externalAccountNumber, occupation),
    ...paymentInstructionOf(random, plan, isPlain ? undefined : VENDOR_FAILURES.get(position)),
    ...(fault && { expectedRefusal: fault.code }),
    isCarried: false,
  };
}

function sampleKind(random: Random): AccountKind {
  const roll = random.between(1, 100);
  if (roll <= 16) return 'BUSINESS';
  if (roll <= 23) return 'LANDLORD';
  return roll <= 28 ? 'UNKNOWN_OCCUPIER' : 'DOMESTIC';
}

function samplePlan(random: Random, kind: AccountKind): PaymentPlan {
  if (kind === 'UNKNOWN_OCCUPIER') return { means: 'PAYMENT_SLIP', monthlyPence: 0 };
  const means = random.pick(['DD', 'DD', 'DD', 'CARD', 'MANUAL'] as const);
  const monthlyPence = kind === 'BUSINESS' ? random.between(9_000, 90_000) : random.between(4_200, 21_500);
  return { means, monthlyPence: means === 'DD' ? monthlyPence : 0 };
}

function paymentInstructionOf(random: Random, plan: PaymentPlan, failure: VendorFailure | undefined) {
  if (plan.means !== 'CARD' && !failure) return {};
  const reference = `${failure?.prefix ?? 'pm_ok'}_${random.digits(12)}`;
  return {
    paymentInstruction: { vendor: 'SANDBOX', reference, type: 'CARD' },
    ...(failure && { expectedInstructionRefusal: failure.code }),
  };
}
