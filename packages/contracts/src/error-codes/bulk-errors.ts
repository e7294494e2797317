import { LIMITS, limitText } from '../limits.ts';
import { type ErrorRow, REMEDIES } from './error-row.ts';

const OF_JOB = 'job_id';

/** Refusals of requests about bulk jobs. */
export const BULK_ERRORS = {
  bulk_job_does_not_exist: {
    status: 404,
    when: 'Your organisation has no bulk job with this id.',
    cause: 'A misspelt id, or an API key of a different organisation than the one that created the job.',
    remedy: 'List the bulk jobs of the import supplier and take the id from there.',
    example: { detail: 'There is no bulk job with this id.', errors: OF_JOB },
  },
  bulk_job_state_not_allowed: {
    status: 409,
    when: 'The bulk job is in a state in which this is not possible; `detail` says which.',
    cause: 'Somebody started, paused or cancelled the job before, or it has finished meanwhile.',
    remedy: 'Read the job and decide again.',
    example: { detail: 'A bulk job that is FINISHED cannot be paused.', errors: OF_JOB },
  },
  bulk_part_differs: {
    status: 409,
    when: 'The part was received before, with other bytes; it stays as it is.',
    cause: 'Two files uploaded under one number, or a file that was compressed again.',
    remedy: 'Upload the file under a number of its own, or start a new upload if the first file was wrong.',
    example: { detail: 'Part 7 was received before with other bytes.', errors: 'number' },
  },
  bulk_part_invalid: {
    origin: 'both',
    status: 400,
    when: 'The part cannot be read as lines, is too large, is not what its `Content-Digest` says, or has a `Content-Digest` that cannot be read; nothing of it was stored.',
    cause: 'A file that was damaged or cut, a wrong `Content-Encoding`, or too many lines in one part.',
    remedy: `Correct the file or split it into parts of at most ${limitText(LIMITS.bulk_part_lines)} lines, then upload the part again.`,
    example: { detail: 'The part is not valid gzip: it ends too early.' },
  },
  bulk_parts_missing: {
    status: 409,
    when: 'The upload is incomplete: parts are missing or, where the start of a job announces numbers of parts or lines, it has others. Nothing was started or sealed.',
    cause: 'An upload that failed, or is still running.',
    remedy: 'Upload what `detail` names, then send the request again.',
    example: { detail: 'Parts 3 and 7 are missing of 241.', errors: 'parts' },
  },
  bulk_storage_full: {
    status: 409,
    when: `The service stores no more uploads now, or no more of this import supplier, or the import supplier has ${LIMITS.bulk_unfinished_jobs} bulk jobs that have not ended.`,
    cause: 'Uploads that were never started, results that have not expired, or jobs that are still running.',
    remedy: 'Cancel jobs that you do not need, wait until others have finished, then send the request again.',
    example: { detail: 'The import supplier has 20 bulk jobs that have not ended: cancel one, or wait for one.' },
  },
  bulk_files_expired: {
    status: 404,
    when: 'The files of the bulk job have been removed; its counts, sums and problems are still there.',
    cause: 'The job ended longer ago than files are kept; `files_expire_at` of the job says when they were removed.',
    remedy: REMEDIES.correct_client,
    example: { detail: 'The files of this bulk job expired at 2026-12-21T23:41:00Z.', errors: OF_JOB },
  },
} as const satisfies Record<string, ErrorRow>;
