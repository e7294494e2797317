import { LIMITS, limitText } from '@causeway/contracts';

const UNPACKED = `${limitText(LIMITS.bulk_part_lines)} lines and ${LIMITS.bulk_part_bytes / 1024 ** 2} MiB unpacked`;
const AS_SENT = '10 MiB as it is sent (`MAX_BODY_BYTES`), unless the service team says otherwise';

/** How large a part may be, for a table. */
export const PART_LIMITS = `${UNPACKED}; ${AS_SENT}`;

/** How large a part may be, in sentences. */
export const PART_SIZE = `A part has at most ${UNPACKED}, and at most ${AS_SENT}: compress it.`;
