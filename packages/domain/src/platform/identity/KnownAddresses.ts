import { Context, DateTime, Duration, Effect, Redacted } from "effect"
import { type Transaction, Vault } from "../../kernel/index.ts"

/** Maximum number of known addresses of an account. Each has a slot with a separate attempt limit. */
export const maxKnownAddresses = 3

/** Lifetime of a known address after its last login. */
export const knownAddressLifetime = Duration.days(90)

/**
 * Addresses of successful logins. Accounts and addresses are keyed digests, so the store reveals neither. A nonexistent account looks like an account
 * without a login.
 */
export class KnownAddresses extends Context.Service<
  KnownAddresses,
  {
    /** Slot of the address if a login from it succeeded since this time. Slots count from 0. */
    readonly slotOf: (account: string, address: string, since: DateTime.Utc) => Effect.Effect<number | null>
    /**
     * Records a login from the address. If every slot is in use, it replaces the least recently used address. Records of one address within an hour
     * may be merged.
     */
    readonly note: (account: string, address: string, now: DateTime.Utc) => Effect.Effect<void, never, Transaction>
    /** Deletes every address of the account. */
    readonly forget: (account: string) => Effect.Effect<void, never, Transaction>
    /** Deletes expired addresses and returns the count. */
    readonly sweep: Effect.Effect<number>
  }
>()("@parley/domain/platform/identity/KnownAddresses") {}

/** Placeholder of an unknown address. Many callers may share it, so it is never a known address. */
export const unknownAddress = "unknown"

/** Fingerprint of an existing or nonexistent account for the throttle. */
export const accountFingerprint = Effect.fnUntraced(function* (email: string) {
  return yield* (yield* Vault).fingerprint("login-throttle", email)
})

/** Fingerprint of the address, specific to the account. */
const addressFingerprint = Effect.fnUntraced(function* (account: string, address: string) {
  return yield* (yield* Vault).fingerprint("login-address", `${account}/${address}`)
})

/** Finds the slot of an address with an earlier login. */
export const findKnownSlot = Effect.fnUntraced(function* (account: string, address: string) {
  if (address === unknownAddress) return null
  const since = DateTime.subtractDuration(yield* DateTime.now, knownAddressLifetime)
  return yield* (yield* KnownAddresses).slotOf(account, yield* addressFingerprint(account, address), since)
})

/** Stores the address after the person has proved their identity. */
export const rememberAddress = Effect.fnUntraced(function* (email: string, address: string) {
  if (address === unknownAddress) return
  const account = yield* accountFingerprint(email)
  yield* (yield* KnownAddresses).note(account, yield* addressFingerprint(account, address), yield* DateTime.now)
})

/** After a new password, only the address that set it stays known. */
export const rememberOnlyAddress = Effect.fnUntraced(function* (email: string, address: string | null) {
  yield* (yield* KnownAddresses).forget(yield* accountFingerprint(email))
  if (address !== null) yield* rememberAddress(email, address)
})

const deviceTokenLifetime = Duration.days(90)

/** The proof includes the password, because a new password must end all device tokens. */
const deviceProof = Effect.fnUntraced(function* (email: string, passwordHash: string | null, issued: string) {
  return yield* (yield* Vault).fingerprint("login-device", JSON.stringify([email, passwordHash, issued]))
})

/**
 * Creates a device token. It lets a login through while others try passwords of the same account. It gives no access alone, so it may be stored where
 * a session may not.
 */
export const makeDeviceToken = Effect.fnUntraced(function* (email: string, passwordHash: string) {
  const issued = DateTime.toEpochMillis(yield* DateTime.now).toString(36)
  return Redacted.make(`${issued}.${yield* deviceProof(email, passwordHash, issued)}`)
})

/** Whether the device token belongs to this account and its current password. A nonexistent account has none. */
export const isValidDeviceToken = Effect.fnUntraced(function* (
  token: Redacted.Redacted | null,
  email: string,
  passwordHash: string | null
) {
  const vault = yield* Vault
  const [issued = "", ...rest] = token === null ? [] : Redacted.value(token).split(".")
  const proof = yield* deviceProof(email, passwordHash, issued)
  // Compares digests, because the time of the comparison must not reveal partial matches.
  const [given, expected] = yield* Effect.all([
    vault.fingerprint("login-device-proof", rest.join(".")),
    vault.fingerprint("login-device-proof", proof)
  ])
  const age = DateTime.toEpochMillis(yield* DateTime.now) - Number.parseInt(issued, 36)
  return given === expected && passwordHash !== null && age >= 0 && age < Duration.toMillis(deviceTokenLifetime)
})
