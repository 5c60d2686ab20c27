package io.flowgate.client.internal.calls;

import io.flowgate.client.RetryOptions;
import io.flowgate.client.internal.http.CallerHeaders;
import io.flowgate.client.internal.http.Credentials;
import io.flowgate.client.internal.http.ServiceAddress;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;

/**
 * What a client was built with, checked.
 *
 * @param address of the service
 * @param headers of the caller
 * @param credentials of the caller
 * @param timeout of a call
 * @param connectTimeout of one try
 * @param retries how often
 * @param maxResponseBytes the longest answer that is read
 * @param apiGroups that documents may name
 * @param clock the caller's; null: the system's
 * @param scheduler the caller's; null: one of the client's own
 * @param httpClient the caller's; null: one of the client's own
 */
public record Settings(
    ServiceAddress address,
    CallerHeaders headers,
    Credentials credentials,
    Duration timeout,
    Duration connectTimeout,
    RetryOptions retries,
    long maxResponseBytes,
    List<String> apiGroups,
    InstantSource clock,
    ScheduledExecutorService scheduler,
    HttpClient httpClient) {}
