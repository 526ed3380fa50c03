import { Vault } from "@parley/domain/kernel"
import { Effect, Layer, Redacted, Schema } from "effect"
import { createCipheriv, createDecipheriv, createHmac, hash, type KeyObject, randomBytes } from "node:crypto"
import { MasterKeys } from "./MasterKeys.ts"

/** Defect for sealed data that does not open: the store was altered, or a master key was removed too early. */
export class SealBroken extends Schema.TaggedError<SealBroken>()("SealBroken", {
  context: Schema.String,
  problem: Schema.String
}) {
  override get message() {
    return `What was sealed for ${this.context} does not open: ${this.problem}.`
  }
}

const cipher = "aes-256-gcm"
const nonceBytes = 12
const tagBytes = 16
const sealedText = /^v1\.([A-Za-z0-9_-]{1,32})\.([A-Za-z0-9_-]+)$/

const encodings = ["utf8", "utf16le"] as const

const boundTo = (keyId: string, context: string) => Buffer.from(JSON.stringify(["v1", keyId, context]))

// JavaScript strings can contain half a surrogate pair, which UTF-8 cannot. The first byte specifies the encoding of the rest.
const toBytes = (text: string) => {
  const encoding = text.isWellFormed() ? 0 : 1
  return Buffer.concat([Buffer.of(encoding), Buffer.from(text, encodings[encoding])])
}

const toText = (bytes: Buffer) => bytes.subarray(1).toString(bytes[0] === 0 ? encodings[0] : encodings[1])

const encrypt = (keyId: string, key: KeyObject, context: string, text: string) => {
  const nonce = randomBytes(nonceBytes)
  const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes }).setAAD(boundTo(keyId, context))
  const sealed = Buffer.concat([nonce, sealing.update(toBytes(text)), sealing.final(), sealing.getAuthTag()])
  return `v1.${keyId}.${sealed.toString("base64url")}`
}

const decrypt = (keyId: string, key: KeyObject, context: string, sealed: Buffer) => {
  const tagStart = sealed.length - tagBytes
  const opening = createDecipheriv(cipher, key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
  opening.setAAD(boundTo(keyId, context)).setAuthTag(sealed.subarray(tagStart))
  return toText(Buffer.concat([opening.update(sealed.subarray(nonceBytes, tagStart)), opening.final()]))
}

const make = Effect.map(MasterKeys, (masterKeys) => {
  const keys = new Map(masterKeys.all.map(({ derive, id }) => [id, derive("vault")]))
  const current = masterKeys.current.id
  const currentKey = masterKeys.current.derive("vault")
  // Stored fingerprints must stay comparable after a new master key, so the oldest key creates them.
  const fingerprintKey = masterKeys.oldest.derive("fingerprint")

  const open = Effect.fnUntraced(
    function* (context: string, text: string) {
      const [, keyId, encoded] = sealedText.exec(text) ?? []
      const sealed = Buffer.from(encoded ?? "", "base64url")
      if (keyId === undefined || sealed.length <= nonceBytes + tagBytes || sealed.toString("base64url") !== encoded) {
        return yield* new SealBroken({ context, problem: "it is not a sealed text" })
      }
      const key = keys.get(keyId)
      if (key === undefined) {
        return yield* new SealBroken({ context, problem: `the master key ${keyId} is not configured` })
      }
      return yield* Effect.try({
        try: () => Redacted.make(decrypt(keyId, key, context, sealed)),
        catch: () => new SealBroken({ context, problem: "it was altered, or sealed elsewhere or with another key" })
      })
    },
    Effect.catchTag("SealBroken", Effect.die)
  )

  return Vault.of({
    seal: (context, secret) => Effect.sync(() => encrypt(current, currentKey, context, Redacted.value(secret))),
    open,
    fingerprint: (context, text) =>
      Effect.sync(() =>
        createHmac("sha256", fingerprintKey)
          .update(JSON.stringify([context]))
          .update(text)
          .digest("base64url")
      ),
    mac: (key, text) => Effect.sync(() => createHmac("sha256", Redacted.value(key)).update(text).digest("base64url")),
    digest: (secret) => Effect.sync(() => hash("sha256", Redacted.value(secret), "base64url"))
  })
})

export const layer = Layer.effect(Vault, make)
