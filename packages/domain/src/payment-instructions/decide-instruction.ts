import { type ImportPaymentInstructionRequest, LIMITS } from '@causeway/contracts';
import { DomainError, invalidField } from '../shared/errors.ts';

/** What an account has or had: of each type one is active, and those that it superseded are in their order. */
export interface StoredInstruction {
  vendor: string;
  reference: string;
  type: string;
  is_superseded: boolean;
}

/** Whether the instruction is what is active already, or why it cannot be; neither: it can be stored. */
interface DecidedInstruction {
  isStored: boolean;
  refusal?: DomainError;
}

/**
 * Decides on an instruction and what it supersedes (behaviour 4.7.3, 4.7.9). What was superseded is never active again,
 * even if that is asked for: a request that comes late could not be told from that wish.
 */
export function decideInstruction(
  sent: Pick<ImportPaymentInstructionRequest, 'vendor' | 'reference' | 'type' | 'supersedes'>,
  stored: readonly StoredInstruction[],
): DecidedInstruction {
  const { type, supersedes } = sent;
  const former = stored.filter((one) => one.is_superseded && one.type === type);
  const active = stored.find((one) => !one.is_superseded && one.type === type);
  const isSent = ({ vendor, reference }: StoredInstruction) => vendor === sent.vendor && reference === sent.reference;
  if (active !== undefined && isSent(active)) {
    // The request that replaced the last one, once more.
    if (supersedes === undefined || former.at(-1)?.reference === supersedes) return { isStored: true };
    return refused(supersedesNothing(type));
  }
  if (former.some(isSent)) return refused(superseded(type));
  if (supersedes !== undefined && active?.reference !== supersedes) return refused(supersedesNothing(type));
  if (supersedes === undefined && active !== undefined) return refused(alreadyActive(type));
  return isFull(stored, active) ? refused(tooMany(active)) : { isStored: false };
}

const refused = (refusal: DomainError): DecidedInstruction => ({ isStored: false, refusal });

function alreadyActive(type: string): DomainError {
  const detail = `The account has another payment instruction of the type ${type}, which is active. To replace it, send its reference as \`supersedes\`.`;
  return new DomainError('payment_instruction_already_active', detail, { attr: 'reference' });
}

function superseded(type: string): DomainError {
  const detail = `Another payment instruction of the type ${type} has superseded this one, which is not active again.`;
  return new DomainError('payment_instruction_superseded', detail, { attr: 'reference' });
}

function supersedesNothing(type: string): DomainError {
  const detail = `The account has no active payment instruction of the type ${type} with the reference that supersedes names.`;
  return new DomainError('supersedes_no_active_instruction', detail, { attr: 'supersedes' });
}

const countOf = (stored: readonly StoredInstruction[], isSuperseded: boolean) =>
  stored.filter(({ is_superseded }) => is_superseded === isSuperseded).length;

/** The active one becomes one more that is superseded. */
function isFull(stored: readonly StoredInstruction[], active: StoredInstruction | undefined): boolean {
  return active === undefined
    ? countOf(stored, false) >= LIMITS.payment_instructions
    : countOf(stored, true) >= LIMITS.superseded_payment_instructions;
}

function tooMany(active: StoredInstruction | undefined): DomainError {
  if (active === undefined) {
    const detail = `The account has payment instructions of ${LIMITS.payment_instructions} types, the maximum.`;
    return invalidField('type', detail, 'max_items');
  }
  const detail = `The account has ${LIMITS.superseded_payment_instructions} superseded payment instructions, the maximum.`;
  return invalidField('supersedes', detail, 'max_items');
}
