/** What the process ends with; docs/cli.md has the same table. */
export const EXIT = {
  /** Done: the run completed, all documents are valid, the server carried out the request, a replay shows no difference. */
  done: 0,
  /** The run failed, a document has faults, the server refused, or a replay shows differences. */
  failed: 1,
  /** The command line is wrong, or a file that it names cannot be read. */
  usage: 2,
  /** The run waits for a person. */
  paused: 3,
  /** The server cannot be reached, or did not answer in time. */
  unreachable: 4,
  /** Ctrl-C. */
  interrupted: 130,
  /** SIGTERM. */
  terminated: 143,
} as const;

/** The exit code of commands that wait for a run, by its status then. `running`: a gate is open while something else moves. */
export function exitCodeOf(status: string): number {
  if (status === 'completed') return EXIT.done;
  return status === 'paused' || status === 'running' ? EXIT.paused : EXIT.failed;
}
