export * from './check-request.ts';
export { checkVendor, type PaymentVendorNames, unknownVendor } from './check-vendor.ts';
export { exact, exactText } from './exact-sum.ts';
export * from './new-identifiers.ts';
export * from './refused-fields.ts';
export { type RemarkSettings, remarksOf } from './remarks/decide-remarks.ts';
export * from './request-rules.ts';
export { isAlwaysEscaped, JsonRefusal } from './strict-json/json-refusal.ts';
export { decodeUtf8, parseStrictJson, plainJson, requireObject } from './strict-json/read-json.ts';
