import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second in /proc, on every Linux that Node runs on. */
const TICKS = 100;

/** The memory of a process, in MB (millions of bytes); NaN without /proc. */
export const residentMb = (pid: number): number => megabytesOf(pid, 'VmRSS');

/** Its peak memory. */
export const peakResidentMb = (pid: number): number => megabytesOf(pid, 'VmHWM');

function megabytesOf(pid: number, field: string): number {
  const value = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readProcess(pid, 'status'))?.[1];
  return (Number(value) * 1_024) / 1e6;
}

/** CPU seconds used so far by a process, its ended children included. */
export function cpuSeconds(pid: number): number {
  const fields = fieldsOf(pid);
  return [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field] ?? 0), 0) / TICKS;
}

/** The same for a process and all its children: PostgreSQL has one for each connection. */
export function familyCpuSeconds(parent: number): number {
  let sum = cpuSeconds(parent);
  for (const name of listProcesses()) {
    const pid = Number(name);
    if (Number(fieldsOf(pid)[1]) === parent) sum += cpuSeconds(pid);
  }
  return sum;
}

/** The fields of /proc/<pid>/stat after the command's name, which may hold spaces. */
function fieldsOf(pid: number): string[] {
  const stat = readProcess(pid, 'stat');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function listProcesses(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

const WATCH_EVERY_MS = 20;

/** Samples the memory of a process until its peak, in MB, is read. */
export function watchResidentMb(pid: number): () => number {
  let most = residentMb(pid);
  const look = () => {
    most = Math.max(most, residentMb(pid));
  };
  const timer = setInterval(look, WATCH_EVERY_MS);
  return () => {
    clearInterval(timer);
    look();
    return most;
  };
}
