import { type Config, Context, Effect, Layer, Redacted, Schema } from "effect"
import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from "node:crypto"

/** Error for an unusable list of master keys. Names the key and the reason, and never shows a key. */
export class MasterKeyError extends Schema.TaggedError<MasterKeyError>()("MasterKeyError", { problem: Schema.String }) {
  override get message() {
    return `${this.problem} Expected a list such as k2:<base64>,k1:<base64>, the current key first: each an id of letters, digits, - and _, and 32 random bytes.`
  }
}

/** Master key. It encrypts nothing directly: each purpose has a derived key. */
export interface MasterKey {
  readonly id: string
  readonly derive: (purpose: string) => KeyObject
}

/**
 * Master keys. The current key seals; every key opens its own data. The oldest key is the first by id, independent of its position, so all nodes
 * agree during a change of the list.
 */
export class MasterKeys extends Context.Service<
  MasterKeys,
  { readonly current: MasterKey; readonly oldest: MasterKey; readonly all: ReadonlyArray<MasterKey> }
>()("@parley/provider-adapters/security/MasterKeys") {}

const keyBytes = 32

const pattern = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/_-]{43})=?$/

const parseEntry = (entry: string, index: number) => {
  const [, id, base64] = pattern.exec(entry.trim()) ?? []
  return id === undefined || base64 === undefined
    ? Effect.fail(new MasterKeyError({ problem: `Master key ${index + 1} is not an id and 32 bytes in base64.` }))
    : Effect.succeed({ id, secret: Buffer.from(base64, "base64") })
}

type Entry = Effect.Success<ReturnType<typeof parseEntry>>

const repeated = (entries: ReadonlyArray<Entry>, same: (one: Entry, other: Entry) => boolean) =>
  entries.findIndex((entry, index) => entries.slice(0, index).some((earlier) => same(earlier, entry)))

const toMasterKey = ({ id, secret }: Entry): MasterKey => ({
  id,
  derive: (purpose) => createSecretKey(new Uint8Array(hkdfSync("sha256", secret, "parley", purpose, keyBytes)))
})

const byNumber = new Intl.Collator("en", { numeric: true })

const make = Effect.fnUntraced(function* (text: Redacted.Redacted) {
  const list = Redacted.value(text).trim()
  const entries = yield* Effect.forEach(list === "" ? [] : list.split(","), parseEntry)
  const sameId = repeated(entries, (one, other) => one.id === other.id)
  if (sameId !== -1) return yield* new MasterKeyError({ problem: `Master key ${sameId + 1} has the id of another.` })
  const sameKey = repeated(entries, (one, other) => one.secret.equals(other.secret))
  if (sameKey !== -1) return yield* new MasterKeyError({ problem: `Master key ${sameKey + 1} is the same as another.` })
  const all = entries.map(toMasterKey)
  const [current] = all
  const [oldest] = all.toSorted((one, other) => byNumber.compare(one.id, other.id))
  if (current === undefined || oldest === undefined) {
    return yield* new MasterKeyError({ problem: "There is no master key." })
  }
  return MasterKeys.of({ current, oldest, all })
})

/** Master keys of a list such as `k2:<base64>,k1:<base64>`. */
export const layer = (list: Redacted.Redacted) => Layer.effect(MasterKeys, make(list))

/** Master keys from the configuration. */
export const layerConfig = (list: Config.Config<Redacted.Redacted>) =>
  Layer.effect(MasterKeys, Effect.flatMap(list, make))

/** Generates a master key in list format. Its id should sort after the ids of the others. */
export const generateMasterKey = (id: string): Effect.Effect<Redacted.Redacted> =>
  Effect.sync(() => Redacted.make(`${id}:${randomBytes(keyBytes).toString("base64")}`))
