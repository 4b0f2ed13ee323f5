package io.ackguard

import com.fasterxml.jackson.databind.ObjectMapper
import com.sun.management.OperatingSystemMXBean
import java.io.File
import java.lang.management.ManagementFactory
import java.util.concurrent.TimeUnit
import kotlin.system.exitProcess

/** `make bench-kotlin`: ratios against Jackson in one run, and what loading costs. A bound that does not hold fails it. */
public object Bench {
    private val rows = mutableListOf<List<String>>()
    private var missed = false

    @Volatile
    private var sink: Any? = null

    private fun row(what: String, value: Double, unit: String, bound: Double? = null) {
        val good = bound == null || value <= bound
        missed = missed || !good
        fun shown(number: Double) = "%.${if (number < 10) 2 else 0}f %s".format(number, unit)
        rows += listOf(what, shown(value), bound?.let { "at most ${shown(it)}" } ?: "", if (good) "" else "MISSED")
    }

    /** Nanoseconds per call of each, as medians, and the median of their ratios: taken in turn, in short rounds. */
    private fun pair(one: () -> Any?, other: () -> Any?): Triple<Double, Double, Double> {
        fun round(call: () -> Any?, times: Int): Double {
            val start = System.nanoTime()
            repeat(times) { sink = call() }
            return (System.nanoTime() - start).toDouble() / times
        }
        fun times(call: () -> Any?): Int {
            // Compiled by now, and then as many as take 10 ms.
            val until = System.nanoTime() + TimeUnit.SECONDS.toNanos(2)
            var last = 1.0
            while (System.nanoTime() < until) last = round(call, 20)
            return maxOf(1, (10e6 / last).toInt())
        }
        val (timesOne, timesOther) = times(one) to times(other)
        val rounds = List(41) { round(one, timesOne) to round(other, timesOther) }
        fun median(of: (Pair<Double, Double>) -> Double) = rounds.map(of).sorted()[rounds.size / 2]
        return Triple(median { it.first }, median { it.second }, median { it.first / it.second })
    }

    /** An ack that has about so many bytes. */
    private fun ack(bytes: Int): ByteArray {
        val head = """{"code":4018,"message":"Blob not accessible","details":{"reason":"gone","trace_id":"a1b2c3d4e5f6"}"""
        val items = StringBuilder()
        var number = 0
        while (head.length + items.length + 90 < bytes) {
            if (number > 0) items.append(',')
            items.append("""{"name":"tool_$number","description":"Reads a file of the workspace.","size":${number * 3.5}}""")
            number++
        }
        return """$head,"items":[$items]}""".toByteArray()
    }

    private fun jackson(size: Int, bound: Double) {
        val mapper = ObjectMapper()
        val bytes = ack(size)
        check(classifyJson(bytes).error?.reason == "gone" && mapper.readTree(bytes).get("code").intValue() == 4018)
        val (ours, theirs, ratio) = pair({ classifyJson(bytes).kind }, { mapper.readTree(bytes) })
        row("classifyJson, ${bytes.size} bytes", ours / 1000, "us")
        row("Jackson's tree of the same", theirs / 1000, "us")
        row("  ratio", ratio, "x", bound)
    }

    /**
     * Milliseconds that the first call takes in a process of its own: the classes, the library, its checks. By the clock,
     * and of the processor by all threads; only the latter says the same on a machine that is busy with something else.
     */
    private fun cold(): Pair<Double, Double> {
        val java = File(System.getProperty("java.home"), "bin/java").path
        val runs = List(9) {
            val command = listOf(java, "-cp", System.getProperty("java.class.path"), Cold::class.java.name)
            val process = ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start()
            val said = process.inputStream.bufferedReader().readText().trim().split(' ')
            check(process.waitFor() == 0)
            said[0].toDouble() to said[1].toDouble()
        }
        return runs.map { it.first }.sorted()[runs.size / 2] to runs.map { it.second }.sorted()[runs.size / 2]
    }

    @JvmStatic
    public fun main(arguments: Array<String>) {
        val library = Bench::class.java.getResource("/linux-x86-64/libackguard_uniffi.so")!!.openStream().use { it.readBytes().size }
        row("library, stripped", library / 1e6, "MB", 1.5)
        val (clock, processor) = cold()
        row("first call in a new process", clock, "ms")
        row("  of the processor", processor, "ms", 300.0)
        val (parsed, valid, _) = pair({ parseSkillName("mcp:server:audit") }, { isValidSkillName("mcp:server:audit") })
        row("parseSkillName", parsed / 1000, "us")
        row("isValidSkillName", valid / 1000, "us")
        jackson(2048, 1.5)
        jackson(65536, 1.0)
        val widths = rows.first().indices.map { column -> rows.maxOf { it[column].length } }
        for (cells in rows) println(cells.mapIndexed { at, cell -> if (at == 1) cell.padStart(widths[at]) else cell.padEnd(widths[at]) }.joinToString("  ").trimEnd())
        exitProcess(if (missed) 1 else 0)
    }
}

/** How long the first call takes, in milliseconds, by the clock and of the processor. */
public object Cold {
    @JvmStatic
    public fun main(arguments: Array<String>) {
        val ack = """{"code":4101,"message":"Room full"}""".toByteArray()
        val system = ManagementFactory.getOperatingSystemMXBean() as OperatingSystemMXBean
        val processor = system.processCpuTime
        val start = System.nanoTime()
        check(classifyJson(ack).kind == PayloadKind.ERROR)
        println("${(System.nanoTime() - start) / 1e6} ${(system.processCpuTime - processor) / 1e6}")
    }
}
