package io.flowgate.client;

/**
 * What lists say of a checkpoint, which a run can go back to, and from which it can be forked.
 *
 * @param snapshotId what {@code resume} and {@code fork} take
 * @param createdAt epoch ms
 * @param after why it is a checkpoint: the type of the event that it comes after
 * @param unitId of the unit that ended or stopped there; may be null
 */
public record SnapshotItem(String snapshotId, long createdAt, String after, String unitId) {}
