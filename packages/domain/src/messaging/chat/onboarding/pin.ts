import { Effect, Redacted, Result, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import { Ids } from "../../../kernel/index.ts"

/** PIN of the two-step verification of a number: six digits. */
export const RegistrationPin = Schema.RedactedFromValue(
  Schema.String.check(Schema.isPattern(/^\d{6}$/u, { message: "Expected six digits" }))
)

const pins = 1_000_000

/** Largest multiple of the number of PINs in 32 bits. Larger values would make some PINs more likely. */
const fairValues = Math.floor(2 ** 32 / pins) * pins

const bytesOfCandidates = 33

const candidatesIn = (secret: string) => {
  const bytes = Result.getOrElse(Base64Url.decode(secret), () => new Uint8Array())
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => view.getUint32(index * 4))
}

/** Creates a PIN from the secure random source. Each PIN has the same probability. */
export const createPin = Effect.gen(function* () {
  const ids = yield* Ids
  while (true) {
    const secret = Redacted.value(yield* ids.secret(bytesOfCandidates))
    const fair = candidatesIn(secret).find((candidate) => candidate < fairValues)
    if (fair !== undefined) return Redacted.make(String(fair % pins).padStart(6, "0"))
  }
})
