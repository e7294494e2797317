import { execFileSync } from 'node:child_process';
import { chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Copy, DockerfileParser, type Instruction } from 'dockerfile-ast';
import { REPOSITORY } from './build-folder.ts';

// Runs the steps of deploy/Dockerfile without Docker, as root: each stage in a folder of its own, which stands for its
// file system, on the Node of this machine. pnpm try-dockerfile [COMMIT]

interface Stage {
  root: string;
  directory: string;
  user: string[];
  variables: Record<string, string>;
}

const place = mkdtempSync(path.join(tmpdir(), 'causeway-dockerfile-'));
const stages = new Map<string, Stage>();
const text = readFileSync(path.join(REPOSITORY, 'deploy/Dockerfile'), 'utf8');

function startStage([image, , name = 'last']: string[]): Stage {
  const version = process.version.slice(1);
  if (!image?.startsWith(`node:${version}`)) throw new Error(`${image} is not this Node, ${version}`);
  const root = path.join(place, name);
  const home = path.join(root, 'home/node');
  mkdirSync(home, { recursive: true });
  chownSync(home, 1_000, 1_000);
  execFileSync('chmod', ['-R', 'a+rX', place]);
  const stage = { root, directory: root, user: [], variables: {} };
  stages.set(name, stage);
  return stage;
}

/** The files that git does not ignore; .dockerignore excludes more or less the same. */
function copyContext(target: string): void {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: REPOSITORY, encoding: 'utf8' });
  for (const file of files.trim().split('\n')) cpSync(path.join(REPOSITORY, file), path.join(target, file));
}

function setVariables(stage: Stage, words: string[]): void {
  for (const word of words) {
    const [name = '', ...rest] = word.split('=');
    const known = rest.join('=').replace(/\$(\w+)/g, (_, other: string) => stage.variables[other] ?? '');
    stage.variables[name] = known.startsWith('/') ? path.join(stage.root, known) : known;
  }
}

function run(stage: Stage, command: string[]): void {
  const [first = '', ...words] = [...stage.user, ...command];
  const env = { ...process.env, ...stage.variables };
  execFileSync(first, words, { cwd: stage.directory, env, stdio: 'inherit' });
}

function copy(stage: Stage, words: string[], from: string | null | undefined): void {
  const [source = '', target = ''] = words.slice(-2);
  const destination = path.join(stage.directory, target);
  if (!from) copyContext(destination);
  else cpSync(path.join(stages.get(from)?.root ?? '', source), destination, { recursive: true });
}

function perform(stage: Stage, instruction: Instruction): void {
  const words = instruction.getArguments().map((argument) => argument.getValue());
  const content = instruction.getRawArgumentsContent() ?? '';
  const keyword = instruction.getKeyword();
  if (keyword === 'WORKDIR') {
    stage.directory = path.join(stage.root, words[0] ?? '');
    mkdirSync(stage.directory, { recursive: true });
  } else if (keyword === 'USER') {
    const [user, group] = (words[0] ?? '').split(':');
    stage.user = ['setpriv', `--reuid=${user}`, `--regid=${group}`, '--clear-groups'];
  } else if (keyword === 'ENV') setVariables(stage, words);
  else if (keyword === 'ARG') setVariables(stage, [`COMMIT=${process.argv[2] ?? 'unknown'}`]);
  else if (instruction instanceof Copy) copy(stage, words, instruction.getFromFlag()?.getValue());
  else if (keyword === 'RUN') run(stage, JSON.parse(content));
}

let stage: Stage | undefined;
for (const instruction of DockerfileParser.parse(text).getInstructions()) {
  process.stdout.write(`${instruction.getKeyword()} ${instruction.getRawArgumentsContent()}\n`);
  if (instruction.getKeyword() === 'FROM')
    stage = startStage(instruction.getArguments().map((word) => word.getValue()));
  else if (stage !== undefined) perform(stage, instruction);
}
process.stdout.write(`Its file system is ${stage?.root}\n`);
