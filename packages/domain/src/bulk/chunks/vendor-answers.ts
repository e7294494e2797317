import { type AccountPaymentInstruction, historyOfAccount } from '@causeway/contracts';
import { type Queryable, sql } from '@causeway/db';
import { askInTurn } from '../../payment-vendors/ask-in-turn.ts';
import type { Context } from '../../shared/context.ts';
import type { AccountKey } from '../../shared/derived-id.ts';
import { DomainError } from '../../shared/errors.ts';
import { type PaymentInstructionDetails, type PaymentVendor, VendorRejected } from '../../shared/payment-vendor.ts';
import { TriesLater } from './bulk-work.ts';
import type { ChunkLine } from './chunk-line.ts';

/** What identifies an instruction to its vendor. */
type Instruction = Pick<AccountPaymentInstruction, 'vendor' | 'reference' | 'type'>;

/** Thrown within a chunk's transaction: payment vendors are to be asked while none is open. */
export class AsksVendors extends Error {
  override readonly name = 'AsksVendors';
  readonly instructions: readonly Instruction[];

  constructor(instructions: readonly Instruction[]) {
    super('Payment vendors have to be asked');
    this.instructions = instructions;
  }
}

/** How many instructions of a chunk one vendor confirms at the same time. */
const ASKED_AT_ONCE = 8;

/** What payment vendors have answered about the instructions of a chunk. */
export class VendorAnswers {
  readonly #answers = new Map<string, { details: PaymentInstructionDetails } | { refusal: DomainError }>();

  /** The vendors as the use cases see them within the chunk's transaction: they answer from memory. */
  within(vendors: Context['paymentVendors']): Context['paymentVendors'] {
    const remembering = (vendor: PaymentVendor): PaymentVendor => ({
      name: vendor.name,
      fetchInstruction: async (reference, type) => {
        const instruction = { vendor: vendor.name, reference, type } as Instruction;
        const answer = this.#answers.get(keyOf(instruction));
        if (answer === undefined) throw new AsksVendors([instruction]);
        if ('refusal' in answer) throw answer.refusal;
        return answer.details;
      },
    });
    return new Map([...vendors].map(([name, vendor]) => [name, remembering(vendor)]));
  }

  /**
   * The lines up to the first one whose vendor cannot answer now: those before it do not wait for it. What is `stored`
   * needs no answer. Throws `AsksVendors` if there are instructions that were not asked about, and `TriesLater` if there
   * is no such line.
   */
  confirmed(lines: readonly ChunkLine[], stored: StoredInstructions): readonly ChunkLine[] {
    const askedOf = (line: ChunkLine) =>
      instructionsOf(line).filter((instruction) => !stored.has(keyOf(instruction, line.key)));
    const end = lines.findIndex((line) => askedOf(line).some((instruction) => this.#isUnavailable(instruction)));
    const ready = end === -1 ? lines : lines.slice(0, end);
    const missing = new Map(ready.flatMap(askedOf).map((instruction) => [keyOf(instruction), instruction] as const));
    for (const key of this.#answers.keys()) missing.delete(key);
    if (missing.size > 0) throw new AsksVendors([...missing.values()]);
    if (ready.length === 0) throw new TriesLater('A payment vendor cannot answer now');
    return ready;
  }

  #isUnavailable(instruction: Instruction): boolean {
    const answer = this.#answers.get(keyOf(instruction));
    return answer !== undefined && 'refusal' in answer && !(answer.refusal instanceof VendorRejected);
  }

  /**
   * Asks the vendors in the order of the lines, at most 8 at a time of each. What they refuse is their answer too. One
   * that cannot answer is not asked about the lines behind, which wait for that one: a lane has to do for others.
   */
  async ask(context: Context, { instructions }: AsksVendors): Promise<void> {
    const byVendor = Map.groupBy(instructions, ({ vendor }) => vendor);
    const asking = [...byVendor.values()].flatMap((all) => {
      const rest = all.values();
      let isAvailable = true;
      return Array.from({ length: ASKED_AT_ONCE }, async () => {
        for (const instruction of rest) {
          isAvailable = (await this.#askOne(context, instruction)) && isAvailable;
          if (!isAvailable) return;
        }
      });
    });
    await Promise.all(asking);
  }

  /** Whether the vendor has answered. */
  async #askOne(context: Context, instruction: Instruction): Promise<boolean> {
    const { vendor: name, reference, type } = instruction;
    const vendor = context.paymentVendors.get(name);
    if (vendor === undefined) {
      // Nobody to ask: the import refuses the vendor, and does not look for this answer.
      this.#answers.set(keyOf(instruction), { details: {} });
      return true;
    }
    try {
      const details = await askInTurn(context, vendor, () => vendor.fetchInstruction(reference, type));
      this.#answers.set(keyOf(instruction), { details });
      return true;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.#answers.set(keyOf(instruction), { refusal: error });
      return error instanceof VendorRejected;
    }
  }
}

/** The vendors as a rehearsal sees them, which asks none: as if they knew every instruction. */
export function unasked(vendors: Context['paymentVendors']): Context['paymentVendors'] {
  return new Map([...vendors.keys()].map((name) => [name, { name, fetchInstruction: async () => ({}) }]));
}

const keyOf = ({ vendor, reference, type }: Instruction, account?: Pick<AccountKey, 'id'>) =>
  JSON.stringify([vendor, reference, type, account?.id]);

/** Which instructions accounts have, each with its account. */
type StoredInstructions = ReadonlySet<string>;

const STORED_INSTRUCTIONS = sql('stored-instructions', { id: 'uuid', vendor: 'text', reference: 'text', type: 'text' })`
  SELECT account_import_id AS id, vendor, reference, type
  FROM payment_instructions
  WHERE account_import_id = ANY (${'ids'})`;

/** What the accounts of the lines have already: the same instruction again is not asked about (behaviour 4.7.3). */
export async function storedInstructions(
  database: Queryable,
  lines: readonly ChunkLine[],
): Promise<StoredInstructions> {
  const ids = lines.flatMap((line) => (line.key === undefined || instructionsOf(line).length === 0 ? [] : line.key.id));
  const stored = ids.length === 0 ? [] : await database.query(STORED_INSTRUCTIONS, { ids });
  return new Set(stored.map((row) => keyOf(row, row)));
}

/** The payment instructions of a line, in their order. */
function instructionsOf(line: ChunkLine): readonly Instruction[] {
  switch (line.kind) {
    case 'account':
      return historyOfAccount(line.account.request).payment_instructions.map(({ sent }) => sent);
    case 'history':
      return line.history.payment_instructions.map(({ request }) => request);
    case 'staged':
      return line.decided.instructions.map(({ sent }) => sent);
    default:
      return [];
  }
}
