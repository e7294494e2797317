import { Path } from '../../components/path.tsx';

/** What stands between two braces, or a brace and a percent sign. */
const NAMED = /(\{\{.*?\}\}|\{%.*?%\})/;

/** A short text of a template: what it names is code, and is not broken in the middle of a word. */
export function TemplateText({ children }: { children: string }) {
  return children.split(NAMED).map((part, place) =>
    // Every second part is what was found between the others.
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, which are never moved
    place % 2 === 1 ? <Path key={place}>{part.replaceAll(' ', '\u00a0')}</Path> : part,
  );
}
