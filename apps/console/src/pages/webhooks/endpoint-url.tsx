import { Fragment } from 'react';

/** Where messages are sent; a long URL continues on the next line after a slash. */
export function EndpointUrl({ url }: { url: string }) {
  return (
    <code>
      {url.split(/(?<=[^/]\/)(?!\/)/).map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, which are never moved
        <Fragment key={place}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </code>
  );
}
