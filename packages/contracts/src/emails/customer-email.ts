import { z } from 'zod';
import { documented, field, optional } from '../field.ts';
import { UtcDatetime, Uuid } from '../formats.ts';
import { ImportSupplierCodeInPath } from '../identifiers.ts';
import { LIMITS, limitText } from '../limits.ts';
import { GetAccountImportRequest } from '../staff/account-imports.ts';
import { limit } from '../staff/listing.ts';

/** What happened to an e-mail to a customer (behaviour 29.3). */
export const CustomerEmailState = z.enum(['QUEUED', 'SENDING', 'SENT', 'REFUSED', 'GIVEN_UP', 'IN_DOUBT', 'NOT_SENT']);

/** Why there is no e-mail (behaviour 29.1). */
export const NotSentReason = z.enum([
  ...(['DECEASED', 'UNKNOWN_OCCUPIER', 'PRINT', 'NO_ADDRESS', 'SUPPRESSED', 'ERASED', 'MAILBOX_LIMIT'] as const),
  ...(['ACCOUNT_UNDONE', 'NOT_TOLD_AGAIN'] as const),
]);
export type NotSentReason = z.infer<typeof NotSentReason>;

/** Why an e-mail was sent with the service's own text in place of the supplier's (behaviour 29.4). */
export const TemplateFailure = z.enum(['CANNOT_BE_RENDERED', 'TAKES_TOO_LONG']);
export type TemplateFailure = z.infer<typeof TemplateFailure>;

/** An e-mail to a customer, without its address and text: personal data of the account is read with the account. */
export const CustomerEmail = z
  .object({
    id: field(Uuid, 'The id of the e-mail; its `Message-ID` begins with it.', '5b0c5f0e-6c0b-4b0e-9a54-0d3a9be2c7d1'),
    recipient: field(
      z.string(),
      'Whose address it is, as a path in the account: `customers.0`, or `billing_email`; of an account that gets none, ' +
        '`account`.',
      'customers.0',
    ),
    template: field(
      z.enum(['account_created', 'account_undone']),
      'What it says. account_created: the account has moved, and has a new number. account_undone: that number is not valid any more.',
      'account_created',
    ),
    state: field(
      CustomerEmailState,
      'QUEUED: it waits. SENDING: it is being handed over. SENT: the mail server has taken it. REFUSED: the server has ' +
        'refused it for good. GIVEN_UP: the server has put it off too often. IN_DOUBT: whether the server took it is not ' +
        'known; it is not sent again by itself. NOT_SENT: `reason` says why.',
      'REFUSED',
    ),
    reason: field(
      NotSentReason.nullable(),
      'DECEASED: the customer has died. UNKNOWN_OCCUPIER: nobody knows who lives there. PRINT: the customer wants ' +
        'letters. NO_ADDRESS: no customer has an address, nor has the bill. SUPPRESSED: the address is on the suppression ' +
        'list. ERASED: the account was erased. ACCOUNT_UNDONE: it was undone before. NOT_TOLD_AGAIN: it was created again, ' +
        'and its undo said so. MAILBOX_LIMIT: the mailbox has had as many e-mails of ' +
        'the organisation in 24 hours as one may get; this one waits. Null unless the state is NOT_SENT or, for ' +
        'MAILBOX_LIMIT, QUEUED.',
      null,
    ),
    answer: field(
      z.string().nullable(),
      `What the mail server said last, up to ${limitText(LIMITS.email_answer)} characters, without addresses; null if nothing.`,
      '550 5.1.1 [address]: no such mailbox',
    ),
    attempts: field(z.number(), 'How often it was handed over, or was about to be.', 1),
    template_language: field(
      z.string().nullable(),
      'The language of the template with which it was sent last; null if it was not.',
      'en',
    ),
    template_version: field(
      z.number().nullable(),
      'The version of that template; 0 is the one that the service has itself.',
      3,
    ),
    template_failure: field(
      TemplateFailure.nullable(),
      "Why it was sent with the service's own text, although the import supplier has a template for it. " +
        'CANNOT_BE_RENDERED: the template fails for the values of this customer, or becomes too long. TAKES_TOO_LONG: ' +
        'its rendering took too long. Null otherwise.',
      null,
    ),
    created_at: field(UtcDatetime, 'When the account was created, in UTC.', '2026-04-17T09:30:12Z'),
    updated_at: field(UtcDatetime, 'When its state changed last, in UTC.', '2026-04-17T09:30:14Z'),
    next_attempt_at: field(
      UtcDatetime.nullable(),
      'When it is sent at the earliest, in UTC; null unless it is QUEUED.',
      null,
    ),
    sent_at: field(UtcDatetime.nullable(), 'When the mail server took it, in UTC; null if it did not.', null),
  })
  .apply(documented, 'CustomerEmail', 'An e-mail to a customer, or why none exists.');
export type CustomerEmail = z.infer<typeof CustomerEmail>;

/** Asks for the e-mails of one account (behaviour 29.6). */
export const ListCustomerEmailsRequest = GetAccountImportRequest.omit({ masked: true }).apply(
  documented,
  'ListCustomerEmailsRequest',
  'Asks for the e-mails of one account.',
);
export type ListCustomerEmailsRequest = z.infer<typeof ListCustomerEmailsRequest>;

export const ListCustomerEmailsResponse = z
  .array(CustomerEmail)
  .apply(
    documented,
    'ListCustomerEmailsResponse',
    'The e-mails of the account. Empty: its import supplier sent none when it was created.',
  );

const code = field(ImportSupplierCodeInPath, 'The code of the import supplier.');

/** Asks for e-mails of an import supplier (behaviour 29.6). */
export const ListSupplierEmailsRequest = z
  .object({
    code,
    state: optional(
      CustomerEmailState,
      'Only e-mails in this state. Default: those that somebody has to look at, which are REFUSED, GIVEN_UP or IN_DOUBT.',
      'REFUSED',
    ),
    limit,
  })
  .meta({
    id: 'ListSupplierEmailsRequest',
    description: 'Asks for e-mails of an import supplier: those in one state, or those that somebody has to look at.',
    examples: [{ code: 'NORTHWIND-2026', limit: 100 }],
  });
export type ListSupplierEmailsRequest = z.infer<typeof ListSupplierEmailsRequest>;

const ofAccount = field(z.string(), "The migrating party's own account number.", 'NW-0001482');

export const ListSupplierEmailsResponse = z
  .array(CustomerEmail.extend({ external_account_number: ofAccount }))
  .apply(
    documented,
    'ListSupplierEmailsResponse',
    'The e-mails, those that changed last first; those that wait, the next one first.',
  );
export type ListSupplierEmailsResponse = z.infer<typeof ListSupplierEmailsResponse>;

/** Asks how many e-mails somebody has to look at (behaviour 29.6). */
export const CountUnsettledEmailsRequest = z
  .object({ code })
  .apply(
    documented,
    'CountUnsettledEmailsRequest',
    'Asks how many e-mails of an import supplier were refused, given up or are in doubt.',
  );
export type CountUnsettledEmailsRequest = z.infer<typeof CountUnsettledEmailsRequest>;

export const CountUnsettledEmailsResponse = z
  .object({
    refused: field(z.number(), 'How many the mail server has refused for good.', 12),
    given_up: field(z.number(), 'How many it has put off too often.', 1),
    in_doubt: field(z.number(), 'How many it may have taken or not.', 0),
  })
  .apply(
    documented,
    'CountUnsettledEmailsResponse',
    `How many there are. Of more than ${limitText(LIMITS.list)} together the newest ${limitText(LIMITS.list)} are counted.`,
  );
export type CountUnsettledEmailsResponse = z.infer<typeof CountUnsettledEmailsResponse>;

export const SendEmailAgainRequest = z
  .object({ id: field(Uuid, 'The id of the e-mail.', '5b0c5f0e-6c0b-4b0e-9a54-0d3a9be2c7d1') })
  .apply(documented, 'SendEmailAgainRequest', 'Sends an e-mail again, of which the customer may have one already.');
export type SendEmailAgainRequest = z.infer<typeof SendEmailAgainRequest>;
