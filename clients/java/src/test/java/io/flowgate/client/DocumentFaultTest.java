package io.flowgate.client;
import static org.assertj.core.api.Assertions.assertThat;
import org.junit.jupiter.api.Test;
class DocumentFaultTest { @Test void x() { assertThat(new DocumentFault("", 1, 1, "m").line()).isEqualTo(1); } }
