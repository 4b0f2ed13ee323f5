package io.ackguard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The same from Java: functions are static methods of {@code Ackguard}, properties are getters. */
class FromJavaTest {
    @Test
    void classifies() {
        byte[] ack = "{\"code\": 4101, \"message\": \"Room full\"}".getBytes(StandardCharsets.UTF_8);
        Classified classified = Ackguard.classifyJson(ack);
        assertEquals(PayloadKind.ERROR, classified.getKind());
        assertEquals(ErrorCode.ROOM_FULL, classified.getError().getCode());
        assertTrue(ErrorCode.ROOM_FULL.getKnown());
        assertEquals(classified, Ackguard.classifyJson(ack));
    }

    @Test
    void catchesByType() {
        AckguardException.SkillNameRefused refused = assertThrows(
                AckguardException.SkillNameRefused.class,
                () -> Ackguard.parseSkillName("Audit", Dialect.V02));
        assertEquals(SkillNameReason.BAD_CHAR, refused.getReason());
        AckguardException base = refused;
        assertTrue(base.getMessage().startsWith("invalid SKILL name"));
    }
}
