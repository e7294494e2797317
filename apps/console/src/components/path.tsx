import { Fragment } from 'react';

const AFTER_PART = /(?<=[._])/;
const AFTER_SLASH = /(?<=[^/]\/)(?!\/)/;

/** A path or a code, which may continue on the next line after a dot or an underscore; a URL after a slash. */
export function Path({ children, title, isUrl }: { children: string; title?: string | undefined; isUrl?: boolean }) {
  return (
    <code title={title}>
      {children.split(isUrl ? AFTER_SLASH : AFTER_PART).map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, which are never moved
        <Fragment key={place}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </code>
  );
}
