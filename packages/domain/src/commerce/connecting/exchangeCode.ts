import { DateTime, Duration, Effect, type Redacted, Result, Schedule } from "effect"
import { CurrentActor, toActorRef, transact, Vault } from "../../kernel/index.ts"
import { requireCapacity } from "../../platform/entitlements/index.ts"
import type { StoreConnectionId } from "../Ids.ts"
import { type ReservedStoreCode, StoreAuthorizations } from "../StoreAuthorizations.ts"
import { StoreConnections } from "../StoreConnections.ts"
import { requireStorePlatform, type ShopAccess, type StorePlatform, StoreUnreachable } from "../StorePlatform.ts"
import { applyScopeChange, missingScopes } from "../connectionChanges.ts"
import { StoreCodeInvalid, StoreExchangeInProgress, StoreScopesMissing } from "../errors.ts"
import { isTransient } from "../syncing/failureBackoff.ts"
import { saveConnectedStore } from "./saveConnectedStore.ts"
import { openParkedCode } from "./storeSecrets.ts"

/** Input that completes a journey: the one-time code of the callback, and the verifier of the starter. */
export interface AuthorizationCompletion {
  readonly code: Redacted.Redacted
  readonly codeVerifier: Redacted.Redacted
}

const exchangeTimeout = Duration.seconds(30)
const shopTimeout = Duration.seconds(20)

/** Longer than both calls to the provider. After a crash, the code can be used again at the end of this time. */
const reservationTime = Duration.seconds(90)

/** Reserved code of a shop, opened for its platform. */
interface Exchange {
  readonly reserved: ReservedStoreCode
  readonly platform: StorePlatform
  readonly code: Redacted.Redacted
}

/** Reserves the parked code. Runs all possible checks before the exchange, because an exchange ends the grant of another organization. */
const reserveCode = Effect.fnUntraced(function* (
  storeConnectionId: StoreConnectionId,
  { code, codeVerifier }: AuthorizationCompletion
) {
  const vault = yield* Vault
  const claim = {
    digest: yield* vault.digest(code),
    codeChallenge: yield* vault.digest(codeVerifier),
    storeConnectionId,
    actor: toActorRef(yield* CurrentActor)
  }
  const now = yield* DateTime.now
  const until = DateTime.addDuration(now, reservationTime)
  const reservation = yield* (yield* StoreAuthorizations).reserve(claim, now, until)
  if (reservation.kind === "unknown") return yield* new StoreCodeInvalid()
  if (reservation.kind === "in_progress") return yield* new StoreExchangeInProgress()
  const reserved = reservation.code
  const { sealedCode, shopDomain } = reserved
  const platform = yield* requireStorePlatform(reserved)
  const connections = yield* StoreConnections
  const connection = yield* connections.get(storeConnectionId)
  yield* connections.claim({ ...connection, shopDomain })
  if (connection.status === "uninstalled") yield* requireCapacity("storeConnections")
  const opened = yield* openParkedCode(storeConnectionId, shopDomain, sealedCode)
  return { reserved, platform, code: opened } satisfies Exchange
}, transact)

const release = ({ reserved }: Exchange) =>
  Effect.flatMap(StoreAuthorizations, (authorizations) => transact(authorizations.release(reserved)))

/** Spends the code and runs the final change in one commit. A failed change still spends the code. */
const spendWith = Effect.fnUntraced(function* <A, E, R>({ reserved }: Exchange, change: Effect.Effect<A, E, R>) {
  const changed = yield* transact(
    Effect.gen(function* () {
      if (!(yield* (yield* StoreAuthorizations).spend(reserved))) return yield* new StoreCodeInvalid()
      return yield* Effect.result(change)
    })
  )
  return yield* Effect.fromResult(changed)
})

/** Exchanges the code. A transient failure leaves the code valid, and any other failure spends it. */
const exchange = Effect.fnUntraced(function* (running: Exchange) {
  const { code, platform, reserved } = running
  const exchanged = yield* platform
    .exchange(reserved.shopDomain, code)
    .pipe(
      Effect.timeoutOrElse({ duration: exchangeTimeout, orElse: () => Effect.fail(new StoreUnreachable()) }),
      Effect.result
    )
  if (Result.isSuccess(exchanged)) return exchanged.success
  const { failure } = exchanged
  if (!isTransient(failure)) return yield* spendWith(running, Effect.fail(failure))
  yield* release(running)
  return yield* failure
})

/** The code of the shop is already spent, so a short outage is retried. */
const readShop = (platform: StorePlatform, access: ShopAccess) =>
  platform.shop(access).pipe(
    Effect.retry({
      schedule: Schedule.exponential("200 millis"),
      times: 3,
      while: ({ _tag }) => _tag === "StoreUnreachable"
    }),
    Effect.timeoutOrElse({ duration: shopTimeout, orElse: () => Effect.fail(new StoreUnreachable()) })
  )

const connect = Effect.fnUntraced(function* (running: Exchange) {
  const { platform, reserved } = running
  const { shopDomain, storeConnectionId } = reserved
  const grant = yield* exchange(running)
  const missing = missingScopes(platform.scopes, grant.scopes)
  if (missing.length > 0) {
    // The exchange has ended the former grant.
    yield* spendWith(running, applyScopeChange(storeConnectionId, grant.scopes))
    return yield* new StoreScopesMissing({ missing })
  }
  const access = { shopDomain, accessToken: grant.accessToken }
  const shop = yield* Effect.result(readShop(platform, access))
  const connection = yield* spendWith(
    running,
    Effect.flatMap(Effect.fromResult(shop), (read) => saveConnectedStore(storeConnectionId, read, grant))
  )
  return { connection, platform, access }
})

/**
 * Exchanges a parked code and connects its store. The calls to the provider run outside of a unit of work. The code is reserved in one before, and
 * spent in one after, in the commit that stores the tokens. A reservation prevents exchanges of several codes of one shop at the same time.
 */
export const exchangeParkedCode = Effect.fnUntraced(function* (
  id: StoreConnectionId,
  completion: AuthorizationCompletion
) {
  const running = yield* reserveCode(id, completion)
  return yield* connect(running).pipe(Effect.onInterrupt(() => release(running)))
})
