import { stopSharedServers } from './shared-servers.mjs';

export default stopSharedServers;
