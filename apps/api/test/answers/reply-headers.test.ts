import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addRemarks, noteHeaders, undocumentedNames } from '../../src/answers/reply-headers.ts';
import type { ResponseNotes } from '../../src/http/context.ts';

/** nginx reads all headers of an answer into one page. */
const PAGE_BYTES = 4_096;
const name = fc.tuple(fc.constantFrom('x', 'é', '🙂'), fc.nat(400)).map(([letter, length]) => letter.repeat(length));
const names = fc.array(name, { maxLength: 100, size: 'max' });

test('4.18.3 what is undocumented and what is remarked fit into one page of a proxy, together, and nothing is left out uncounted', () => {
  fc.assert(
    fc.property(names, names, (undocumented, attrs) => {
      const notes: ResponseNotes = { undocumentedFields: undocumentedNames(undocumented) };
      addRemarks(
        notes,
        attrs.map((attr) => ({ code: 'placeholder', attr })),
      );
      const headers = noteHeaders(notes);
      const text = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      expect(text.join('').length).toBeLessThan(PAGE_BYTES);
      const { Remarks: line = '' } = headers;
      const counted = [...line.matchAll(/;count=(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
      expect(counted).toBe(attrs.length);
    }),
  );
});
