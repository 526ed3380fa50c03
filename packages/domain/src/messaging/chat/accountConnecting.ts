import { DateTime, Effect, Order, Redacted } from "effect"
import { nextId, transact } from "../../kernel/index.ts"
import { record } from "../../platform/audit/index.ts"
import { admitting, foreseeRoom } from "../../platform/entitlements/index.ts"
import { ChatAccount, ChatAccountId, type ChatAccountMode, ChatAccountView, type NewEndpoint } from "./ChatAccount.ts"
import { ChatAccounts, type ChatSecrets, type RemovedAccount } from "./ChatAccounts.ts"
import { channelFor, checkUrl } from "./ChatChannels.ts"
import { shownAccount } from "./ChatSettings.ts"
import type { Line, LineHealth } from "./Line.ts"
import { healthyAccount } from "./accountHealth.ts"
import { type ChannelFailure, ChatAccountExists, ChatNumberUnknown, ChatTokenRefused } from "./errors.ts"
import { appendEvent } from "./events.ts"
import { endpointSecrets } from "./secrets.ts"
import { wantTemplates } from "./templates/templateRefreshing.ts"

const asFault = (failure: ChannelFailure) => {
  if (failure._tag === "ChannelUnreachable") return failure
  const { code, reason, remedy } = failure
  switch (remedy) {
    case "reauthorize":
      return new ChatTokenRefused({ providerCode: code, reason })
    case "give_up":
      return new ChatNumberUnknown({ providerCode: code, reason })
    default:
      return failure
  }
}

/** How a number is doing that is to be connected: that it is there and may be used, only the provider can say. */
export const askHealth = Effect.fnUntraced(function* (provider: string, line: Line) {
  const { check } = yield* channelFor({ provider }, "checking")
  return yield* Effect.mapError(check(line), asFault)
})

/** A number that is being connected. */
export interface Connecting {
  readonly provider: string
  readonly mode: ChatAccountMode
  readonly displayName: string | undefined
  readonly externalAccountId: string
  readonly externalPhoneId: string
  readonly url: string | null
}

/** A number that was never connected before, as it begins. */
const freshAccount = (
  id: ChatAccountId,
  { displayName, externalAccountId, externalPhoneId, mode, provider, url }: Connecting,
  now: DateTime.Utc
) =>
  new ChatAccount({
    id,
    provider,
    mode,
    displayName: displayName ?? externalPhoneId,
    phone: null,
    externalAccountId,
    externalPhoneId,
    url,
    status: "connected",
    qualityRating: "unknown",
    messagingLimit: null,
    throughputPerSecond: null,
    lastCheckedAt: null,
    lastError: null,
    createdAt: now,
    updatedAt: now,
    version: 1
  })

/** The account of a number that was removed, as it goes on. */
const revivedAccount = (
  { account }: RemovedAccount,
  { displayName = account.displayName, externalAccountId, externalPhoneId, mode }: Connecting
) =>
  new ChatAccount({
    ...account,
    mode,
    displayName,
    externalAccountId,
    externalPhoneId,
    version: account.version + 1
  })

/** Refuses a number that the organization has connected already. */
const checkNumber = Effect.fnUntraced(function* ({
  externalPhoneId,
  provider
}: Pick<Connecting, "externalPhoneId" | "provider">) {
  const accounts = yield* ChatAccounts
  const [known] = yield* accounts.findByNumber(provider, [externalPhoneId])
  if (known !== undefined) return yield* new ChatAccountExists({ chatAccountId: known.id })
})

/** As `addAccount` will refuse it for want of room or as one that is connected, before the provider is asked. */
export const checkRoom = Effect.fnUntraced(function* (connecting: Pick<Connecting, "externalPhoneId" | "provider">) {
  yield* foreseeRoom("chatAccounts")
  yield* checkNumber(connecting)
})

/** Refuses a number that is connected under another id of the provider: one number has one history. */
const checkPhone = Effect.fnUntraced(function* ({ phone, provider }: ChatAccount) {
  if (phone === null) return
  const all = yield* (yield* ChatAccounts).list({ limit: 1_000, after: null })
  const known = all.find((each) => each.provider === provider && each.phone === phone)
  if (known !== undefined) return yield* new ChatAccountExists({ chatAccountId: known.id })
})

const latest = Order.mapInput(Order.flip(DateTime.Order), ({ removedAt }: RemovedAccount) => removedAt)

/**
 * The number as it was connected before; `null` if it never was. The provider gives a number another id when it moves to
 * another business account: then its phone tells that it is the same.
 */
const formerOf = Effect.fnUntraced(function* ({ externalPhoneId, phone, provider }: ChatAccount) {
  const all = yield* (yield* ChatAccounts).removed()
  const removed = all.filter(({ account }) => account.provider === provider).toSorted(latest)
  return (
    removed.find(({ account }) => account.externalPhoneId === externalPhoneId) ??
    removed.find(({ account }) => phone !== null && account.phone === phone) ??
    null
  )
})

/**
 * Stores a number that the provider knows, if the plan has room for it. One that was connected before takes up its history,
 * its templates and its queue.
 */
export const addAccount = Effect.fnUntraced(
  function* <E, R>(
    id: ChatAccountId,
    connecting: Connecting,
    health: LineHealth | null,
    sealFor: (id: ChatAccountId) => Effect.Effect<ChatSecrets, E, R>
  ) {
    const accounts = yield* ChatAccounts
    yield* checkNumber(connecting)
    const now = yield* DateTime.now
    const looked = (account: ChatAccount) => (health === null ? account : healthyAccount(account, health, now))
    const fresh = looked(freshAccount(id, connecting, now))
    yield* checkPhone(fresh)
    const former = yield* formerOf(fresh)
    const account = former === null ? fresh : looked(revivedAccount(former, connecting))
    const secrets = yield* sealFor(account.id)
    if (former === null) yield* accounts.insert(account, secrets)
    else {
      yield* Effect.catchTag(accounts.revive(account, secrets), "NotFound", Effect.die)
      yield* wantTemplates([account.id])
    }
    const { displayName, externalAccountId, externalPhoneId, mode, provider, status, url } = account
    yield* record(
      "chat_account.connected",
      { kind: "chat_account", id: account.id },
      {
        after: {
          provider,
          mode,
          displayName,
          externalAccountId,
          externalPhoneId,
          status,
          ...(url !== null && { url })
        }
      }
    )
    yield* appendEvent({ type: "chat_account.connected", chatAccountId: account.id })
    return account
  },
  admitting("chatAccounts"),
  transact
)

/** Connects an account that is an address of its own, and shows once what requests are signed with. */
export const connectEndpoint = Effect.fnUntraced(function* ({ displayName, provider, url }: NewEndpoint) {
  yield* checkUrl(provider, url)
  const id = yield* nextId(ChatAccountId)
  const { secret, secrets } = yield* endpointSecrets(id, null)
  const account = yield* addAccount(
    id,
    { provider, mode: "own_app", displayName, externalAccountId: id, externalPhoneId: id, url },
    null,
    () => Effect.succeed(secrets)
  )
  return new ChatAccountView({ ...(yield* shownAccount(account)), signingSecret: Redacted.value(secret) })
})
