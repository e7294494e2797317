import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { editsOf } from '../src/defects/defect.ts';
import { DEFECTS } from '../src/defects.ts';
import { REPOSITORY } from '../src/try-defect.ts';

test.each(DEFECTS)('reliability rig: the defect can be planted: $name', (defect) => {
  for (const { file, find } of editsOf(defect)) {
    const text = readFileSync(path.join(REPOSITORY, file), 'utf8');
    expect(text.split(find).length - 1, `${file}: ${find}`).toBe(1);
  }
});
