import { meaningOf } from '../format/words.ts';
import { Sentence } from './sentence.tsx';

/** What is wrong, and what to do. */
export function Meaning({ code }: { code: string }) {
  const { when, remedy } = meaningOf(code);
  return (
    <>
      <p>
        <Sentence>{when}</Sentence>
      </p>
      {remedy !== undefined && (
        <p>
          <Sentence>{remedy}</Sentence>
        </p>
      )}
    </>
  );
}
