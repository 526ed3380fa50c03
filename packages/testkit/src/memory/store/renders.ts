import { EncodedJson } from "@parley/domain/kernel"
import { Schema } from "effect"

/** Renders values by their schema. */
export const renders = <A, I>(schema: Schema.Codec<A, I>) => {
  const encode = Schema.encodeSync(Schema.toCodecJson(schema), { disableChecks: true })
  const encoder = new TextEncoder()
  return (value: A): EncodedJson<A> => new EncodedJson(encoder.encode(JSON.stringify(encode(value))))
}
