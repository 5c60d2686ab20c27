import { execFile } from 'node:child_process';
import { devNull } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Makes npm believe that it runs on an old Node, whichever one this is. */
const OLD_NODE =
  'data:text/javascript,Object.defineProperty(process,"version",{value:"v20.17.0",enumerable:true})';

/** What `npm ci` would say, from the lock file alone: nothing is fetched, and nothing is written. */
async function install(...flags: readonly string[]): Promise<readonly string[]> {
  const npm = process.env['npm_execpath'];
  if (npm === undefined) throw new Error('Start the tests with `npm test`.');
  const { stdout, stderr } = await run(
    process.execPath,
    ['--import', OLD_NODE, npm, 'ci', '--dry-run', '--offline', '--ignore-scripts', ...flags],
    { env: withoutSettings(), maxBuffer: 64 * 1024 * 1024 },
  );
  return `${stdout}${stderr}`.split('\n').filter((line) => line.startsWith('npm '));
}

/** That there is a newer npm is no word about our packages. */
const WITHOUT_NEWS = { npm_config_update_notifier: 'false' };

/** Settings of the npm that runs the tests are not those of somebody who types `npm ci`. */
function withoutSettings(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^npm_config_|^NODE_OPTIONS$/i.test(name));
  return { ...Object.fromEntries(own), npm_config_userconfig: devNull, ...WITHOUT_NEWS };
}

it('npm ci on an older Node says nothing of the packages that never run there', async () => {
  const [quiet, loud] = await Promise.all([install(), install('--loglevel', 'warn')]);
  // It has something to say: otherwise this would prove nothing.
  expect(loud.filter((line) => line.includes('EBADENGINE')).length).toBeGreaterThan(100);
  expect(quiet).toEqual([]);
});
