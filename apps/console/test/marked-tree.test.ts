import { MASK } from '@causeway/contracts/codes';
import { expect, test } from 'vitest';
import { markedTree } from '../src/pages/account/marked-tree.ts';

test('26.8.2 a long list of values stands on one line, unless one of them was refused', () => {
  const tree = (values: unknown[], attr = '') => markedTree({ values }, [{ attr, code: 'invalid' }]);
  expect(tree(new Array(24).fill('0.5'))).toMatchObject([{ value: new Array(24).fill('0.5').join(', ') }]);
  expect(tree(new Array(48).fill(MASK))).toMatchObject([{ value: MASK }]);
  for (const [values, attr] of [
    [new Array(23).fill('0.5'), ''],
    [new Array(24).fill({ a: 1 }), ''],
    [new Array(24).fill('0.5'), 'values.3'],
  ] as const) {
    expect(tree([...values], attr)[0]?.children).toHaveLength(values.length);
  }
});
