import { Effect, type Redacted } from "effect"
import { Locks, transact } from "../../../kernel/index.ts"
import type { ChatAccountId } from "../ChatAccount.ts"
import { ChatAccounts } from "../ChatAccounts.ts"
import { openSecret, sealSecret } from "../secrets.ts"
import { createPin } from "./pin.ts"
import { loadSealedPins, type StoredPins, updateAccount, withOnboarding } from "./updateAccount.ts"

/** PIN of one registration call. */
export interface ChosenPin {
  readonly pin: Redacted.Redacted
  /** Sealed form of a stored PIN; `null` for a PIN of the request, which is stored after the provider accepts it. */
  readonly sealed: string | null
  readonly isNew: boolean
  /** Whether Parley created it for a change with an unknown result. */
  readonly isPending: boolean
  /** Whether another stored PIN can be the one of the number. */
  readonly alternative: boolean
}

const sealedPinsOf = ({ pendingPin, pin }: StoredPins): ReadonlyArray<string> =>
  [pin, pendingPin].filter((sealed) => sealed !== null)

/** Whether the account has a PIN to register with. */
export const hasStoredPin = (id: ChatAccountId) =>
  Effect.map(loadSealedPins(id), (pins) => sealedPinsOf(pins).length > 0)

/** Returns the PIN of the request, a stored one that was not just refused, or a new one. */
export const choosePin = Effect.fnUntraced(function* (
  id: ChatAccountId,
  given: Redacted.Redacted | null,
  refused: string | null
) {
  const fixed = { isNew: false, isPending: false, alternative: false }
  if (given !== null) return { ...fixed, pin: given, sealed: null } satisfies ChosenPin
  const stored = yield* loadSealedPins(id)
  const candidates = sealedPinsOf(stored).filter((sealed) => sealed !== refused)
  const [sealed] = candidates
  if (sealed !== undefined) {
    return {
      pin: yield* openSecret(id, "registration_pin", sealed),
      sealed,
      isNew: false,
      isPending: sealed === stored.pendingPin,
      alternative: candidates.length > 1
    } satisfies ChosenPin
  }
  const pin = yield* createPin
  return { ...fixed, pin, sealed: yield* sealSecret(id, "registration_pin", pin), isNew: true } satisfies ChosenPin
})

/**
 * Records that the provider has refused a stored PIN, unless another one was stored since. Only a PIN that the provider has never accepted is deleted: an
 * accepted one can be right again after a change at the provider.
 */
export const keepRefusedPin = Effect.fnUntraced(function* (
  id: ChatAccountId,
  { alternative, isNew, isPending, sealed }: ChosenPin
) {
  yield* (yield* Locks).exclusive("chat_accounts")
  const { pendingPin, pin } = yield* loadSealedPins(id)
  if (sealed === null || (sealed !== pin && sealed !== pendingPin)) return
  const { onboarding } = yield* (yield* ChatAccounts).get(id)
  const isUnconfirmed = !isPending && (isNew || onboarding.hasUnshownPin)
  yield* updateAccount(id, {
    isNote: true,
    pins: { ...(isPending && { pendingPin: null }), ...(isUnconfirmed && { pin: null }) },
    change: (before) =>
      withOnboarding(before, {
        ...(isUnconfirmed && { hasUnshownPin: false }),
        ...(!isUnconfirmed && !alternative && { isPinRefused: true })
      })
  })
}, transact)

/** Stores a new PIN before its call, in addition to the current one. A repetition after a lost answer uses the same PIN. */
export const claimPendingPin = Effect.fnUntraced(function* (id: ChatAccountId) {
  yield* (yield* Locks).exclusive("chat_accounts")
  const { pendingPin } = yield* loadSealedPins(id)
  if (pendingPin !== null) {
    return { pin: yield* openSecret(id, "registration_pin", pendingPin), sealed: pendingPin, isNew: false }
  }
  const pin = yield* createPin
  const sealed = yield* sealSecret(id, "registration_pin", pin)
  yield* updateAccount(id, { isNote: true, pins: { pendingPin: sealed }, change: (before) => before })
  return { pin, sealed, isNew: true }
}, transact)

/** Deletes a new PIN that the provider has refused. The former one stays in use. */
export const forgetPendingPin = Effect.fnUntraced(function* (id: ChatAccountId, sealed: string) {
  yield* (yield* Locks).exclusive("chat_accounts")
  if ((yield* loadSealedPins(id)).pendingPin !== sealed) return
  yield* updateAccount(id, { isNote: true, pins: { pendingPin: null }, change: (before) => before })
}, transact)
