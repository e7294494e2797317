import { documentationUrl, ERROR_CODES, type ErrorBody, type ErrorCode, type ErrorExample } from '@causeway/contracts';
import { EXAMPLES_OF_OPERATION } from './operation-error-examples.ts';

/** The body of an operation's answer for a code; without an operation, the body that all operations share. */
export function errorExample(code: ErrorCode, operationId = ''): ErrorBody & Record<string, unknown> {
  const example: ErrorExample = EXAMPLES_OF_OPERATION[operationId]?.[code] ?? ERROR_CODES[code].example;
  const { detail, errors = [], extra } = example;
  return {
    detail,
    code,
    errors: typeof errors === 'string' ? [{ detail, code, attr: errors }] : errors,
    documentation_url: documentationUrl(code),
    ...extra,
  };
}
