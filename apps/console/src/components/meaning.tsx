import { meaningOf } from '../format/words.ts';
import { Sentence } from './sentence.tsx';

/** What is wrong, and what to do. */
export function Meaning({ code, refused }: { code: string; refused: boolean }) {
  const { when, remedy } = meaningOf(code, refused);
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
