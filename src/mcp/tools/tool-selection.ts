import { listedNearNames } from '../../errors/near-names.js';
