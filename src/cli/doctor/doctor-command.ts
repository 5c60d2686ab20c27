import type { Argv, CommandModule } from 'yargs';
import { withOutputOptions } from '../remote/server/server-options.js';
import type { DoctorArguments } from './doctor.js';

export const doctorCommand: CommandModule<object, DoctorArguments> = {
  command: 'doctor',
  describe: 'Find what keeps Flowgate from working here or at the server, and say what to do',
  builder: (args: Argv) =>
    withOutputOptions(args, 'What was found, on one line')
      .example('$0 doctor', 'Node, port, data folder, settings, server, units, clock')
      .example(
        '$0 doctor --server https://flow.example.com --output json',
        'Of another server, for programs',
      ),
  handler: async (given) => {
    const { doctor } = await import('./doctor.js');
    process.exitCode = await doctor(given);
  },
};
