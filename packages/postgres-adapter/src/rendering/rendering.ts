import type { EncodedRow } from "@parley/domain/kernel"
import { type DateTime, Schema } from "effect"
import { asWritten } from "../kernel/columns.ts"
import { RecordWriter } from "./RecordWriter.ts"

const encoder = new TextEncoder()

/** Writes a field of a record with this byte length. */
type Write = (writer: RecordWriter, size: number) => void

declare const of: unique symbol

/** Rendering of one column as a domain value. A null column is written as `null`. */
export interface Written<in A> {
  readonly write: Write
  /** Whether the field is absent without a value. */
  readonly isOptional?: true
  readonly [of]?: (value: A) => void
}

/** Rendering of a struct whose fields are the next columns, in this order. */
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

/** A jsonb column whose keys are stored in the order of the contract, without other keys. */
export const jsonb = column<unknown>((writer, size) => writer.jsonb(size))

/** A json column of any content. */
export const json = column<unknown>((writer, size) => writer.json(size))

/** Parses JSON and encodes it with its schema. */
const rewriting = <A, I>(schema: Schema.Codec<A, I>) => {
  const codec = Schema.toCodecJson(schema)
  const decode = Schema.decodeUnknownSync(codec, asWritten)
  const encode = Schema.encodeSync(codec, asWritten)
  return (text: string): string => JSON.stringify(encode(decode(JSON.parse(text))))
}

/** A json column that is rewritten by its schema. For values that few rows have. */
export const bySchema = <A, I>(schema: Schema.Codec<A, I>): Written<A> => {
  const rewrite = rewriting(schema)
  return column((writer, size) => writer.rewritten(size, rewrite))
}

/** A json column that is an object of plain fields. Copied if it has exactly these fields in this order, otherwise rewritten. */
export const flat = <A, I>(
  schema: Schema.Codec<A, I> & { readonly fields: Readonly<Record<string, unknown>> }
): Written<A> => {
  const names = Object.keys(schema.fields).map((name) => encoder.encode(JSON.stringify(name)))
  const rewrite = rewriting(schema)
  return column((writer, size) => writer.flat(size, names, rewrite))
}

/** A nullable column. */
export const orNull = <A>({ write }: Written<A>): Written<A | null> => ({ write })

/** A nullable column whose field is absent without a value. It cannot be the first field of a struct. */
export const orAbsent = <A>({ write }: Written<A>): Written<A | undefined> => ({ write, isOptional: true })

/** The fields of a struct, in the order of its schema. */
export const struct = <A extends object>(fields: {
  readonly [Name in keyof A]-?: Written<A[Name]> | WrittenStruct<A[Name]>
}): WrittenStruct<A> => ({ fields: Object.entries(fields) })

interface Step {
  /** Text before the value. */
  readonly before: string
  readonly write: Write
  readonly isOptional: boolean
}

const stepsOf = ({ fields }: WrittenStruct<never>): readonly [steps: ReadonlyArray<Step>, behind: string] => {
  const steps: Array<Step> = []
  let before = "{"
  for (const [name, field] of fields) {
    before += `${JSON.stringify(name)}:`
    if ("write" in field) {
      steps.push({ before, write: field.write, isOptional: field.isOptional === true })
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

/** A row to render, with the values of its key. */
export interface Recorded {
  readonly record: Uint8Array
}

/** Renders records with the columns of the struct. No objects are created; the output is the text of the schema. */
export const rendering = <A>(written: WrittenStruct<A>) => {
  const [texts, last] = stepsOf(written)
  const steps = texts.map(({ before, ...step }) => ({ ...step, before: encoder.encode(before) }))
  const behind = encoder.encode(last)
  const besides = steps.reduce((sum, { before }) => sum + before.length, behind.length)
  const writeRecord = (writer: RecordWriter) => {
    for (const { before, isOptional, write } of steps) {
      if (isOptional && writer.skipsNull()) continue
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
