package io.flowgate.client;

import io.flowgate.client.internal.json.JsonValues;
import java.util.Map;

/**
 * One line of a run's readable history. The records that implement it are the kinds that this version knows; what a later
 * service adds is {@link Other}. Values of JSON are as in {@link WorkflowResult}.
 */
public sealed interface RunMessage {
  /**
   * The kind, as the service names it.
   *
   * @return such as {@code unit-output}
   */
  String type();

  /**
   * When it was written.
   *
   * @return epoch ms
   */
  long timestamp();

  /**
   * A unit completed.
   *
   * @param timestamp epoch ms
   * @param sourceUnitId the unit
   * @param data what it answered: a value of JSON; long ones are a reference
   * @param attempt counts from 1
   */
  record UnitOutput(long timestamp, String sourceUnitId, Object data, long attempt) implements RunMessage {
    /** Copies what could be changed. */
    public UnitOutput {
      data = JsonValues.immutable(data);
    }

    @Override
    public String type() {
      return "unit-output";
    }
  }

  /**
   * A unit's condition did not hold.
   *
   * @param timestamp epoch ms
   * @param unitId the unit
   */
  record UnitSkipped(long timestamp, String unitId) implements RunMessage {
    @Override
    public String type() {
      return "unit-skipped";
    }
  }

  /**
   * An attempt failed, and another follows.
   *
   * @param timestamp epoch ms
   * @param unitId the unit
   * @param attempt the one that failed; counts from 1
   * @param error why
   * @param delayMs the pause before the next, in ms
   */
  record UnitRetry(long timestamp, String unitId, long attempt, String error, double delayMs) implements RunMessage {
    @Override
    public String type() {
      return "unit-retry";
    }
  }

  /**
   * The last attempt failed.
   *
   * @param timestamp epoch ms
   * @param unitId the unit
   * @param attempt counts from 1
   * @param error why
   */
  record UnitFailed(long timestamp, String unitId, long attempt, String error) implements RunMessage {
    @Override
    public String type() {
      return "unit-failed";
    }
  }

  /**
   * A gate is open.
   *
   * @param timestamp epoch ms
   * @param unitId the gate's unit
   * @param gateId what a decision names
   * @param action what is asked
   * @param payload what it is about: a value of JSON
   */
  record HitlRequest(long timestamp, String unitId, long gateId, String action, Object payload) implements RunMessage {
    /** Copies what could be changed. */
    public HitlRequest {
      payload = JsonValues.immutable(payload);
    }

    @Override
    public String type() {
      return "hitl-request";
    }
  }

  /**
   * A gate was decided.
   *
   * @param timestamp epoch ms
   * @param gateId the gate
   * @param approved whether it was approved
   * @param responder by whom, as the decision says
   * @param via how the decision came: {@code http}, {@code mcp}, {@code in-process}, or {@code unknown} where that was not
   *     recorded yet
   * @param isClaimed whether that is said by the log of an imported run, and nobody at the service knows
   */
  record HitlResponse(
      long timestamp, long gateId, boolean approved, String responder, String via, boolean isClaimed)
      implements RunMessage {
    /**
     * One that somebody is known to have made.
     *
     * @param timestamp epoch ms
     * @param gateId the gate
     * @param approved whether it was approved
     * @param responder by whom
     * @param via how the decision came
     */
    public HitlResponse(long timestamp, long gateId, boolean approved, String responder, String via) {
      this(timestamp, gateId, approved, responder, via, false);
    }

    @Override
    public String type() {
      return "hitl-response";
    }
  }

  /**
   * A checkpoint that the run can go back to.
   *
   * @param timestamp epoch ms
   * @param runId of the run
   * @param snapshotId what {@code resume} names
   */
  record Checkpoint(long timestamp, String runId, String snapshotId) implements RunMessage {
    @Override
    public String type() {
      return "checkpoint";
    }
  }

  /**
   * An orchestrator gave a task to a specialist.
   *
   * @param timestamp epoch ms
   * @param sourceUnitId the orchestrator
   * @param targetUnitId the specialist
   * @param task a value of JSON
   */
  record Delegation(long timestamp, String sourceUnitId, String targetUnitId, Object task) implements RunMessage {
    /** Copies what could be changed. */
    public Delegation {
      task = JsonValues.immutable(task);
    }

    @Override
    public String type() {
      return "delegation";
    }
  }

  /**
   * A key of the shared state was written.
   *
   * @param timestamp epoch ms
   * @param key the key
   */
  record StateUpdate(long timestamp, String key) implements RunMessage {
    @Override
    public String type() {
      return "state-update";
    }
  }

  /**
   * A unit reported what it used.
   *
   * @param timestamp epoch ms
   * @param unitId the unit
   * @param tokens how many
   * @param cost in the currency that the units report
   */
  record CostUpdate(long timestamp, String unitId, double tokens, double cost) implements RunMessage {
    @Override
    public String type() {
      return "cost-update";
    }
  }

  /**
   * A bound of the workflow's policy was met.
   *
   * @param timestamp epoch ms
   * @param unitId the unit
   * @param violation which one
   */
  record PolicyViolation(long timestamp, String unitId, String violation) implements RunMessage {
    @Override
    public String type() {
      return "policy-violation";
    }
  }

  /**
   * A unit waits for an instant.
   *
   * @param timestamp epoch ms
   * @param unitId the unit
   * @param dueAt the instant; epoch ms
   */
  record TimerSet(long timestamp, String unitId, long dueAt) implements RunMessage {
    @Override
    public String type() {
      return "timer-set";
    }
  }

  /**
   * A unit started a run of another workflow.
   *
   * @param timestamp epoch ms
   * @param unitId the unit
   * @param childRunId the run that it started
   * @param workflowId the workflow of that run
   */
  record ChildStarted(long timestamp, String unitId, String childRunId, String workflowId) implements RunMessage {
    @Override
    public String type() {
      return "child-started";
    }
  }

  /**
   * A run that a unit started waits for somebody.
   *
   * @param timestamp epoch ms
   * @param unitId the unit
   * @param childRunId the run that it started
   */
  record ChildPaused(long timestamp, String unitId, String childRunId) implements RunMessage {
    @Override
    public String type() {
      return "child-paused";
    }
  }

  /**
   * A run that a unit started is over.
   *
   * @param timestamp epoch ms
   * @param unitId the unit
   * @param childRunId the run that it started
   * @param status {@code completed}, {@code failed} or {@code cancelled}
   */
  record ChildEnded(long timestamp, String unitId, String childRunId, String status) implements RunMessage {
    @Override
    public String type() {
      return "child-ended";
    }
  }

  /**
   * The run was paused.
   *
   * @param timestamp epoch ms
   * @param reason {@code before} and {@code after} are the author's, {@code requested} is somebody's; others the service's
   * @param unitId where
   * @param error what to do
   */
  record RunPaused(long timestamp, String reason, String unitId, String error) implements RunMessage {
    @Override
    public String type() {
      return "run-paused";
    }
  }

  /**
   * The run went back to a checkpoint.
   *
   * @param timestamp epoch ms
   * @param snapshotId which one
   */
  record Rewound(long timestamp, String snapshotId) implements RunMessage {
    @Override
    public String type() {
      return "rewound";
    }
  }

  /**
   * The run failed.
   *
   * @param timestamp epoch ms
   * @param error why
   */
  record RunFailed(long timestamp, String error) implements RunMessage {
    @Override
    public String type() {
      return "run-failed";
    }
  }

  /**
   * Somebody asked that the run be cancelled.
   *
   * @param timestamp epoch ms
   * @param by who
   * @param isClaimed whether that is said by the log of an imported run, and nobody at the service knows
   */
  record CancelRequested(long timestamp, String by, boolean isClaimed) implements RunMessage {
    /**
     * By somebody who is known.
     *
     * @param timestamp epoch ms
     * @param by who
     */
    public CancelRequested(long timestamp, String by) {
      this(timestamp, by, false);
    }

    @Override
    public String type() {
      return "cancel-requested";
    }
  }

  /**
   * The run was cancelled, and has cleaned up.
   *
   * @param timestamp epoch ms
   * @param by who requested it
   * @param isClaimed whether that is said by the log of an imported run, and nobody at the service knows
   */
  record RunCancelled(long timestamp, String by, boolean isClaimed) implements RunMessage {
    /**
     * By somebody who is known.
     *
     * @param timestamp epoch ms
     * @param by who requested it
     */
    public RunCancelled(long timestamp, String by) {
      this(timestamp, by, false);
    }

    @Override
    public String type() {
      return "run-cancelled";
    }
  }

  /**
   * A kind of a later service, or one that has not the fields that this version knows of it.
   *
   * @param type as the service names it
   * @param timestamp epoch ms; 0 where there is none
   * @param fields all of it, {@code type} and {@code timestamp} included; deeply immutable
   */
  record Other(String type, long timestamp, Map<String, Object> fields) implements RunMessage {
    /** Copies what could be changed. */
    public Other {
      fields = JsonValues.immutable(fields);
    }
  }
}
