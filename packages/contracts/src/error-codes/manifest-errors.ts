import { LIMITS } from '../limits.ts';
import type { ErrorRow } from './error-row.ts';

const OF_MANIFEST = 'manifest_id';

/** Refusals of requests about manifests. */
export const MANIFEST_ERRORS = {
  manifest_does_not_exist: {
    status: 404,
    when: 'Your organisation has no manifest with this id.',
    cause: 'A misspelt id, or an API key of a different organisation than the one that lodged the manifest.',
    remedy: 'List the manifests of the import supplier and take the id from there.',
    example: { detail: 'There is no manifest with this id.', errors: OF_MANIFEST },
  },
  manifest_state_not_allowed: {
    status: 409,
    when: 'The manifest is in a state in which this is not possible; `detail` says which.',
    cause: 'Somebody sealed or withdrew the manifest before.',
    remedy: 'Read the manifest and decide again; lodge another one if this one was wrong.',
    example: {
      detail: 'A manifest that is SEALED takes no more parts. If it is wrong, withdraw it and lodge another one.',
      errors: OF_MANIFEST,
    },
  },
  manifest_lines_invalid: {
    status: 400,
    when: 'Lines of the part cannot be used: a figure that is not valid, an account that has a line already, or another import supplier; nothing of the part was stored.',
    cause: 'Accounts that were counted twice or belong to another import supplier, or a figure under another name.',
    remedy:
      'Correct the lines that `errors` names (`lines.17.notes` is line 17 of the part), then upload the part again.',
    example: { detail: 'The part has 2 problems, see errors.', errors: 'lines.17.transactions_sum' },
  },
  manifest_contradicts_itself: {
    status: 409,
    when: 'The lines of the manifest do not add up to its totals; `errors` has each figure. It is not sealed.',
    cause: 'Accounts that are missing or were added, or totals of another day.',
    remedy: 'Find out which of the two is right. Upload missing parts, or withdraw the manifest and lodge another one.',
    example: { detail: 'The manifest contradicts itself in 1 figure, see errors.', errors: 'totals.transactions_sum' },
  },
  too_many_manifests: {
    status: 409,
    when: `The import supplier has ${LIMITS.manifests} manifests that are not withdrawn.`,
    cause: 'Manifests that were only tried out.',
    remedy: 'Withdraw manifests that you do not need.',
    example: { detail: `The import supplier has ${LIMITS.manifests} manifests: withdraw one.` },
  },
} as const satisfies Record<string, ErrorRow>;
