import { z } from 'zod';
import { DryRun } from './dry-run.ts';
import { documented, field, optional } from './field.ts';
import { ExternalAccountNumber, ImportSupplierCode, NEW_IDENTIFIER_RULE, ServiceAccountNumber } from './identifiers.ts';
import { LIMITS, limitText } from './limits.ts';
import { identifierOfStored, text, upperSnake } from './text.ts';

/** The request of the payment instruction import (behaviour 4.7). */
export const ImportPaymentInstructionRequest = z
  .object({
    import_supplier: ImportSupplierCode,
    external_account_number: ExternalAccountNumber,
    vendor: field(
      text(LIMITS.short_text),
      'The payment vendor that holds the instruction: a name that the service team configured, compared exactly.',
      'STRIPE',
    ),
    reference: field(
      identifierOfStored(LIMITS.name),
      `The vendor's reference for the instruction, up to ${limitText(LIMITS.name)} characters. ${NEW_IDENTIFIER_RULE}`,
      'pm_1NqkLXJ2eZvKYlo2',
    ),
    type: field(
      upperSnake(),
      `The kind of instruction, such as CARD: any UPPER_SNAKE name. An account has one active instruction of each type, of up to ${limitText(LIMITS.payment_instructions)} types.`,
      'CARD',
    ),
    supersedes: optional(
      identifierOfStored(LIMITS.name),
      'The `reference` of the active instruction of this `type`, if this one is to replace it. The former one is kept as history, and is never active again.',
      'pm_1MvQpTJ2eZvKYlo2',
    ),
    dry_run: DryRun,
  })
  .apply(
    documented,
    'ImportPaymentInstructionRequest',
    'Stores a payment instruction after the vendor has confirmed that it exists. Sending the same one again is harmless.',
    'supersedes',
    'dry_run',
  );
export type ImportPaymentInstructionRequest = z.infer<typeof ImportPaymentInstructionRequest>;

export const ImportPaymentInstructionResponse = z
  .object({
    service_account_number: ServiceAccountNumber,
    reference: field(z.string(), "The vendor's reference for the instruction, as sent.", 'pm_1NqkLXJ2eZvKYlo2'),
  })
  .apply(documented, 'ImportPaymentInstructionResponse', 'The payment instruction is stored and active.');
export type ImportPaymentInstructionResponse = z.infer<typeof ImportPaymentInstructionResponse>;
