/** The output of node --cpu-prof; times are in microseconds. */
export interface CpuProfile {
  nodes: ProfileNode[];
  startTime: number;
  samples: number[];
  timeDeltas: number[];
}

interface ProfileNode {
  id: number;
  callFrame: { functionName: string; url: string; lineNumber: number };
  children?: number[];
}

interface Share {
  name: string;
  /** Of the time that was not idle. */
  share: number;
}

/** Self time by package (our own code: by file) and by function, and the total time of functions. */
export interface ProfileShares {
  groups: Share[];
  functions: Share[];
  callers: Share[];
}

const SOCKET_WRITES = new Set(['writeUtf8String', 'writeLatin1String', 'writeBuffer', 'writev', 'writeString']);
const IDLE = new Set(['(idle)', '(root)']);

/** The shares of a stretch of the profile, in milliseconds from its start. */
export function sharesOf(profile: CpuProfile, window: { fromMs: number; toMs: number }): ProfileShares {
  const selfTimes = selfTimesOf(profile, window);
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const groups = new Map<string, number>();
  const functions = new Map<string, number>();
  const callers = new Map<string, number>();
  let busy = 0;
  for (const [id, time] of selfTimes) {
    const node = nodes.get(id);
    if (node === undefined || IDLE.has(node.callFrame.functionName)) continue;
    busy += time;
    add(groups, groupOf(node), time);
    add(functions, functionOf(node), time);
    // A recursive function counts once.
    const stack = new Set<string>();
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const caller = nodes.get(at);
      if (caller !== undefined && caller.callFrame.url !== '') stack.add(functionOf(caller));
    }
    for (const name of stack) add(callers, name, time);
  }
  const shares = (times: Map<string, number>) =>
    [...times].map(([name, time]) => ({ name, share: time / busy })).sort((one, other) => other.share - one.share);
  return { groups: shares(groups), functions: shares(functions), callers: shares(callers) };
}

function selfTimesOf({ samples, timeDeltas }: CpuProfile, { fromMs, toMs }: { fromMs: number; toMs: number }) {
  const times = new Map<number, number>();
  let at = 0;
  for (const [index, id] of samples.entries()) {
    const delta = timeDeltas[index] ?? 0;
    at += delta;
    if (at >= fromMs * 1_000 && at < toMs * 1_000) times.set(id, (times.get(id) ?? 0) + delta);
  }
  return times;
}

function add(times: Map<string, number>, name: string, time: number): void {
  times.set(name, (times.get(name) ?? 0) + time);
}

const REPOSITORY = /^file:\/\/.*?\/((?:apps|packages|tools)\/(?!.*node_modules).*)$/;
const PACKAGE = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(.*)$/;

/** A package of npm, a part of Node, or a file of ours. */
function groupOf({ callFrame: { functionName, url } }: ProfileNode): string {
  if (SOCKET_WRITES.has(functionName)) return 'writes to sockets, system calls included';
  if (url === '') return `${functionName === '' ? '(anonymous)' : functionName}, in the engine`;
  if (url.startsWith('node:')) return url.replace(/^node:(internal\/[^/]+|[^/]+).*$/, 'node:$1');
  return REPOSITORY.exec(url)?.[1] ?? PACKAGE.exec(url)?.[1] ?? url;
}

function functionOf({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string {
  const name = functionName === '' ? '(anonymous)' : functionName;
  if (url === '') return name;
  const [, npm, file] = PACKAGE.exec(url) ?? [];
  const where = REPOSITORY.exec(url)?.[1] ?? (npm === undefined ? url : `${npm}/${file?.split('/').at(-1)}`);
  return `\`${name}\` ${where}:${lineNumber + 1}`;
}
