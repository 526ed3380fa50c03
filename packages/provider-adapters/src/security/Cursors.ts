import { CurrentOrganization, CursorInvalid, Cursors } from "@parley/domain/kernel"
import { Effect, Layer, Option, Schema } from "effect"
import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto"
import { MasterKeys } from "./MasterKeys.ts"

const version = 1
const proofBytes = 16
const longestCursor = 4096

const Key = Schema.fromJsonString(Schema.Array(Schema.String))
const decodeKey = Schema.decodeUnknownOption(Key)

const prove = (secret: KeyObject, list: string, organizationId: string, payload: Uint8Array) =>
  createHmac("sha256", secret)
    .update(JSON.stringify([version, organizationId, list]))
    .update(payload)
    .digest()
    .subarray(0, proofBytes)

const make = Effect.map(MasterKeys, (masterKeys) => {
  const secrets = masterKeys.all.map(({ derive }) => derive("cursors"))
  const current = masterKeys.current.derive("cursors")

  const open = (list: string, organizationId: string, cursor: string) => {
    if (cursor.length > longestCursor) return Option.none()
    const bytes = Buffer.from(cursor, "base64url")
    if (bytes.length < proofBytes || bytes.toString("base64url") !== cursor) return Option.none()
    const proof = bytes.subarray(0, proofBytes)
    const payload = bytes.subarray(proofBytes)
    return secrets.some((secret) => timingSafeEqual(prove(secret, list, organizationId, payload), proof))
      ? decodeKey(payload.toString())
      : Option.none()
  }

  return Cursors.of({
    seal: (list, key) =>
      Effect.map(CurrentOrganization, ({ id }) => {
        const payload = Buffer.from(JSON.stringify(key))
        return Buffer.concat([prove(current, list, id, payload), payload]).toString("base64url")
      }),
    open: (list, cursor) =>
      Effect.flatMap(CurrentOrganization, ({ id }) =>
        Effect.fromOption(open(list, id, cursor), () => new CursorInvalid())
      )
  })
})

export const layer = Layer.effect(Cursors, make)
