import type { ErrorCode } from '@causeway/contracts';
import type { FileRequest } from './file-request.ts';
import { putManifestPart, putPart } from './receive-part.ts';
import { sendFailedRows, sendReport, sendUnprocessedRows } from './send-files.ts';

/** A route that no procedure serves, because it takes or answers a file. */
export interface FileRoute {
  procedurePath: string;
  method: 'GET' | 'PUT';
  path: string;
  segments: string[];
  /** Its documented refusals, in addition to those of every request. */
  errors: readonly ErrorCode[];
  serve: (call: FileRequest) => Promise<void>;
}

const JOB = '/v1/data-import/bulk-jobs/{job_id}/';
const MANIFEST = '/v1/data-import/manifests/{manifest_id}/';

function fileRoute(
  name: string,
  { path, ...route }: Pick<FileRoute, 'method' | 'path' | 'errors' | 'serve'>,
): FileRoute {
  const segments = path.split('/').filter((segment) => segment !== '');
  return { procedurePath: `dataImport.${name}`, path, segments, ...route };
}

/** Parts of manifests, parts and downloads of bulk jobs (behaviour 21.4, 21.5, 22.2): beside the router, and authenticated and counted alike. */
export const FILE_ROUTES: readonly FileRoute[] = [
  fileRoute('putBulkJobPart', {
    method: 'PUT',
    path: `${JOB}parts/{number}/`,
    errors: [
      'bulk_job_does_not_exist',
      'bulk_job_state_not_allowed',
      'bulk_part_differs',
      'bulk_part_invalid',
      'bulk_storage_full',
      'request_timeout',
      'payload_too_large',
      'unsupported_media_type',
    ],
    serve: putPart,
  }),
  fileRoute('bulkJobFailedRows', {
    method: 'GET',
    path: `${JOB}failed-rows/`,
    errors: ['bulk_job_does_not_exist', 'bulk_files_expired'],
    serve: sendFailedRows,
  }),
  fileRoute('bulkJobUnprocessedRows', {
    method: 'GET',
    path: `${JOB}unprocessed-rows/`,
    errors: ['bulk_job_does_not_exist', 'bulk_files_expired'],
    serve: sendUnprocessedRows,
  }),
  fileRoute('reconciliationReport', {
    method: 'GET',
    path: '/v1/data-import/reconciliations/{reconciliation_id}/report/',
    errors: ['reconciliation_does_not_exist', 'reconciliation_state_not_allowed'],
    serve: sendReport,
  }),
  fileRoute('putManifestPart', {
    method: 'PUT',
    path: `${MANIFEST}parts/{number}/`,
    errors: [
      'manifest_does_not_exist',
      'manifest_state_not_allowed',
      'manifest_lines_invalid',
      'bulk_part_differs',
      'bulk_part_invalid',
      'request_timeout',
      'payload_too_large',
      'unsupported_media_type',
    ],
    serve: putManifestPart,
  }),
];
