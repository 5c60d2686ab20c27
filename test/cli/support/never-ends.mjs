// A command that does not end when it is asked to; run with the folder of the compiled package.
const { Interruption } = await import(`${process.argv[2]}/cli/terminal/interruption.js`);

const { signal } = new Interruption();
signal.addEventListener('abort', () => process.stdout.write('interrupted\n'));
setInterval(() => undefined, 1_000_000);
process.stdout.write('waits\n');
