import { useCallback, useEffect, useRef } from 'react';
import styles from './html-frame.module.css';

/** apps/api/src/console/page.ts: an empty document with a policy of its own. */
const ADDRESS = '/console/frame';

/**
 * HTML that somebody wrote, as a mail program would show it: with its own styles, but without scripts, forms, links and
 * pictures of other hosts. A frame with `srcdoc` would have the console's policy, and so none of the styles in tags.
 */
export function HtmlFrame({ title, html }: { title: string; html: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const write = useCallback(() => {
    const page = frame.current?.contentDocument;
    // What is there until it is loaded has the console's policy.
    if (page?.URL.endsWith(ADDRESS)) page.documentElement.innerHTML = html;
  }, [html]);
  useEffect(write, [write]);
  return (
    <iframe
      ref={frame}
      className={styles.frame}
      title={title}
      src={ADDRESS}
      sandbox="allow-same-origin"
      onLoad={write}
    />
  );
}
