import { type Schema, Predicate, type Stream } from "effect"
import { type JsonFault, readJson } from "../../../kernel/index.ts"
import type { Position, Reading } from "./Reading.ts"
import { readRecords, type RecordFormat, Unreadable } from "./RecordReader.ts"
import { scanLine } from "./scan.ts"

/** A row of NDJSON: a JSON object. */
export type NdjsonRow = Schema.JsonObject

const isJsonObject = (value: unknown): value is NdjsonRow => Predicate.isObject(value)

const whyOf = ([fault]: ReadonlyArray<JsonFault>): string =>
  fault === undefined || fault.path.length === 0
    ? "The row is not valid JSON."
    : `In ${fault.path.join("/")}: ${fault.message}.`

const format: RecordFormat<NdjsonRow> = {
  scan: scanLine,
  parse: (record) => {
    const reading = readJson(record)
    if ("faults" in reading) return new Unreadable(whyOf(reading.faults))
    return isJsonObject(reading.value) ? reading.value : new Unreadable("The row is not a JSON object.")
  }
}

/** Reads NDJSON in constant memory, row by row. `from` is where in the file the bytes begin. */
export const readNdjson =
  ({ from }: { readonly from?: Position } = {}) =>
  <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Reading<NdjsonRow>, E, R> =>
    readRecords(format, from)(bytes)
