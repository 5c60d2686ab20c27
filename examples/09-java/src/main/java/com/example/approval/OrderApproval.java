package com.example.approval;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.flowgate.client.FlowgateClient;
import io.flowgate.client.RespondOptions;
import io.flowgate.client.RunMessage;
import io.flowgate.client.RunRecord;
import io.flowgate.client.RunStatus;
import io.flowgate.client.TypedFlowgateClient;

/** Starts a run that stops at a gate, reads what it waits for, approves, prints what came out. */
public final class OrderApproval {
  /** What the run begins with. */
  record Order(String orderId, double amount) {}

  /** What it leaves behind. */
  record Shipped(@JsonProperty("output.ship") String note) {}

  private OrderApproval() {}

  public static void main(String[] arguments) {
    String address = System.getenv().getOrDefault("FLOWGATE_URL", "http://127.0.0.1:8787");
    try (FlowgateClient client = new FlowgateClient(address)) {
      TypedFlowgateClient flowgate = client.typed();
      String workflowId = flowgate.loadAndRegister("workflow.yaml").workflowId();

      String runId = flowgate.startWorkflow(workflowId, new Order("A-17", 120)).runId();
      RunRecord waiting = flowgate.waitForRun(workflowId, runId);
      for (RunMessage message : waiting.result().messages()) {
        if (message instanceof RunMessage.HitlRequest request) System.out.println("It waits: " + request.action());
      }

      RunRecord over =
          flowgate.respondHitl(workflowId, runId, true, RespondOptions.defaults().responder("ann"));
      if (over.status() != RunStatus.COMPLETED) {
        throw new IllegalStateException("The order was not shipped: " + over.status() + ".");
      }
      System.out.println("It is over: " + over.result().stateAs(Shipped.class).note());
    }
  }
}
