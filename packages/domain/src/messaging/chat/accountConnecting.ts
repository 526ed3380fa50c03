import { DateTime, Effect, Order, Redacted } from "effect"
import { nextId, transact } from "../../kernel/index.ts"
import { recordAudit } from "../../platform/audit/index.ts"
import { withinLimit, requireCapacity } from "../../platform/entitlements/index.ts"
import { ChatAccount, ChatAccountId, type ChatAccountMode, ChatAccountView, type NewEndpoint } from "./ChatAccount.ts"
import { ChatAccounts, type ChatSecrets, type RemovedAccount } from "./ChatAccounts.ts"
import { channelFor, checkUrl } from "./ChatChannels.ts"
import { toChatAccountView } from "./ChatSettings.ts"
import type { ProviderConnection, NumberHealth } from "./ProviderConnection.ts"
import { withHealth } from "./accountHealth.ts"
import { type ChannelFailure, ChatAccountExists, ChatNumberUnknown, ChatTokenRefused } from "./errors.ts"
import { appendEvent } from "./events.ts"
import { createEndpointSecrets } from "./secrets.ts"
import { requestTemplateSync } from "./templates/templateSyncTask.ts"

const toConnectError = (failure: ChannelFailure) => {
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
export const fetchNumberHealth = Effect.fnUntraced(function* (provider: string, line: ProviderConnection) {
  const { check } = yield* channelFor({ provider }, "checking")
  return yield* Effect.mapError(check(line), toConnectError)
})

/** A number that is being connected. */
export interface ConnectionInput {
  readonly provider: string
  readonly mode: ChatAccountMode
  readonly displayName: string | undefined
  readonly externalAccountId: string
  readonly externalPhoneId: string
  readonly url: string | null
}

/** A number that was never connected before, as it begins. */
const newAccount = (
  id: ChatAccountId,
  { displayName, externalAccountId, externalPhoneId, mode, provider, url }: ConnectionInput,
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
const reconnectedAccount = (
  { account }: RemovedAccount,
  { displayName = account.displayName, externalAccountId, externalPhoneId, mode }: ConnectionInput
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
}: Pick<ConnectionInput, "externalPhoneId" | "provider">) {
  const accounts = yield* ChatAccounts
  const [known] = yield* accounts.findByNumber(provider, [externalPhoneId])
  if (known !== undefined) return yield* new ChatAccountExists({ chatAccountId: known.id })
})

/** As `addAccount` will refuse it for want of room or as one that is connected, before the provider is asked. */
export const checkAccountCapacity = Effect.fnUntraced(function* (
  connecting: Pick<ConnectionInput, "externalPhoneId" | "provider">
) {
  yield* requireCapacity("chatAccounts")
  yield* checkNumber(connecting)
})

/** Refuses a number that is connected under another id of the provider: one number has one history. */
const checkPhone = Effect.fnUntraced(function* ({ phone, provider }: ChatAccount) {
  if (phone === null) return
  const all = yield* (yield* ChatAccounts).list({ limit: 1_000, after: null })
  const known = all.find((each) => each.provider === provider && each.phone === phone)
  if (known !== undefined) return yield* new ChatAccountExists({ chatAccountId: known.id })
})

const byRemovalTime = Order.mapInput(Order.flip(DateTime.Order), ({ removedAt }: RemovedAccount) => removedAt)

/**
 * The number as it was connected before; `null` if it never was. The provider gives a number another id when it moves to
 * another business account: then its phone tells that it is the same.
 */
const findFormerAccount = Effect.fnUntraced(function* ({ externalPhoneId, phone, provider }: ChatAccount) {
  const all = yield* (yield* ChatAccounts).removed()
  const removed = all.filter(({ account }) => account.provider === provider).toSorted(byRemovalTime)
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
    connecting: ConnectionInput,
    health: NumberHealth | null,
    sealFor: (id: ChatAccountId) => Effect.Effect<ChatSecrets, E, R>
  ) {
    const accounts = yield* ChatAccounts
    yield* checkNumber(connecting)
    const now = yield* DateTime.now
    const looked = (account: ChatAccount) => (health === null ? account : withHealth(account, health, now))
    const fresh = looked(newAccount(id, connecting, now))
    yield* checkPhone(fresh)
    const former = yield* findFormerAccount(fresh)
    const account = former === null ? fresh : looked(reconnectedAccount(former, connecting))
    const secrets = yield* sealFor(account.id)
    if (former === null) yield* accounts.insert(account, secrets)
    else {
      yield* Effect.catchTag(accounts.revive(account, secrets), "NotFound", Effect.die)
      yield* requestTemplateSync([account.id])
    }
    const { displayName, externalAccountId, externalPhoneId, mode, provider, status, url } = account
    yield* recordAudit(
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
  withinLimit("chatAccounts"),
  transact
)

/** Connects an account that is an address of its own, and shows once what requests are signed with. */
export const connectEndpoint = Effect.fnUntraced(function* ({ displayName, provider, url }: NewEndpoint) {
  yield* checkUrl(provider, url)
  const id = yield* nextId(ChatAccountId)
  const { secret, secrets } = yield* createEndpointSecrets(id, null)
  const account = yield* addAccount(
    id,
    { provider, mode: "own_app", displayName, externalAccountId: id, externalPhoneId: id, url },
    null,
    () => Effect.succeed(secrets)
  )
  return new ChatAccountView({ ...(yield* toChatAccountView(account)), signingSecret: Redacted.value(secret) })
})
