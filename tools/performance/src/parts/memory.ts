import { judge } from '../report/finding.ts';
import { shown } from '../report/statistics.ts';
import { measureTurn } from '../world/measure-turn.ts';
import { peakResidentMb, residentMb } from '../world/processes.ts';
import type { Part } from './part.ts';

/** The memory of the service after all measurements, including a journey of its own. */
export const memory: Part = {
  name: 'memory',
  heading: 'Memory after the run',
  async measure(world, { effort }) {
    const { service, reference } = world;
    for (const target of [service, reference]) {
      await measureTurn(world, target, { scenario: 'journey', connections: 16, ...effort });
    }
    const value = residentMb(service.system.pid);
    const peak = peakResidentMb(service.system.pid);
    const other = residentMb(reference.system.pid);
    const goal = { value, direction: 'at most', mustReach: 250, aim: 150, unit: ' MB' } as const;
    return {
      findings: [judge('Memory of the service after the run', goal, `${shown(value)} MB`)],
      details: [`RSS: service ${shown(value)} MB, ${shown(peak)} MB at its peak; reference ${shown(other)} MB.`],
    };
  },
};
