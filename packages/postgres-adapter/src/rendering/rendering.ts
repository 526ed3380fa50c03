import type { EncodedRow } from "@parley/domain"
import { type DateTime, Schema } from "effect"
import { asWritten } from "../kernel/columns.ts"
import { RecordWriter } from "./RecordWriter.ts"

const encoder = new TextEncoder()

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
export const jsonb = column<unknown>((writer, size) => writer.jsonb(size))

/** A column of json that may be anything. */
export const json = column<unknown>((writer, size) => writer.json(size))

/** Reads JSON and writes it as its schema does. */
const rewriting = <A, I>(schema: Schema.Codec<A, I>) => {
  const codec = Schema.toCodecJson(schema)
  const decode = Schema.decodeUnknownSync(codec, asWritten)
  const encode = Schema.encodeSync(codec, asWritten)
  return (text: string): string => JSON.stringify(encode(decode(JSON.parse(text))))
}

/** A column of json that is written anew by its schema: for what few rows have. */
export const bySchema = <A, I>(schema: Schema.Codec<A, I>): Written<A> => {
  const rewrite = rewriting(schema)
  return column((writer, size) => writer.rewritten(size, rewrite))
}

/** A column of json that is an object of plain fields: copied where it has just these in this order, or else written anew. */
export const flat = <A, I>(
  schema: Schema.Codec<A, I> & { readonly fields: Readonly<Record<string, unknown>> }
): Written<A> => {
  const names = Object.keys(schema.fields).map((name) => encoder.encode(JSON.stringify(name)))
  const rewrite = rewriting(schema)
  return column((writer, size) => writer.flat(size, names, rewrite))
}

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

/** A row that is to be rendered, beside what its key is made of. */
export interface Recorded {
  readonly record: Uint8Array
}

/** Renders records whose columns are those of the struct: no object is made of them, and what leaves is the text of the schema. */
export const rendering = <A>(written: WrittenStruct<A>) => {
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
  return <Row extends Recorded>(
    rows: ReadonlyArray<Row>,
    keyOf: (row: Row) => ReadonlyArray<string>
  ): ReadonlyArray<EncodedRow<A>> => {
    const all = writer.render<A>(
      rows.map(({ record }) => record),
      besides,
      writeRecord
    )
    return rows.flatMap((row, place) => {
      const rendered = all[place]
      return rendered === undefined ? [] : [{ rendered, key: keyOf(row) }]
    })
  }
}
