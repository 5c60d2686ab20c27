package io.flowgate.client.internal.http;

import io.flowgate.client.FlowgateException;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * What says who is asking. What a supplier gives is remembered until the service refuses it; then the supplier is asked again, by one
 * thread for all that wait. No message and no text of this class holds a token.
 */
public final class Credentials {
  private static final Pattern TOKEN = Pattern.compile("[\\x21-\\x7E]{1,16384}");
  /** A shorter one may be a word of an answer by chance. */
  private static final int LEAST_REDACTED = 8;
  private static final String WHAT_IT_IS =
      "a text of visible characters without blanks, as it stands behind Bearer";

  /** Null: there is one token at most. */
  private final Supplier<String> supplier;
  /** Not {@code synchronized}, which holds the thread below a virtual one. */
  private final ReentrantLock lock = new ReentrantLock();
  private int edition;
  private boolean isGood;
  private volatile String token;

  /** Of one try: which of the tokens that came one after the other it was sent with. */
  public static final class Given {
    private final String token;
    private final int edition;

    private Given(String token, int edition) {
      this.token = token;
      this.edition = edition;
    }

    /** Null: none. */
    String authorization() {
      return token == null ? null : "Bearer " + token;
    }
  }

  private Credentials(Supplier<String> supplier, String token) {
    this.supplier = supplier;
    this.token = token;
  }

  public static Credentials none() {
    return new Credentials(null, null);
  }

  /** Throws an {@code IllegalArgumentException} that does not name it. */
  public static Credentials of(String token) {
    Objects.requireNonNull(token, "token must be a text; leave it out for none");
    if (!TOKEN.matcher(token).matches()) throw new IllegalArgumentException("token must be " + WHAT_IT_IS);
    return new Credentials(null, token);
  }

  public static Credentials from(Supplier<String> supplier) {
    return new Credentials(Objects.requireNonNull(supplier, "tokenSupplier must not be null"), null);
  }

  public boolean isThere() {
    return supplier != null || token != null;
  }

  /** Whether there may be another one; asking for it may take a while. */
  public boolean isRenewable() {
    return supplier != null;
  }

  /** Blocks while the supplier is asked. Throws a {@code FlowgateException} where it gives none. */
  public Given given() {
    if (supplier == null) return new Given(token, 0);
    lock.lock();
    try {
      if (!isGood) {
        token = asked();
        isGood = true;
      }
      return new Given(token, edition);
    } finally {
      lock.unlock();
    }
  }

  /** The service took it no longer. */
  public void refused(Given given) {
    lock.lock();
    try {
      if (given.edition != edition) return;
      edition++;
      isGood = false;
    } finally {
      lock.unlock();
    }
  }

  /** What somebody answered, without the token that they were sent. */
  String redacted(String text) {
    String sent = token;
    return sent == null || sent.length() < LEAST_REDACTED ? text : text.replace(sent, "[token]");
  }

  private String asked() {
    String asked;
    try {
      asked = supplier.get();
    } catch (RuntimeException failed) {
      throw new FlowgateException("There is no token to ask with: the tokenSupplier failed, as the cause says", failed);
    }
    if (asked == null || !TOKEN.matcher(asked).matches())
      throw new FlowgateException("The tokenSupplier gave no token: it must be " + WHAT_IT_IS, null);
    return asked;
  }
}
