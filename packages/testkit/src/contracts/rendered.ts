import { assert } from "@effect/vitest"
import type { EncodedRow } from "@parley/domain/kernel"
import { Schema } from "effect"
import { renders } from "../memory/store/renders.ts"

/** Asserts that each rendered row equals the schema's encoding byte for byte, decodes to the value and has this key. */
export const holdsRendered = <A, I>(schema: Schema.Codec<A, I>, keyOf: (value: A) => ReadonlyArray<string>) => {
  const render = renders(schema)
  const decode = Schema.decodeUnknownSync(Schema.toCodecJson(schema), { disableChecks: true })
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
  return (rows: ReadonlyArray<EncodedRow<A>>, values: ReadonlyArray<A>, what = ""): void => {
    const texts = rows.map(({ rendered }) => decoder.decode(rendered.json))
    assert.deepStrictEqual(
      texts,
      values.map((value) => decoder.decode(render(value).json)),
      what
    )
    assert.deepStrictEqual(
      texts.map((text) => decode(JSON.parse(text))),
      values,
      what
    )
    assert.deepStrictEqual(
      rows.map(({ key }) => key),
      values.map(keyOf),
      what
    )
  }
}
