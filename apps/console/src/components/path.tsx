import { Fragment } from 'react';

/** A path or a code, which may continue on the next line after a dot or an underscore. */
export function Path({ children, title }: { children: string; title?: string | undefined }) {
  return (
    <code title={title}>
      {children.split(/(?<=[._])/).map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, which are never moved
        <Fragment key={place}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </code>
  );
}
