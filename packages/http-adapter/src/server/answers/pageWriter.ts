import { type Page, Rendered } from "@parley/domain"
import { Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { uncheckedEncoder } from "./uncheckedEncoder.ts"

const encoder = new TextEncoder()
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

/** Compiles a writer of pages from the schema of their rows. Those that come rendered are written as they are. */
export const makePageWriter = <S extends Schema.Top>(item: S) => {
  const encode = uncheckedEncoder(Schema.toCodecJson(item))
  return ({ data, nextCursor }: Page<S["Type"] | Rendered<S["Type"]>>) => {
    const rows = data.flatMap((row, place) => {
      const json = row instanceof Rendered ? row.json : encoder.encode(JSON.stringify(encode(row)))
      return place === 0 ? [json] : [comma, json]
    })
    const end = encoder.encode(`],"nextCursor":${JSON.stringify(nextCursor)}}`)
    return HttpServerResponse.uint8Array(joined([begin, ...rows, end]), { contentType: "application/json" })
  }
}
