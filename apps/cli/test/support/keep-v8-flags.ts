import { syncBuiltinESMExports } from 'node:module';
import v8 from 'node:v8';

// `causeway validate` sets flags of V8 for its process, which keep memory low and make code slow: here the process is
// that of all tests.
v8.setFlagsFromString = () => {};
syncBuiltinESMExports();
