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
    fit(frame.current);
  }, [html]);
  useEffect(write, [write]);
  useEffect(() => {
    const refit = () => fit(frame.current);
    addEventListener('resize', refit);
    return () => removeEventListener('resize', refit);
  }, []);
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

/** As high as what is in it, so that nothing is cut; at least as high as the style says. */
function fit(frame: HTMLIFrameElement | null): void {
  const root = frame?.contentDocument?.documentElement;
  if (!frame || !root) return;
  frame.style.height = '';
  const borders = frame.offsetHeight - frame.clientHeight;
  frame.style.height = `${root.scrollHeight + borders}px`;
}
