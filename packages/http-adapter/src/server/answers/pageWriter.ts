import { compileShowing, type Mask, type Page, Rendered } from "@parley/domain"
import { Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { writeMasked } from "./answerWriters.ts"
import { uncheckedEncoder } from "./uncheckedEncoder.ts"

const [encoder, decoder] = [new TextEncoder(), new TextDecoder()]
const [begin, comma] = [encoder.encode('{"data":['), encoder.encode(",")]

const joined = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/**
 * Compiles a page writer from the row schema. Rows that storage rendered are written unchanged. For callers with a mask, the rows are parsed and
 * written again.
 */
export const makePageWriter = <S extends Schema.Top>(item: S) => {
  const encode = uncheckedEncoder(Schema.toCodecJson(item))
  const bytesOf = (row: unknown, mask: Mask | null): Uint8Array => {
    if (mask === null) return row instanceof Rendered ? row.json : encoder.encode(JSON.stringify(encode(row)))
    const json: unknown = row instanceof Rendered ? JSON.parse(decoder.decode(row.json)) : encode(row)
    return encoder.encode(JSON.stringify(mask(json)))
  }
  return writeMasked<Page<S["Type"] | Rendered<S["Type"]>>>(compileShowing(item), ({ data, nextCursor }, mask) => {
    const rows = data.flatMap((row, place) => {
      const json = bytesOf(row, mask)
      return place === 0 ? [json] : [comma, json]
    })
    const end = encoder.encode(`],"nextCursor":${JSON.stringify(nextCursor)}}`)
    return HttpServerResponse.uint8Array(joined([begin, ...rows, end]), { contentType: "application/json" })
  })
}
