const TYPED_HEADER_BYTES = 5;
const LENGTH_BYTES = 4;

/** The start of a message in the current bytes: its position, its total length and its type letter. */
interface MessageStart {
  offset: number;
  length: number;
  /** The protocol's letter, such as `S` for Sync; empty for the first message of a client, which has none. */
  type: string;
}

/** One direction of a connection, cut into the messages of PostgreSQL's protocol 3. */
export interface MessageReader {
  /** `bytes` to forward, and the messages that begin in them. An incomplete header is held back. */
  read(chunk: Buffer): { bytes: Buffer; starts: MessageStart[] };
}

/** Without TLS: a client's encryption request is not supported. */
export function createMessageReader(direction: 'to-server' | 'to-client'): MessageReader {
  let held = Buffer.alloc(0);
  let leftOfMessage = 0;
  let isStartup = direction === 'to-server';
  return {
    read(chunk) {
      const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      const starts: MessageStart[] = [];
      let offset = Math.min(leftOfMessage, bytes.length);
      leftOfMessage -= offset;
      while (offset < bytes.length) {
        const typeBytes = isStartup ? 0 : 1;
        if (bytes.length - offset < (isStartup ? LENGTH_BYTES : TYPED_HEADER_BYTES)) break;
        const length = typeBytes + bytes.readUInt32BE(offset + typeBytes);
        starts.push({ offset, length, type: isStartup ? '' : String.fromCharCode(bytes.readUInt8(offset)) });
        isStartup = false;
        const present = Math.min(length, bytes.length - offset);
        leftOfMessage = length - present;
        offset += present;
      }
      held = Buffer.from(bytes.subarray(offset));
      return { bytes: bytes.subarray(0, offset), starts };
    },
  };
}
