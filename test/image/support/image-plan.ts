import { readFileSync } from 'node:fs';
import dockerfileAst from 'dockerfile-ast';
import type { Env, From, Instruction, JSONInstruction, Label } from 'dockerfile-ast';

/** One step of a stage. */
export type Step =
  | { readonly kind: 'run'; readonly command: string }
  | {
      readonly kind: 'copy';
      /** The stage that it comes from; null: the context of the build. */
      readonly from: string | null;
      readonly sources: readonly string[];
      readonly target: string;
    }
  | { readonly kind: 'workdir'; readonly path: string };

export interface Stage {
  readonly name: string | null;
  readonly base: string;
  readonly steps: readonly Step[];
}

/** What a Dockerfile says. */
export interface ImagePlan {
  readonly stages: readonly Stage[];
  /** Of the last stage. */
  readonly environment: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly user: string;
  readonly volumes: readonly string[];
  readonly port: number;
  readonly stopSignal: string;
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
}

/** Reads the instructions that ours uses; any other one throws, for nobody would execute it. */
export function readImagePlan(file = 'Dockerfile'): ImagePlan {
  const dockerfile = dockerfileAst.DockerfileParser.parse(readFileSync(file, 'utf8'));
  const stages: { name: string | null; base: string; steps: Step[] }[] = [];
  const environment: Record<string, string> = {};
  const labels: Record<string, string> = {};
  const last: Record<string, Instruction> = {};
  for (const instruction of dockerfile.getInstructions()) {
    const keyword = instruction.getKeyword();
    const words = instruction.getArguments().map(String);
    const steps = stages.at(-1)?.steps ?? [];
    switch (keyword) {
      case 'FROM': {
        const from = instruction as From;
        stages.push({ name: from.getBuildStage(), base: from.getImage() ?? '', steps: [] });
        break;
      }
      case 'RUN':
        steps.push({ kind: 'run', command: instruction.getArgumentsContent() ?? '' });
        break;
      case 'COPY':
        steps.push(copyOf(instruction as JSONInstruction, words));
        break;
      case 'WORKDIR':
        steps.push({ kind: 'workdir', path: words.join(' ') });
        break;
      case 'ENV':
        for (const property of (instruction as Env).getProperties())
          environment[property.getName()] = property.getValue() ?? '';
        break;
      case 'LABEL':
        for (const property of (instruction as Label).getProperties())
          labels[property.getName()] = property.getValue() ?? '';
        break;
      case 'USER':
      case 'VOLUME':
      case 'EXPOSE':
      case 'STOPSIGNAL':
      case 'HEALTHCHECK':
      case 'CMD':
        last[keyword] = instruction;
        break;
      default:
        throw new Error(`The Dockerfile has ${keyword}, which nobody checks: teach test/image to.`);
    }
  }
  const text = (keyword: string) => last[keyword]?.getArgumentsContent() ?? '';
  return {
    stages,
    environment,
    labels,
    user: text('USER'),
    volumes: text('VOLUME').split(/\s+/),
    port: Number(text('EXPOSE')),
    stopSignal: text('STOPSIGNAL'),
    command: JSON.parse(text('CMD')) as string[],
    healthCheck: JSON.parse(text('HEALTHCHECK').replace(/^CMD\s+/, '')) as string[],
  };
}

function copyOf(instruction: JSONInstruction, words: readonly string[]): Step {
  const flags = instruction.getFlags();
  const odd = flags.find((flag) => flag.getName() !== 'from');
  if (odd !== undefined) throw new Error(`COPY has --${odd.getName()}, which nobody checks.`);
  return {
    kind: 'copy',
    from: flags[0]?.getValue() ?? null,
    sources: words.slice(0, -1),
    target: words.at(-1) ?? '',
  };
}
