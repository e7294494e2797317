import type { ErrorRow } from './error-row.ts';

const UNKNOWN_ID = 'A misspelt id, or one of another environment.';
const CREATED_TWICE = 'The same was created before, perhaps by a request whose answer was lost.';

/** Refusals that only the service team's tools receive. */
export const SERVICE_TEAM_ERRORS = {
  organisation_does_not_exist: {
    status: 404,
    when: 'No organisation has this id.',
    cause: UNKNOWN_ID,
    remedy: 'List the organisations and take the id from there.',
    example: { detail: 'There is no organisation with this id.', errors: 'organisation_id' },
  },
  organisation_already_exists: {
    status: 409,
    when: 'Another organisation has this name.',
    cause: CREATED_TWICE,
    remedy: 'List the organisations and use the existing one, or choose another name.',
    example: { detail: 'An organisation with this name exists already.', errors: 'name' },
  },
  api_key_does_not_exist: {
    status: 404,
    when: 'No API key has this id.',
    cause: UNKNOWN_ID,
    remedy: 'List the API keys and take the id from there.',
    example: { detail: 'There is no API key with this id.', errors: 'id' },
  },
  last_staff_api_key: {
    status: 409,
    when: 'The API key is the last active key of the service team and cannot be revoked.',
    cause: 'Without it, no further key could be issued.',
    remedy: 'Issue another API key of the service team, then revoke this one.',
    example: { detail: 'This is the last key of the service team: issue another one first.', errors: 'id' },
  },
  account_count_differs: {
    status: 409,
    when: 'The filter has more or fewer accounts than were expected; nothing was changed.',
    cause: 'Accounts were staged, processed or skipped since they were counted.',
    remedy: 'Count again, look at what has changed, and send the new count.',
    example: { detail: 'The filter has 1104 accounts now, not 1102: nothing was skipped.', errors: 'expected_count' },
  },
  person_required: {
    status: 403,
    when: 'Only a person can do this, and the API key does not name one.',
    cause: 'A key that several people or a program use, or one that was issued before keys had names.',
    remedy: 'Issue yourself a key with `apiKeys.issueStaff` and your name as `person`, and use that one.',
    example: { detail: 'Only a person can sign off: use an API key that was issued to one.' },
  },
  import_supplier_already_exists: {
    status: 409,
    when: 'An import supplier with this code exists; codes are unique over all organisations.',
    cause: CREATED_TWICE,
    remedy: 'List the import suppliers and use the existing one, or choose another code.',
    example: { detail: 'An import supplier with this code exists already.', errors: 'code' },
  },
  import_supplier_status_not_allowed: {
    status: 409,
    when: 'The import supplier cannot change from its current status to the requested one.',
    cause:
      'Another user changed the status before, or the request reopens a Complete import supplier without a reason.',
    remedy: 'Read the import supplier and decide again; send a `reason` to reopen one that is Complete.',
    example: {
      detail: 'This import supplier is COMPLETE: it becomes ONGOING again only with a reason.',
      errors: 'reason',
    },
  },
  import_supplier_not_ready: {
    status: 409,
    when: 'The import supplier is to be made COMPLETE without a reason, and its migration is not ready for that.',
    cause: 'It was not rehearsed as it is now, not reconciled, or something is left to do: the sentences say what.',
    remedy: 'Read `overview.readiness` and do what is missing; or send a `reason`, which the audit trail keeps.',
    example: {
      detail:
        'The import supplier is not ready: send a reason to complete it anyway. 1187 failed accounts without a decision: correct and process, or skip.',
      errors: 'reason',
    },
  },
  customer_emails_not_possible: {
    status: 409,
    when: 'E-mails to customers are to be switched on, and nothing could be sent; `detail` says what is missing.',
    cause: 'The service has no mail server (`SMTP_URL`), or the import supplier has no sender.',
    remedy: 'Start the service with `SMTP_URL`; send `email_sender` with the setting.',
    example: {
      detail: 'This service has no mail server: set SMTP_URL and start it again, then switch the e-mails on.',
      errors: 'send_customer_emails',
    },
  },
  email_template_invalid: {
    status: 400,
    when: 'A text of the template cannot be rendered; `errors` names it, and says where.',
    cause:
      'A misspelt variable, a tag that is not closed, a tag or filter that templates may not use, or a text that becomes or takes too long.',
    remedy:
      'Correct the text at the line and column that `errors` names, and look at it with `emailTemplates.preview`.',
    example: {
      detail: 'Cannot be rendered at line 1, column 7: tag "include" not found.',
      errors: 'subject',
    },
  },
  customer_email_does_not_exist: {
    status: 404,
    when: 'No e-mail to a customer has this id.',
    cause: UNKNOWN_ID,
    remedy: 'List the e-mails of the account and take the id from there.',
    example: { detail: 'There is no e-mail with this id.', errors: 'id' },
  },
  customer_email_state_not_allowed: {
    status: 409,
    when: 'The e-mail cannot be sent again; `detail` says why.',
    cause: 'It waits or is being sent, nobody may get it, or its address was erased or is on the suppression list.',
    remedy: 'List the e-mails of the account and decide again; remove the address from the suppression list first.',
    example: { detail: 'This e-mail is QUEUED: it will be sent anyway.', errors: 'id' },
  },
  email_suppression_does_not_exist: {
    status: 404,
    when: 'The suppression list of the import supplier has no such entry.',
    cause: 'A misspelt id, or somebody removed it before.',
    remedy: 'List the suppressed addresses and take the id from there.',
    example: { detail: 'The suppression list has no entry with this id.', errors: 'id' },
  },
  operations_team_does_not_exist: {
    status: 404,
    when: 'No operations team has this id.',
    cause: UNKNOWN_ID,
    remedy: 'List the operations teams and take the id from there.',
    example: { detail: 'There is no operations team with this id.', errors: 'id' },
  },
  operations_team_already_exists: {
    status: 409,
    when: 'An operations team with this name exists.',
    cause: CREATED_TWICE,
    remedy: 'List the operations teams and use the existing one, or choose another name.',
    example: { detail: 'An operations team with this name exists already.', errors: 'name' },
  },
} as const satisfies Record<string, ErrorRow>;
