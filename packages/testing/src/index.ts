export { createTestDatabase, type TestDatabase } from './create-test-database.ts';
export { type FakeVendor, startFakeVendor, type VendorBehaviour } from './fake-vendor.ts';
