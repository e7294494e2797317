import {
  type AccountHistory,
  type AccountPayload,
  type AccountPaymentInstruction,
  historyOfAccount,
  type ImportOperation,
  type Sent,
} from '@causeway/contracts';
import { askInTurn, configuredVendor } from '../payment-vendors/ask-in-turn.ts';
import type { Context } from '../shared/context.ts';
import { dayIn, utcDatetime } from '../shared/dates.ts';
import { type PaymentInstructionDetails, VendorRejected } from '../shared/payment-vendor.ts';
import { type BundleRows, decideBundle, type TransactionOptions } from './decide-bundle.ts';

/** The history that a staged payload carries, as it was read. */
export interface CarriedHistory {
  /** Tells a later staging from this one. */
  times_staged: number;
  /** JSON. */
  text: string;
}

/** A history that was decided, ready to be written with its account. */
export interface Bundle extends BundleRows {
  times_staged: number;
  /**
   * The day on which it was decided: the account opens its statement period on it, whenever the vendor has answered.
   */
  today: string;
  last_statement_balance: number | string | null;
  payment_instructions: Record<string, unknown>[];
  /** The imports that need not be sent any more: their earlier refusals are resolved. */
  carried: ImportOperation[];
}

// Reading and deciding more takes milliseconds: others come first.
const LARGE_HISTORY_CHARACTERS = 16_384;

/** A decided history; the vendors have not been asked for the instructions, if there are any. */
export interface DecidedHistory {
  bundle: Bundle;
  instructions: Sent<AccountPaymentInstruction>[];
}

/**
 * Decides what the account is created with besides its own rows (behaviour 4.17): the rules first, then the payment
 * vendors confirm the instructions, while no transaction is open. Refuses as the separate imports do.
 */
export async function prepareBundle(context: Context, carried: CarriedHistory): Promise<Bundle> {
  return confirmed(context, await decideHistory(context, carried));
}

/** The history with the answers of the payment vendors, who are asked unless there is no instruction. */
export async function confirmed(context: Context, { bundle, instructions }: DecidedHistory): Promise<Bundle> {
  if (instructions.length === 0) return bundle;
  const details = await confirmInstructions(context, instructions);
  const events = instructions.map(({ sent: { vendor } }) => ({
    action: 'payment_instruction_imported',
    detail: { vendor },
  }));
  const payment_instructions = instructions.map(({ sent }, index) => ({ ...sent, details: details[index] }));
  return { ...bundle, payment_instructions, events: [...bundle.events, ...events] };
}

/** What the rules alone decide. Refuses as the separate imports do. */
export async function decideHistory(context: Context, { times_staged, text }: CarriedHistory): Promise<DecidedHistory> {
  if (text.length > LARGE_HISTORY_CHARACTERS) await context.waitForTurn?.();
  return decideCarried(context, JSON.parse(text), { times_staged });
}

/** Which staging of a payload is decided, and how its open transactions are to be added. */
export interface Decided {
  times_staged: number;
  asked?: TransactionOptions | undefined;
}

/** The same of a payload, or of as much of it as its history depends on. */
export function decideCarried(
  context: Context,
  payload: Partial<AccountPayload>,
  { times_staged, asked }: Decided,
): DecidedHistory {
  const instant = context.clock();
  const today = dayIn(context.timeZone, instant);
  const rows = decideBundle(payload, { today, now: utcDatetime(instant) }, asked);
  const history = historyOfAccount(payload);
  const { payment_instructions: instructions, last_statement_balance = null } = history;
  const carried = carriedBy(history);
  return {
    bundle: { ...rows, times_staged, today, last_statement_balance, payment_instructions: [], carried },
    instructions,
  };
}

/** An empty list carries nothing: an import of none is refused too. */
function carriedBy(history: AccountHistory): ImportOperation[] {
  const { notes, transactions, historical_transactions, statements, payment_instructions } = history;
  const items: [ImportOperation, readonly unknown[]][] = [
    ['notes', notes],
    ['transactions', [...transactions, ...historical_transactions]],
    ['statements', statements],
    ['payment_instruction', payment_instructions],
  ];
  return items.flatMap(([operation, { length }]) => (length === 0 ? [] : [operation]));
}

/** What a call of `CREATE_BUNDLES` has besides the values of `PROCESS_ACCOUNTS`. */
export function bundleValues({ events, ...rows }: Bundle, service_account_number: string) {
  const processed = { action: 'processed', detail: { service_account_number } };
  return { ...rows, events: [processed, ...events] };
}

/**
 * The details that the vendors of an account's payment instructions return (behaviour 4.7). They are asked at once, so that
 * it takes no longer than one answer may, and no transaction is open meanwhile. Refuses as the separate import does; if
 * several are refused, it is the first.
 */
export async function confirmInstructions(
  context: Context,
  instructions: readonly Sent<AccountPaymentInstruction>[],
): Promise<PaymentInstructionDetails[]> {
  const { outsideTransaction = (_key, work) => work(context) } = context;
  return outsideTransaction(JSON.stringify(instructions), async ({ waitOutside = (wait) => wait(), ...outside }) => {
    const answers = await waitOutside(() => Promise.allSettled(instructions.map((one) => confirm(outside, one))));
    return answers.map((answer) => {
      if (answer.status === 'rejected') throw answer.reason;
      return answer.value;
    });
  });
}

async function confirm(context: Context, { path, sent }: Sent<AccountPaymentInstruction>) {
  const { vendor, reference, type } = sent;
  const paymentVendor = configuredVendor(context, vendor, `${path}.vendor`);
  try {
    return await askInTurn(context, paymentVendor, () => paymentVendor.fetchInstruction(reference, type));
  } catch (error) {
    if (!(error instanceof VendorRejected)) throw error;
    throw error.at(path);
  }
}
