package io.ackguard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    @Test
    void catchesWhatAPayloadSays() {
        String ack = "{\"code\": 4101, \"message\": \"Room full\"}";
        try {
            Ackguard.throwForError(ack);
            fail("nothing was thrown");
        } catch (AckguardException.ProtocolFailed failed) {
            assertEquals(ErrorCode.ROOM_FULL, failed.getPayload().getCode());
        } catch (AckguardException other) {
            fail(other);
        }
        assertThrows(AckguardException.ProtocolFailed.class, () -> Ackguard.classifyJson(ack).orThrow());
    }

    @Test
    void headersThatComeMoreThanOnce() throws AckguardException {
        // As HttpURLConnection has them: the status line under no name.
        Map<String, List<String>> headers = new HashMap<>();
        headers.put(null, List.of("HTTP/1.1 400 Bad Request"));
        headers.put("x-a2c-error-code", Arrays.asList("4007", null, "4008"));
        assertTrue(Ackguard.parseHandshakeFailure(400, headers, new byte[0]) instanceof HandshakeRefusal.VersionsDiffer);
        assertNull(Ackguard.parseHandshakeFailure(400, Map.of("X-A2C-Error-Code", List.of("4007")), new byte[0]));
        assertNull(Ackguard.parseHandshakeFailure(-1, headers, new byte[0]));
        byte[] body = "{\"code\": 400, \"message\": \"m\"}".getBytes(StandardCharsets.UTF_8);
        assertTrue(Ackguard.parseHandshakeFailure(400, Map.of(), body) instanceof HandshakeRefusal.BadRequest);
        HandshakeAnswer answer = Ackguard.checkHandshake("", Ackguard.parseProtocolVersion("0.2.0"));
        assertEquals(400, Ackguard.getStatusCode(answer));
    }

    @Test
    void numbersAreSigned() throws AckguardException {
        assertTrue(Ackguard.checkBlobRange(10, 10).getEof());
        assertThrows(AckguardException.BlobRefused.class, () -> Ackguard.checkBlobRange(11, 10));
        assertThrows(AckguardException.Misuse.class, () -> Ackguard.checkBlobRange(0, -1));
        assertEquals(3, Ackguard.getLength(Ackguard.clampChunk(0, 10, 4, 3)));
        assertEquals(List.of(), Ackguard.backoff(0, 60.0));
        assertEquals(2, Ackguard.backoff(2, 0.5).size());
        AckguardException.SkillNameRefused refused =
                assertThrows(AckguardException.SkillNameRefused.class, () -> Ackguard.parseSkillName("a:Bé", Dialect.V02));
        assertEquals(2, Ackguard.getSpan(refused).getFirst());
        String tooLarge = "{\"code\": 4017, \"message\": \"m\", \"details\": {\"reason\": \"too_large\", \"total_size\": 7}}";
        assertEquals(7L, Ackguard.getTotalBytes(Ackguard.classifyJson(tooLarge).getError()));
        try (Tally tally = new Tally()) {
            tally.addJson(tooLarge.getBytes(StandardCharsets.UTF_8), null);
            assertEquals(1, Ackguard.getCount(tally));
            TallyRow row = tally.rows().get(0);
            assertEquals(1, row.getCount());
            assertEquals(new AttributeValue.Text("SKILL_RESOURCE_NOT_ACCESSIBLE"), row.getAttributes().get("error.type"));
            assertEquals(new AttributeValue.Number(4017), row.getAttributes().get("ackguard.code"));
        }
    }

    @Test
    void readsThePackage(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("SKILL.md"), "hello");
        try (SkillRoot root = Ackguard.openSkillRoot(folder.toString());
                SkillFile file = root.open(null)) {
            assertEquals(5, Ackguard.length(root));
            assertEquals(5, Ackguard.getLength(file));
            assertEquals("hel", new String(Ackguard.read(file, 3), StandardCharsets.UTF_8));
        }
        try (SkillRoot root = Ackguard.openSkillRoot(folder.toString(), 4L)) {
            assertThrows(AckguardException.SkillResourceRefused.class, () -> root.read(null));
        }
    }

    @Test
    void theRegistryIsAFileInTheJar() throws Exception {
        try (var file = Ackguard.class.getResourceAsStream("/io/ackguard/codes.json")) {
            String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            for (CodeInfo info : Ackguard.codes()) {
                assertTrue(text.contains("\"" + info.getName() + "\""), info.getName());
            }
        }
    }
}
