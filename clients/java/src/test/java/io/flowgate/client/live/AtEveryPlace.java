package io.flowgate.client.live;

import io.flowgate.client.FlowgateClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;

/** Tests of a client that hold wherever the service is: a service for each class, a client for each test. */
abstract class AtEveryPlace {
  @RegisterExtension static final LiveService SERVICE = LiveService.inMemory();
  @RegisterExtension static final PathProxy PROXY = PathProxy.before(SERVICE);

  @Parameter Place place;
  FlowgateClient client;

  @BeforeEach
  void open() {
    client = new FlowgateClient(place.address(SERVICE, PROXY));
  }

  @AfterEach
  void close() {
    client.close();
  }
}
