/** The memory that another thread may be given with these bytes: small ones share theirs, and are copied. */
export function ownMemoryOf(all: readonly Uint8Array[]): ArrayBuffer[] {
  const owners = all.filter(({ buffer, byteLength }) => buffer.byteLength === byteLength);
  return owners.map(({ buffer }) => buffer as ArrayBuffer);
}
