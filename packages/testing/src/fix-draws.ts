import fc from 'fast-check';
import { readSeed } from './random.ts';

// Before the tests of a package with property tests: they draw the same in every run, unless SEED is set. A property
// that fails prints its seed.
fc.configureGlobal({ seed: readSeed() });
