import { Fragment } from 'react';
import { Time } from './time.tsx';

/** Code between backticks, and a datetime as the service writes it. */
const SPECIAL = /`([^`]+)`|(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)/;

/** A sentence of the service or the contracts as people read it: code as code, datetimes as everywhere. */
export function Sentence({ children }: { children: string }) {
  const parts = children.split(SPECIAL);
  return parts.map((part, place) => {
    // Of three parts the first is text, the second code and the third a datetime; what was not found is undefined.
    const shown =
      place % 3 === 0 || part === undefined ? part : place % 3 === 1 ? <code>{part}</code> : <Time at={part} />;
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, which are never moved
    return <Fragment key={place}>{shown}</Fragment>;
  });
}
