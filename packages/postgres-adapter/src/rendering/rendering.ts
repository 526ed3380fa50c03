import type { Rendered } from "@parley/domain"
import type { DateTime } from "effect"
import { RecordWriter } from "./RecordWriter.ts"

/** Writes a field of a record that has so many bytes. */
type Write = (writer: RecordWriter, size: number) => void

declare const of: unique symbol

/** How one column is written of which the domain makes such a value. Where it is null, `null` is written. */
export interface Written<in A> {
  readonly write: Write
  readonly [of]?: (value: A) => void
}

/** How a struct is written whose fields are the next columns, in this order. */
export interface WrittenStruct<in A> {
  readonly fields: ReadonlyArray<readonly [name: string, field: Written<never> | WrittenStruct<never>]>
  readonly [of]?: (value: A) => void
}

const column = <A>(write: Write): Written<A> => ({ write })

export const text = column<string>((writer, size) => writer.text(size))
export const uuid = column<string>((writer) => writer.uuid())
export const uuids = column<ReadonlyArray<string>>((writer) => writer.uuids())
export const int = column<number>((writer) => writer.int())
export const time = column<DateTime.Utc>((writer) => writer.time())

/** A column of jsonb whose keys are stored in the order of the contract, and nothing beside them. */
export const json = column<unknown>((writer, size) => writer.json(size))

/** A column that may be null. */
export const orNull = <A>({ write }: Written<A>): Written<A | null> => ({ write })

/** The fields of a struct, in the order in which its schema has them. */
export const struct = <A extends object>(fields: {
  readonly [Name in keyof A]-?: Written<A[Name]> | WrittenStruct<A[Name]>
}): WrittenStruct<A> => ({ fields: Object.entries(fields) })

interface Step {
  /** What stands before the value. */
  readonly before: string
  readonly write: Write
}

const stepsOf = ({ fields }: WrittenStruct<never>): readonly [steps: ReadonlyArray<Step>, behind: string] => {
  const steps: Array<Step> = []
  let before = "{"
  for (const [name, field] of fields) {
    before += `${JSON.stringify(name)}:`
    if ("write" in field) {
      steps.push({ before, write: field.write })
      before = ","
    } else {
      const [[first, ...others], behind] = stepsOf(field)
      if (first === undefined) continue
      steps.push({ ...first, before: before + first.before }, ...others)
      before = `${behind},`
    }
  }
  return [steps, before.replace(/,$/u, "}")]
}

/** Renders records whose columns are those of the struct: no object is made of them, and what leaves is the text of the schema. */
export const rendering = <A>(written: WrittenStruct<A>) => {
  const encoder = new TextEncoder()
  const [texts, last] = stepsOf(written)
  const steps = texts.map(({ before, write }) => ({ before: encoder.encode(before), write }))
  const behind = encoder.encode(last)
  const besides = steps.reduce((sum, { before }) => sum + before.length, behind.length)
  const writeRecord = (writer: RecordWriter) => {
    for (const { before, write } of steps) {
      writer.put(before)
      writer.field(write)
    }
    writer.put(behind)
  }
  const writer = new RecordWriter()
  return (records: ReadonlyArray<Uint8Array>): ReadonlyArray<Rendered<A>> =>
    writer.render(records, besides, writeRecord)
}
