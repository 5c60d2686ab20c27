package com.example.orders;

/** What a run begins with. */
record Order(String orderId, double amount) {}
