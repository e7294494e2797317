/** The sentences of all codes, and names, without the schemas: for what is loaded by a browser. */
export { TEMPLATE_NAMES, UNSUBSCRIBE_NAME } from './emails/template-names.ts';
export { REPORTED_PROBLEMS } from './error-codes/reported-problems.ts';
export { ERROR_CODES } from './error-codes.ts';
export { FIELD_CODES } from './field-codes.ts';
export { MASK } from './staff/mask.ts';
