import { type Schema, Predicate, type Stream } from "effect"
import type { Position, Reading } from "./Reading.ts"
import { readRecords, type RecordFormat, Unreadable } from "./RecordReader.ts"
import { scanLine } from "./scan.ts"

/** A row of NDJSON: a JSON object. */
export type NdjsonRow = Schema.JsonObject

const isJsonObject = (value: unknown): value is NdjsonRow => Predicate.isObject(value)

const format: RecordFormat<NdjsonRow> = {
  scan: scanLine,
  parse: (record) => {
    let value: unknown
    try {
      value = JSON.parse(record)
    } catch {
      return new Unreadable("The row is not valid JSON.")
    }
    return isJsonObject(value) ? value : new Unreadable("The row is not a JSON object.")
  }
}

/** Reads NDJSON in constant memory, row by row. `from` is where in the file the bytes begin. */
export const readNdjson =
  ({ from }: { readonly from?: Position } = {}) =>
  <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Reading<NdjsonRow>, E, R> =>
    readRecords(format, from)(bytes)
