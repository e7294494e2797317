import type { Options, PartName } from '../options.ts';
import type { PartResult } from '../report/finding.ts';
import type { World } from '../world/world.ts';

/** One part of the bench, with a name for `--only` and a heading for the document. */
export interface Part {
  name: PartName;
  heading: string;
  /** Whether it is part of every run: its failures are fatal. */
  always?: boolean;
  measure(world: World, options: Options): Promise<PartResult>;
}
