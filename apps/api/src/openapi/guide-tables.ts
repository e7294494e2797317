/** The one request that is not safe to repeat: named wherever a client is told to repeat what may have taken effect. */
const BUT_WITH_THE_KEY =
  'Transactions with `check_previously_added=false` only with the `Idempotency-Key` of the first attempt.';

/** The meaning of each status, and what a client does next. */
export const STATUSES = [
  ['200', 'Valid; staged again; read.', 'Go on.'],
  ['201', 'Staged; created; added.', 'Go on.'],
  [
    '400',
    'Refused because of its content or the state of the account.',
    'Do not send it again unchanged: correct it by `code` and `errors`. `dry_run_rolled_back` is the success of a dry ' +
      'run. `account_import_process_already_imported` is a success that you missed: take the number from the body. ' +
      '`import_supplier_migration_not_ongoing` stops the migration: ask the service team.',
  ],
  ['401', 'The token is missing, invalid or expired.', 'Obtain a token and send the request again, once.'],
  [
    '404',
    'The account or the import supplier was not found, or is not yours.',
    'Check the codes and numbers. Create an account before you add notes to it.',
  ],
  ['405', 'The path does not support this method.', 'Correct the client.'],
  [
    '406',
    'Obtain token only: no media type that your `Accept` header allows is available.',
    'Accept `application/json`.',
  ],
  ['408', 'The body did not arrive in time.', 'Send it again.'],
  [
    '409',
    'The first request with this `Idempotency-Key` is still in flight; or a bulk job is in another state than this needs; or a cursor has expired.',
    'A code that begins with `bulk_`: read the job, and decide again. `event_cursor_expired`: do as `detail` says. Otherwise, wait for `Retry-After` seconds, then send it again to get its answer: usually a short time, up to 30 seconds if the ' +
      'instance that ran it died.',
  ],
  [
    '413',
    'The body is too large.',
    'Split the list over several requests. Of an account with its history, add a part after it is created. Compress a part of a bulk job, or split it.',
  ],
  [
    '415',
    'The body is not plain JSON; a part is not NDJSON.',
    'Send the `Content-Type` that the operation documents; only a part may have a `Content-Encoding`.',
  ],
  [
    '422',
    'A different request was sent with this `Idempotency-Key`.',
    'Correct the client: use a new key for each request.',
  ],
  ['431', 'The headers, or the address, are too long.', 'Send shorter ones: 16 kB together at most.'],
  [
    '429',
    'The limit of accounts created concurrently is reached; or too many tokens were requested, or too many requests for one failed.',
    'Wait for `Retry-After` seconds, then send the same request again.',
  ],
  [
    '500',
    'A failure of our service: the request may have taken effect. Or of the payment vendor (`payment_vendor_unavailable`): ' +
      'nothing was done.',
    `Send the same request again, with a pause that grows with each attempt. ${BUT_WITH_THE_KEY}`,
  ],
  [
    '503',
    'The service is starting, stopping or overloaded, or lost its database: the request may have taken effect.',
    `Wait for \`Retry-After\` seconds, then send the same request again. ${BUT_WITH_THE_KEY}`,
  ],
  [
    'none',
    'The connection broke, or your client timed out: the request may have taken effect.',
    `Send the same request again, as described in the next section. ${BUT_WITH_THE_KEY}`,
  ],
];

/** The effect of sending a request twice without an Idempotency-Key. */
export const REPEATS = [
  ['Validate account', 'Harmless: nothing is stored.'],
  [
    'Stage account',
    'Harmless: stores the same data, and answers 200 instead of 201. Once the account is created it is refused: 400 ' +
      '`account_import_process_already_imported` with its number.',
  ],
  [
    'Create account',
    'Harmless: the account is created once. Later requests answer 400 `account_import_process_already_imported` with its number.',
  ],
  ['Import notes', 'Harmless: a note that exists already is `NOTE_ALREADY_EXISTS`.'],
  [
    'Import financial transactions',
    'Harmless while `check_previously_added` is true: a `transaction_id` that exists already is ' +
      '`TRANSACTION_ALREADY_EXISTS`. **Not with false: everything is added again.** Send it with an `Idempotency-Key`, ' +
      'and repeat it only with the same key.',
  ],
  ['Import historical statements', 'Harmless: the same statement changes nothing.'],
  ['Import payment instruction', 'Harmless: the same instruction gets the same answer.'],
  ['Obtain token', 'Harmless: returns another token.'],
  ['Status and lists', 'Harmless.'],
];
