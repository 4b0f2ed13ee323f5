package io.ackguard

import com.fasterxml.jackson.core.JsonFactory
import com.fasterxml.jackson.core.StreamReadConstraints
import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.ObjectMapper
import com.fasterxml.jackson.databind.node.ArrayNode
import com.fasterxml.jackson.databind.node.NullNode
import com.fasterxml.jackson.databind.node.ObjectNode
import com.fasterxml.jackson.databind.node.TextNode
import java.io.File
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

/** JSON as the runner compares it: written and read again, so that equal numbers are equal nodes. */
internal object Json {
    // Numbers and depths are as unbounded as the cases'.
    val mapper = ObjectMapper(
        JsonFactory.builder().streamReadConstraints(
            StreamReadConstraints.builder().maxNumberLength(Int.MAX_VALUE).maxNestingDepth(Int.MAX_VALUE).build(),
        ).build(),
    )

    fun parse(text: String): JsonNode = mapper.readTree(text)

    fun of(value: Any?): JsonNode = when (value) {
        null -> NullNode.instance
        is JsonNode -> value
        is Map<*, *> -> mapper.createObjectNode().also { node ->
            value.forEach { (key, member) -> node.set<JsonNode>(key as String, of(member)) }
        }
        is Collection<*> -> mapper.createArrayNode().also { node -> value.forEach { node.add(of(it)) } }
        is ErrorCode -> of(value.value)
        is ULong -> of(value.toLong())
        is UShort -> of(value.toInt())
        else -> mapper.valueToTree(value)
    }

    fun same(left: JsonNode, right: JsonNode): Boolean = parse(left.toString()) == parse(right.toString())
}

/** The runner does not know what to do: such a case does not count as run. */
internal class NotRun(problem: String) : Exception(problem)

/** Named fields that have to be used up. */
internal class Fields(node: JsonNode) {
    private val left: MutableMap<String, JsonNode> = node.properties().associate { it.key to it.value }.toMutableMap()

    fun take(name: String): JsonNode? = left.remove(name)

    fun text(name: String): String? {
        val value = left[name] ?: return null
        if (!value.isTextual) throw NotRun("$name is $value")
        left.remove(name)
        return value.textValue()
    }

    fun needed(name: String): String = text(name) ?: throw NotRun("needs the input $name")

    fun value(name: String): JsonNode = take(name) ?: throw NotRun("needs the input $name")

    fun integer(name: String): Long {
        val value = value(name)
        if (!value.isIntegralNumber) throw NotRun("$name is $value")
        return value.longValue()
    }

    fun flag(name: String): Boolean = take(name)?.let { if (it.isBoolean) it.booleanValue() else null } ?: false

    fun dialect(): Dialect =
        text("dialect")?.let { dialectNamed(it) ?: throw NotRun("dialect $it") } ?: Dialect.V02

    fun done() {
        if (left.isNotEmpty()) throw NotRun("does not know the input ${left.keys}")
    }
}

internal class Case(val id: String, val input: JsonNode, val expect: JsonNode)

internal class VectorFile(val name: String, val json: JsonNode, val cases: List<Case>)

internal object Vectors {
    private val folder = File(System.getProperty("ackguard.vectors"))

    fun load(): List<VectorFile> =
        folder.listFiles { file -> file.name.endsWith(".json") && file.name != "schema.json" }!!
            .sortedBy { it.name }
            .map(::read)

    private fun read(file: File): VectorFile {
        val json = Json.parse(file.readText()) as ObjectNode
        val tokens = json.path("tokens").properties().associate { (name, parts) ->
            "{{$name}}" to parts.joinToString("") { it.textValue() }
        }
        val cases = json.get("cases").map { given ->
            val case = (given.withTokens(tokens) as ObjectNode)
            val id = case.remove("id").textValue()
            val expect = case.remove("expect") ?: throw NotRun("$id expects nothing")
            case.remove(listOf("why", "note"))
            // The cases of rel_paths_fs keep what goes in beside the id.
            val input = case.remove("input") ?: case
            if (input !== case && !case.isEmpty) throw NotRun("$id has unknown fields beside input")
            Case(id, input, expect)
        }
        return VectorFile(file.name.removeSuffix(".json"), json, cases)
    }

    private fun JsonNode.withTokens(tokens: Map<String, String>): JsonNode {
        fun put(text: String) = tokens.entries.fold(text) { put, (mark, token) -> put.replace(mark, token) }
        return when (this) {
            is TextNode -> TextNode(put(textValue()))
            is ArrayNode -> Json.mapper.createArrayNode().also { made -> forEach { made.add(it.withTokens(tokens)) } }
            is ObjectNode -> Json.mapper.createObjectNode().also { made ->
                properties().forEach { (key, value) -> made.set<JsonNode>(put(key), value.withTokens(tokens)) }
            }
            else -> this
        }
    }
}

/**
 * Runs every shared case through the public functions. The JVM sees text and bytes: a payload goes in as JSON text,
 * and the same bytes have to give the same answer.
 */
class VectorsTest {
    @Test
    fun `every case of every file`() {
        val ran = mutableListOf<String>()
        val problems = mutableListOf<String>()
        for (file in Vectors.load()) {
            val operations = Operations(file)
            for (case in file.cases) {
                val wrong = try {
                    val input = Fields(case.input)
                    val answer = operations.answer(input)
                    input.done()
                    compare(answer, case.expect)
                } catch (problem: NotRun) {
                    problems += "${case.id}: ${problem.message}"
                    continue
                } catch (problem: Exception) {
                    listOf(problem.toString())
                }
                ran += case.id
                if (wrong.isNotEmpty()) problems += "${case.id}: ${wrong.joinToString("; ")}"
            }
            problems += operations.problems()
        }
        val census = File(System.getProperty("ackguard.census"))
        census.mkdirs()
        census.resolve("kotlin.json").writeText(Json.of(mapOf("language" to "kotlin", "ids" to ran)).toString())
        assertTrue(problems.isEmpty()) {
            "${problems.size} problems, ${ran.size} cases run:\n${problems.joinToString("\n")}"
        }
    }

    private fun compare(answer: JsonNode, expect: JsonNode): List<String> {
        if (expect is ArrayNode) {
            // Several outcomes are right.
            val outcome = answer.path("outcome")
            return if (expect.any { it == outcome }) listOf() else listOf("$outcome, not $expect")
        }
        val problems = mutableListOf<String>()
        if (answer.path("idempotent").let { it.isBoolean && !it.booleanValue() }) {
            problems += "a second time there is still something to find"
        }
        for ((field, expected) in expect.properties()) {
            val actual = answer.get(field)
            when {
                field == "0.2" || field == "0.3" ->
                    problems += compare(actual ?: NullNode.instance, expected).map { "in $field $it" }
                actual == null && (field == "must_contain" || field == "must_not_contain") -> {
                    val wanted = field == "must_contain"
                    val text = answer.path("text").textValue() ?: ""
                    val findings = answer.path("findings").toString()
                    for (part in expected.map { it.textValue() }) {
                        if (text.contains(part) != wanted || (!wanted && findings.contains(part))) {
                            problems += "$field $part: $text, findings $findings"
                        }
                    }
                }
                actual == null -> problems += "does not know the expectation $field"
                !Json.same(actual, expected) -> problems += "$field is $actual, not $expected"
            }
        }
        return problems
    }
}
