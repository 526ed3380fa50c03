import { type Config, Context, Effect, Layer, Redacted, Schema } from "effect"
import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from "node:crypto"

/** The list of master keys cannot be used. It says which key is at fault and why, and never shows one. */
export class MasterKeyError extends Schema.TaggedError<MasterKeyError>()("MasterKeyError", { problem: Schema.String }) {
  override get message() {
    return `${this.problem} Expected a list such as k2:<base64>,k1:<base64>, the current key first: each an id of letters, digits, - and _, and 32 random bytes.`
  }
}

/** A master key. It encrypts nothing itself: every purpose has a key of its own, derived from it. */
export interface MasterKey {
  readonly id: string
  readonly derive: (purpose: string) => KeyObject
}

/**
 * The master keys: what is sealed from now on is sealed with the current one, and what any of them sealed opens. The
 * oldest is the one whose id sorts first, wherever it stands, so that all nodes agree on it while the list changes.
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

/** The master keys of a list such as `k2:<base64>,k1:<base64>`. */
export const layer = (list: Redacted.Redacted) => Layer.effect(MasterKeys, make(list))

/** The master keys of a list that the configuration holds. */
export const layerConfig = (list: Config.Config<Redacted.Redacted>) =>
  Layer.effect(MasterKeys, Effect.flatMap(list, make))

/** Makes a new master key, ready for the list. Its id should sort after those of the others. */
export const generateMasterKey = (id: string): Effect.Effect<Redacted.Redacted> =>
  Effect.sync(() => Redacted.make(`${id}:${randomBytes(keyBytes).toString("base64")}`))
