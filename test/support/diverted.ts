/** Redirects what is written to the process's own stream during `work` into the sink. */
export function diverted(
  stream: NodeJS.WriteStream,
  sink: (text: string) => boolean,
  work: () => void,
): void {
  const { write } = stream;
  stream.write = sink as typeof write;
  try {
    work();
  } finally {
    stream.write = write;
  }
}
