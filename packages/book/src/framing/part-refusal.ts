/** Thrown where what was sent cannot be unpacked, or is more than one part may be; the sentence is for its sender. */
export class PartRefusal extends Error {
  override readonly name = 'PartRefusal';
  readonly code = 'bulk_part_invalid';
}
