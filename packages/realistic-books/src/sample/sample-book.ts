import { moneyText, type Note } from '@causeway/contracts';
import { type AccountKind, type PaymentPlan, sampleAccountPayload } from './account-payload.ts';
import { addDays } from './calendar.ts';
import { CARRIED, carriedAccount } from './carried-accounts.ts';
import { FAULTS, VENDOR_FAILURES, type VendorFailure } from './faults.ts';
import { createRandom, type Random } from './random.ts';
import type { BookOptions, SampleAccount } from './sample-account.ts';
import { sampleStatements } from './statements.ts';
import { sampleOccupation } from './supply.ts';
import { sampleTransactions } from './transactions.ts';

const BODIES = [
  'Meter is in the locked cupboard under the stairs; the caretaker has the key.',
  'Prefers calls after 17:00; works nights at the infirmary.',
  'Dog in the back garden. Please ring before reading the gas meter.',
  'Opened the account over the phone, identity checked against the tenancy agreement.',
  'Asked for bills in Welsh from now on.\nLlythyrau yn Gymraeg os gwelwch yn dda.',
  'Disputed the estimated reading of last winter; rebilled from the photograph sent in.',
  'Daughter (power of attorney) may speak for the account holder: see the attached form.',
  'Direct debit reviewed after the tariff change; customer agreed to the new amount.',
  'Solar panels since 2021, export is paid by another supplier.',
  'Access code for the meter room is with the site office, extension 4.',
  'Complaint closed: engineer did not turn up, £30 paid under the guaranteed standards.',
  'Moved in before the sale completed; the seller settled everything up to that day.',
  'Smart meter lost its signal twice this year, readings by hand in the meantime.',
  'Payment plan of 12 instalments finished, no arrears left.',
  'Customer is hard of hearing; please write rather than call.',
  'Sells home-made crème brûlée from the front room: check whether this is business use.',
];
const PINNED = [
  'PINNED: oxygen concentrator on site. Never disconnect.',
  'PINNED: speak to the letting agent only, the owner lives abroad.',
  'PINNED: open complaint with the ombudsman, answer within the deadline.',
];
const DOCUMENTS = ['tenancy-agreement.pdf', 'meter-photograph.jpg', 'power-of-attorney.pdf', 'complaint-letter.pdf'];

/**
 * Two or three notes with different bodies; some have documents, a few are pinned, some leave `created_at` to the
 * service.
 */
function sampleNotes(random: Random, externalAccountNumber: string, bookDate: string): Note[] {
  const notes: Note[] = random.pickSome(BODIES, random.between(1, 2)).map((body) => ({
    body,
    ...(random.chance(0.8) && { created_at: sampleMoment(random, addDays(bookDate, -random.between(30, 900))) }),
    ...(random.chance(0.25) && { document_paths: [sampleDocument(random, externalAccountNumber)] }),
  }));
  notes.push(sampleLastNote(random, externalAccountNumber, bookDate));
  return notes;
}

function sampleLastNote(random: Random, externalAccountNumber: string, bookDate: string): Note {
  const roll = random.between(1, 10);
  if (roll === 1) return pinnedNote(random, bookDate);
  if (roll === 2) return { document_paths: [sampleDocument(random, externalAccountNumber)] };
  return { body: `Migrated from Harbour & Vale Energy, account ${externalAccountNumber}.` };
}

function pinnedNote(random: Random, bookDate: string): Note {
  return {
    body: random.pick(PINNED),
    created_at: sampleMoment(random, addDays(bookDate, -random.between(3, 60))),
    is_pinned: true,
    ...(random.chance(0.5) && { unpin_at: `${addDays(bookDate, random.between(30, 365))}T00:00:00Z` }),
  };
}

function sampleDocument(random: Random, externalAccountNumber: string) {
  return { document_path: `documents/${externalAccountNumber}/${random.pick(DOCUMENTS)}` };
}

function sampleMoment(random: Random, date: string): string {
  const twoDigits = (most: number) => String(random.between(0, most)).padStart(2, '0');
  return `${date}T${String(random.between(8, 18)).padStart(2, '0')}:${twoDigits(59)}:${twoDigits(59)}Z`;
}

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
    payload: fault?.spoil?.(payload) ?? payload,
    transferBalance: moneyText(payload.transfer_balance ?? 0),
    ...(fault?.skipReason !== undefined && { skipReason: fault.skipReason }),
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
