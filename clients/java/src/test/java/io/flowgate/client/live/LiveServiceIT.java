package io.flowgate.client.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LiveServiceIT {
  @RegisterExtension static final LiveService SERVICE = LiveService.inMemory();
  @RegisterExtension static final PathProxy PROXY = PathProxy.before(SERVICE);

  @Test
  void isReachedThroughTheProxy() throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(PROXY.url() + "health")).build();
    assertThat(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body()).contains("\"ok\":true");
  }
}
