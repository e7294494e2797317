/** The sentences of all codes, and names, without the schemas: for what is loaded by a browser. */
export { TEMPLATE_NAMES, UNSUBSCRIBE_NAME } from './emails/template-names.ts';
export { REMARKS } from './error-codes/remarks.ts';
export { ERROR_CODES } from './error-codes.ts';
export { FIELD_CODES } from './field-codes.ts';
export { MASK } from './staff/mask.ts';
