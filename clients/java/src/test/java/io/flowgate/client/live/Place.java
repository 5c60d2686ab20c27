package io.flowgate.client.live;

/** Where a client finds the service; the same tests hold for both. */
enum Place {
  SERVICE("a service"),
  UNDER_A_PATH("a service under a path");

  private final String words;

  Place(String words) {
    this.words = words;
  }

  String address(LiveService service, PathProxy proxy) {
    return this == SERVICE ? service.url() : proxy.url();
  }

  @Override
  public String toString() {
    return words;
  }
}
