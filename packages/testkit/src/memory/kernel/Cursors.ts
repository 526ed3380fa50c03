import { CurrentOrganization, CursorInvalid, Cursors } from "@parley/domain/kernel"
import { Effect, Layer, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import { Proof } from "../../security/Proof.ts"

const Sealed = Schema.fromJsonString(Schema.Struct({ key: Schema.Array(Schema.String), proof: Schema.String }))
const readSealed = Schema.decodeUnknownEffect(Sealed)

export const layer = Layer.effect(
  Cursors,
  Effect.map(Proof, (proof) => {
    const prove = (list: string, key: ReadonlyArray<string>) =>
      Effect.flatMap(CurrentOrganization, ({ id }) => proof.of("cursor", [id, list, ...key]))

    return Cursors.of({
      seal: (list, key) => Effect.map(prove(list, key), (proof) => Base64Url.encode(JSON.stringify({ key, proof }))),
      open: Effect.fnUntraced(
        function* (list, cursor) {
          const text = yield* Effect.fromResult(Base64Url.decodeString(cursor))
          const sealed = yield* readSealed(text)
          const isOurs = sealed.proof === (yield* prove(list, sealed.key)) && Base64Url.encode(text) === cursor
          if (!isOurs) return yield* new CursorInvalid()
          return sealed.key
        },
        Effect.mapError(() => new CursorInvalid())
      )
    })
  })
)
