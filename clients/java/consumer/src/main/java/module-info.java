/** Names what the program itself uses, and nothing of what the client uses. */
module com.example.orders {
  requires com.fasterxml.jackson.annotation;
  requires io.flowgate.client;

  opens com.example.orders to
      com.fasterxml.jackson.databind;
}
