/** Which parts of the HTTP surface an instance has. A part that is not named is switched on. */
export interface HttpParts {
  /** `GET /health`, `/health/live`, `/health/ready`. */
  readonly health?: boolean;
  /** Lists workflows, reads them and their versions and, unless `registration` says otherwise, registers them. */
  readonly workflows?: boolean;
  /** `POST /workflows/from-yaml` and `POST /workflows/validate`. Default: as `workflows`. */
  readonly registration?: boolean;
  /** Starting, reading and resuming runs, their messages and snapshots. */
  readonly runs?: boolean;
  /** `POST /workflows/:id/runs/:runId/hitl`. */
  readonly hitl?: boolean;
  /** `GET /memory/search`. */
  readonly memory?: boolean;
  /** `POST /mcp`; its tools work also where the routes that do the same are off. */
  readonly mcp?: boolean;
  /** `GET /metrics`; without it nothing is measured. */
  readonly metrics?: boolean;
  /** `GET /schemas/workflow.v1.json`. */
  readonly schemas?: boolean;
  /** `GET /whoami`, and, where it is asked who is asking, `/keys`, `/owners` and `/audit`. */
  readonly access?: boolean;
  /**
   * The console, at `/console/`. Default false: the host says who may see it. Where it is on, `webPages` is `{}` unless the host
   * says otherwise.
   */
  readonly console?: boolean;
}

/** How an instance is set up in its host; known before any factory runs. */
export interface FlowgatePlacement {
  /**
   * The prefix of every path of the instance, after the global prefix of the host; slashes around it are ignored.
   * Default `flowgate`. The empty text puts the paths at the root, as in the standalone service.
   */
  readonly prefix?: string;
  /** Makes what the module exports injectable in every module of the host. Default: only where it is imported. */
  readonly global?: boolean;
  /**
   * Tells several instances in one application apart: each needs a name (one may do without), and a prefix of its own.
   * 1 to 64 letters, digits, `_`, `.` or `-`.
   */
  readonly name?: string;
  /** False: no path at all. Default: all of them. */
  readonly http?: false | HttpParts;
}

/** A placement with its defaults. */
export interface Mount {
  /** The prefix without slashes around it. */
  readonly prefix: string;
  readonly name: string | undefined;
  readonly parts: Readonly<Required<HttpParts>>;
}

const DEFAULT_PREFIX = 'flowgate';
const NAME = /^[\w.-]{1,64}$/;

/** Throws for an invalid name. */
export function mountOf({ prefix = DEFAULT_PREFIX, name, http = {} }: FlowgatePlacement): Mount {
  if (name !== undefined && !NAME.test(name)) {
    throw new Error(
      `FlowgateModule: ${JSON.stringify(name)} is no name: take 1 to 64 letters, digits, "_", "." or "-"`,
    );
  }
  return { prefix: prefix.replace(/^\/+|\/+$/g, ''), name, parts: partsOf(http) };
}

export function hasHttp({ parts }: Mount): boolean {
  return Object.values(parts).includes(true);
}

function partsOf(http: false | HttpParts): Required<HttpParts> {
  const rest = http !== false;
  const { health = rest, workflows = rest, runs = rest, hitl = rest } = http === false ? {} : http;
  const {
    memory = rest,
    mcp = rest,
    schemas = rest,
    metrics = rest,
    access = rest,
    console = false,
  } = http === false ? {} : http;
  const { registration = workflows } = http === false ? {} : http;
  return { health, workflows, registration, runs, hitl, memory, mcp, metrics, schemas, access, console };
}
