/** The Java client of Flowgate. */
module io.flowgate.client {
  requires com.fasterxml.jackson.databind;
  requires com.networknt.schema;
  requires transitive java.net.http;
  requires org.snakeyaml.engine;

  exports io.flowgate.client;
}
