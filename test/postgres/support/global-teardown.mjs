import { stopSharedServer } from './shared-server.mjs';

export default stopSharedServer;
