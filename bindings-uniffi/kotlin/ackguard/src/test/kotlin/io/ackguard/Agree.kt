package io.ackguard

import com.fasterxml.jackson.core.json.JsonWriteFeature
import com.fasterxml.jackson.databind.node.NullNode
import java.io.FileDescriptor
import java.io.FileOutputStream
import java.io.PrintStream

/**
 * Kotlin's side of `make agree`: reads {"file", "input"} line by line, answers as the runner of the shared cases does.
 */
public object Agree {
    @JvmStatic
    public fun main(arguments: Array<String>) {
        val out = PrintStream(FileOutputStream(FileDescriptor.out), false, Charsets.UTF_8)
        // A number that no double holds is a number, as the other languages write it, and no text.
        val writer = Json.mapper.writer().without(JsonWriteFeature.WRITE_NAN_AS_STRINGS)
        for (line in System.`in`.bufferedReader().lineSequence()) {
            val answer = try {
                val asked = Fields(Json.parse(line))
                val operations = Operations(VectorFile(asked.needed("file"), NullNode.instance, listOf()))
                Json.of(mapOf("answer" to operations.answer(Fields(asked.value("input")))))
            } catch (problem: Exception) {
                // Whatever a language answers with is compared.
                Json.of(mapOf("not_run" to problem.toString()))
            }
            out.println(writer.writeValueAsString(answer))
            out.flush()
        }
    }
}
