/** `stop`: once nothing of the run moves. `gate`: also once a gate is open, then possibly with a run that is `running`. */
export type SyncUntil = 'stop' | 'gate';

/** As `SyncUntil`, of a run that has begun. `recorded`: once what is asked for is durable. */
export type AnsweredOnce = SyncUntil | 'recorded';
