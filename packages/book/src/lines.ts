/** The lines of a book and nothing that checks them: it loads no schemas, and takes a tenth of the memory. */
export { type FramedLine, frameLines, type PlacedLine } from './framing/line-framer.ts';
export { PartRefusal } from './framing/part-refusal.ts';
export { unpack } from './framing/unpack.ts';
export { bareLine } from './reader/failed-row.ts';
