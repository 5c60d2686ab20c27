/** Names what the program itself uses, and nothing of what the client uses. */
module com.example.orders {
  requires io.flowgate.client;
}
