import { Context, DateTime, Duration, Effect, Redacted } from "effect"
import { type Transaction, Vault } from "../../kernel/index.ts"

/** How many addresses of an account are known at once. Each has a slot, and each slot tries of its own. */
export const maxKnownAddresses = 3

/** For how long an address is known after the last login from it. */
export const knownAddressLifetime = Duration.days(90)

/**
 * From where people have logged in. Accounts and addresses are keyed digests, so that the store tells neither. An account
 * that does not exist looks like one that nobody has logged in to.
 */
export class KnownAddresses extends Context.Service<
  KnownAddresses,
  {
    /** The slot of the address, if a login from it succeeded since then; slots count from 0. */
    readonly slotOf: (account: string, address: string, since: DateTime.Utc) => Effect.Effect<number | null>
    /**
     * Notes a login from the address. When every slot is in use, the address seen longest ago is replaced. Notes of one
     * address within an hour may be one.
     */
    readonly note: (account: string, address: string, now: DateTime.Utc) => Effect.Effect<void, never, Transaction>
    /** Forgets every address of the account. */
    readonly forget: (account: string) => Effect.Effect<void, never, Transaction>
    /** Deletes what is not known any more; says how many. */
    readonly sweep: Effect.Effect<number>
  }
>()("@parley/domain/platform/identity/KnownAddresses") {}

/** Stands for an address that is not known: many callers may have it, so it is never one that somebody is known by. */
export const unknownAddress = "unknown"

/** The account as the throttle knows it, whether it exists or not. */
export const accountFingerprint = Effect.fnUntraced(function* (email: string) {
  return yield* (yield* Vault).fingerprint("login-throttle", email)
})

/** The address as it is known for this account, and for no other. */
const addressFingerprint = Effect.fnUntraced(function* (account: string, address: string) {
  return yield* (yield* Vault).fingerprint("login-address", `${account}/${address}`)
})

/** The slot of an address from which the person has logged in before. */
export const findKnownSlot = Effect.fnUntraced(function* (account: string, address: string) {
  if (address === unknownAddress) return null
  const since = DateTime.subtractDuration(yield* DateTime.now, knownAddressLifetime)
  return yield* (yield* KnownAddresses).slotOf(account, yield* addressFingerprint(account, address), since)
})

/** Remembers that the person has proved who they are from this address. */
export const rememberAddress = Effect.fnUntraced(function* (email: string, address: string) {
  if (address === unknownAddress) return
  const account = yield* accountFingerprint(email)
  yield* (yield* KnownAddresses).note(account, yield* addressFingerprint(account, address), yield* DateTime.now)
})

/** With a new password, nobody is known from before, but who has set it. */
export const rememberOnlyAddress = Effect.fnUntraced(function* (email: string, address: string | null) {
  yield* (yield* KnownAddresses).forget(yield* accountFingerprint(email))
  if (address !== null) yield* rememberAddress(email, address)
})

const deviceTokenLifetime = Duration.days(90)

/** The password is bound in, so that a new one ends all device tokens. */
const deviceProof = Effect.fnUntraced(function* (email: string, passwordHash: string | null, issued: string) {
  return yield* (yield* Vault).fingerprint("login-device", JSON.stringify([email, passwordHash, issued]))
})

/**
 * Makes a device token: with it, a login is heard while others try passwords of the same account. It opens nothing by
 * itself, so it may be kept where a session may not.
 */
export const makeDeviceToken = Effect.fnUntraced(function* (email: string, passwordHash: string) {
  const issued = DateTime.toEpochMillis(yield* DateTime.now).toString(36)
  return Redacted.make(`${issued}.${yield* deviceProof(email, passwordHash, issued)}`)
})

/** Whether the device token is one of this account, of its present password. An account that does not exist has none. */
export const isValidDeviceToken = Effect.fnUntraced(function* (
  token: Redacted.Redacted | null,
  email: string,
  passwordHash: string | null
) {
  const vault = yield* Vault
  const [issued = "", ...rest] = token === null ? [] : Redacted.value(token).split(".")
  const proof = yield* deviceProof(email, passwordHash, issued)
  // Digests of both are compared, so that the time it takes says nothing of how much of a guess was right.
  const [given, expected] = yield* Effect.all([
    vault.fingerprint("login-device-proof", rest.join(".")),
    vault.fingerprint("login-device-proof", proof)
  ])
  const age = DateTime.toEpochMillis(yield* DateTime.now) - Number.parseInt(issued, 36)
  return given === expected && passwordHash !== null && age >= 0 && age < Duration.toMillis(deviceTokenLifetime)
})
