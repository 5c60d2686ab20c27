package io.flowgate.client.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flowgate.client.ApiKey;
import io.flowgate.client.AuditQuery;
import io.flowgate.client.FlowgateApiException;
import io.flowgate.client.FlowgateClient;
import io.flowgate.client.KeyGrant;
import io.flowgate.client.KeysQuery;
import io.flowgate.client.MadeKey;
import io.flowgate.client.MakeKeyOptions;
import io.flowgate.client.RotateKeyOptions;
import io.flowgate.client.WhoAmI;
import io.flowgate.client.WorkflowItem;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A service that asks who is asking. */
class AccessIT {
  private static final String BOOTSTRAP = "what-somebody-made-up-to-begin-with-and-no-more";

  @RegisterExtension
  static final LiveService SERVICE = LiveService.withKeys(BOOTSTRAP);

  private static FlowgateClient admin;
  private static FlowgateClient adminOfBilling;

  @BeforeAll
  static void makeTheFirstKey() {
    try (FlowgateClient first = as(BOOTSTRAP)) {
      MakeKeyOptions options =
          MakeKeyOptions.defaults().owner("ada@example.com").grants(List.of(KeyGrant.of("*", "admin")));
      String secret = first.typed().makeKey(options).secret();
      admin = as(secret);
      adminOfBilling = FlowgateClient.builder(SERVICE.url()).token(secret).namespace("billing").build();
    }
  }

  @AfterAll
  static void close() {
    admin.close();
    adminOfBilling.close();
  }

  private static FlowgateClient as(String token) {
    return FlowgateClient.builder(SERVICE.url()).token(token).retries(0).build();
  }

  private static void assertRefused(int status, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(FlowgateApiException.class, error -> assertThat(error.status()).isEqualTo(status));
  }

  @Test
  void saysWhoIsAskingAndWhatTheyMay() {
    WhoAmI me = admin.typed().whoami();
    assertThat(me.auth()).isEqualTo("key");
    assertThat(me.owner()).isEqualTo("ada@example.com");
    assertThat(me.grants().get(0).namespace()).isEqualTo("*");
    assertThat(me.grants().get(0).permissions()).contains("key:manage");
    assertThat(me.grants().get(0).workflows()).isNull();
    assertThat(admin.whoami()).isEqualTo(me.json());
    assertThat(admin.async().whoami().join()).isEqualTo(me);
  }

  @Test
  void makesKeysThatMayLessFindsThemGivesThemOtherSecretsAndRevokesThem() {
    Instant inAnHour = Instant.now().plus(Duration.ofHours(1));
    MadeKey made =
        admin
            .typed()
            .makeKey(
                MakeKeyOptions.defaults()
                    .owner("ci@example.com")
                    .name("nightly \"one\"")
                    .groups(List.of("robots"))
                    .grants(List.of(KeyGrant.of("billing", "operator", "approver").workflows("invoice-*")))
                    .expiresAt(inAnHour));
    ApiKey key = made.key();
    assertThat(key.name()).isEqualTo("nightly \"one\"");
    assertThat(key.groups()).containsExactly("robots");
    assertThat(key.grants()).containsExactly(KeyGrant.of("billing", "operator", "approver").workflows("invoice-*"));
    assertThat(key.expiresAt()).isEqualTo(inAnHour.toEpochMilli());
    assertThat(key.madeBy()).isEqualTo("ada@example.com");
    assertThat(made.toString()).doesNotContain(made.secret());

    KeysQuery ofCi = KeysQuery.defaults().owner("ci@example.com").limit(1);
    assertThat(admin.typed().listKeys(ofCi).items()).extracting(ApiKey::id).containsExactly(key.id());
    assertThat(admin.listKeys(ofCi)).contains(key.id()).doesNotContain(made.secret());

    MadeKey rotated = admin.typed().rotateKey(key.id(), RotateKeyOptions.defaults().overlap(Duration.ofMinutes(1)));
    try (FlowgateClient before = as(made.secret()); FlowgateClient after = as(rotated.secret())) {
      assertThat(before.typed().whoami().owner()).isEqualTo("ci@example.com");
      assertThat(after.typed().whoami().groups()).containsExactly("robots");
      admin.typed().revokeKey(key.id());
      assertRefused(401, before::whoami);
      assertRefused(401, after::whoami);
    }
    assertRefused(404, () -> admin.revokeKey("nobody"));
  }

  @Test
  void endsAllThatAnOwnerHas() {
    MakeKeyOptions options =
        MakeKeyOptions.defaults().owner("eve@example.com").grants(List.of(KeyGrant.of("billing", "viewer")));
    String secret = admin.async().makeKey(options).join().secret();
    admin.async().revokeOwner("eve@example.com").join();
    try (FlowgateClient eve = as(secret)) {
      assertRefused(401, eve::whoami);
    }
  }

  @Test
  void worksInTheNamespaceThatIsNamedAndIsRefusedWhatIsNotGranted() {
    String secret =
        admin.typed().makeKey(MakeKeyOptions.defaults().grants(List.of(KeyGrant.of("billing", "author")))).secret();
    try (FlowgateClient author = FlowgateClient.builder(SERVICE.url()).token(secret).namespace("billing").build()) {
      author.typed().loadAndRegister(Documents.document("hello", List.of(Documents.mock("greet"))));
      List<WorkflowItem> listed = author.typed().listWorkflows();
      assertThat(listed).extracting(WorkflowItem::workflowId).containsExactly("hello");
      assertThat(listed.get(0).units()).isNotEmpty();
      assertThat(author.listWorkflows()).contains("\"hello\"");
      assertThat(author.async().listWorkflows().join()).isEqualTo(listed);
      assertRefused(403, () -> author.startWorkflow("hello", null, false));
    }
    assertThat(admin.typed().listWorkflows()).isEmpty();
  }

  @Test
  void tellsWhoDidWhatPageByPageAndOnlyThoseWhoMayKnow() {
    MakeKeyOptions options =
        MakeKeyOptions.defaults().owner("mia@example.com").grants(List.of(KeyGrant.of("billing", "viewer")));
    String secret = admin.typed().makeKey(options).secret();
    String later = admin.typed().makeKey(options).key().id();
    try (FlowgateClient mia = as(secret)) {
      assertRefused(403, () -> mia.listAudit(AuditQuery.defaults()));
    }
    admin.revokeKey(later);

    AuditQuery made = AuditQuery.defaults().action("key.make").owner("ada@example.com").limit(1);
    var newest = adminOfBilling.typed().listAudit(made);
    assertThat(newest.items()).hasSize(1);
    assertThat(newest.items().get(0).action()).isEqualTo("key.make");
    assertThat(newest.items().get(0).subject()).isEqualTo("mia@example.com");
    assertThat(newest.items().get(0).by().owner()).isEqualTo("ada@example.com");
    var older = adminOfBilling.async().listAudit(made.after(newest.next())).join();
    assertThat(older.items()).hasSize(1);
    assertThat(older.items().get(0).id()).isNotEqualTo(newest.items().get(0).id());
    String revoked = adminOfBilling.listAudit(AuditQuery.defaults().action("key.revoke").owner("ada@example.com").limit(1));
    assertThat(revoked).contains("key.revoke").doesNotContain(secret);
  }
}
