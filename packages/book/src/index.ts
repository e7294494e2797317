export * from './framing/cut-bodies.ts';
export * from './framing/line-framer.ts';
export * from './framing/part-refusal.ts';
export * from './framing/unpack.ts';
export type * from './reader/read-line.ts';
